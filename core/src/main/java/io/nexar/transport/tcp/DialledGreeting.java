package io.nexar.transport.tcp;

import io.nexar.transport.net.RacingDial;
import io.nexar.transport.net.SocketAddresses;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/**
 * The dialling side, one for each address that is tried. TLS checks that the peer is of this job,
 * this class that it is the member that was dialled; then it says hello, waits for the acceptor's
 * word, and says that it has it. The endpoint's thread.
 */
final class DialledGreeting extends Greeting implements RacingDial.Attempt {
    private final Dial dial;
    private final InetSocketAddress remote;
    private boolean isConnected;

    private DialledGreeting(
            TcpEndpoint endpoint, Dial dial, SocketChannel channel, InetSocketAddress remote) {
        super(endpoint, channel, remote, endpoint.engines().dial());
        this.dial = dial;
        this.remote = remote;
    }

    static DialledGreeting start(TcpEndpoint endpoint, Dial dial, InetSocketAddress remote)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
            DialledGreeting greeting = new DialledGreeting(endpoint, dial, channel, remote);
            greeting.register(SelectionKey.OP_CONNECT);
            if (channel.connect(remote)) {
                greeting.key().interestOps(SelectionKey.OP_WRITE);
            }
            return greeting;
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    @Override
    boolean isConnected() throws IOException {
        isConnected = isConnected || channel().isConnected() || channel().finishConnect();
        return isConnected;
    }

    @Override
    void onSecured() throws IOException {
        endpoint().trust().requireMember(certificate(), dial.peer().id());
        if (dial.isFirst(this)) {
            say(Hello.encodeFilled(endpoint().protection().helloCode()));
        }
    }

    @Override
    void onHello(Hello hello) throws IOException {
        if (hello.code() != endpoint().protection().helloCode()) {
            fail(
                    hello.code() == Hello.REFUSED
                            ? "refused by the peer: " + hello.text()
                            : "the acceptor's hello says " + hello.code());
            return;
        }
        say(Hello.encode(hello.code(), ""));
        dial.onLink(
                becomeLink(
                        new TcpLink.Peers(
                                endpoint().settings().self(),
                                dial.peer(),
                                SocketAddresses.format(remote),
                                endpoint().protection().transport())));
    }

    @Override
    public void abandon(String reason) {
        fail(reason);
    }

    @Override
    void onRefused(String reason) {
        dial.onFailed(this, reason);
    }

    @Override
    public InetSocketAddress remote() {
        return remote;
    }
}
