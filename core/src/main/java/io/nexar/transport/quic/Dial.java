package io.nexar.transport.quic;

import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicChannelOption;
import io.netty.util.concurrent.Future;
import io.nexar.transport.net.RacingDial;

import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** A dial whose winner opens its lanes, and no other. The event loop's. */
final class Dial extends RacingDial<DialledConnection> {
    private final QuicEndpoint endpoint;

    Dial(QuicEndpoint endpoint, Request request) {
        super(request);
        this.endpoint = endpoint;
    }

    @Override
    protected void begin(InetSocketAddress address) {
        DialledConnection connection = new DialledConnection(endpoint, this, address);
        begun(connection);
        QuicChannel.newBootstrap(endpoint.dialling())
                .handler(connection)
                .option(QuicChannelOption.SEGMENTED_DATAGRAM_PACKET_ALLOCATOR, endpoint.segments())
                .streamHandler(new UnusedStreamHandler())
                .remoteAddress(address)
                .connect()
                .addListener((Future<QuicChannel> done) -> connection.onConnect(done));
    }

    @Override
    protected Runnable after(long delayNanos, Runnable task) {
        Future<?> timer = endpoint.loop().schedule(task, delayNanos, TimeUnit.NANOSECONDS);
        return () -> timer.cancel(false);
    }

    @Override
    protected void onEnd() {
        endpoint.ended(this);
    }

    boolean isFirst(DialledConnection connection) {
        return isFirst(connection, "the lanes were not accepted");
    }

    void onLink(QuicLink link) {
        endpoint.add(link);
        succeed(link);
    }
}
