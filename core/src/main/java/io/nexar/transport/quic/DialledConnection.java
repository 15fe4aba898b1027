package io.nexar.transport.quic;

import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.handler.codec.quic.QuicStreamType;
import io.netty.util.concurrent.Future;
import io.nexar.transport.Lane;
import io.nexar.transport.net.RacingDial;
import io.nexar.transport.net.SocketAddresses;

import java.net.InetSocketAddress;

/**
 * The dialling side, one for each address that is tried. TLS checks that the peer is of this job,
 * this class that it is the member that was dialled; then it opens the four lanes and waits for the
 * acceptor's word. The event loop's.
 */
final class DialledConnection extends Connection implements RacingDial.Attempt {
    private final Dial dial;
    private final InetSocketAddress remote;
    private boolean isHandedOver;

    DialledConnection(QuicEndpoint endpoint, Dial dial, InetSocketAddress remote) {
        super(endpoint);
        this.dial = dial;
        this.remote = remote;
    }

    void onConnect(Future<QuicChannel> connected) {
        if (!connected.isSuccess()) {
            down(connected.cause());
            return;
        }
        try {
            endpoint().trust().requireMember(certificate(), dial.peer().id());
        } catch (RuntimeException e) {
            refuse(String.valueOf(e.getMessage()));
            return;
        }
        if (dial.isFirst(this)) {
            makeLink(
                    new QuicLink.Peers(
                            endpoint().settings().self(),
                            dial.peer(),
                            SocketAddresses.format(remote)),
                    endpoint().settings().wakeUp());
            openLane(0);
        }
    }

    /** One after the other, so that the lanes' stream ids are the same in every trace. */
    private void openLane(int number) {
        Lane lane = Lane.of(number);
        channel()
                .createStream(QuicStreamType.BIDIRECTIONAL, LaneStream.dialled(this, lane))
                .addListener((Future<QuicStreamChannel> opened) -> onLane(lane, opened));
    }

    private void onLane(Lane lane, Future<QuicStreamChannel> opened) {
        if (!opened.isSuccess()) {
            fail("lane " + lane + " can't be opened: " + opened.cause().getMessage());
            return;
        }
        QuicStreamChannel stream = opened.getNow();
        stream.config().setRecvByteBufAllocator(QuicCodecs.readSizes());
        streams().tryAttach(lane, stream);
        streams().writeHello(lane, lane.ordinal());
        if (lane.ordinal() + 1 < Lane.COUNT) {
            openLane(lane.ordinal() + 1);
        }
    }

    @Override
    void onHello(int said, QuicStreamChannel stream) {
        QuicLink link = link();
        if (said != Hello.ACCEPTED || link == null || isHandedOver) {
            fail("the acceptor's hello says " + said + " instead of " + Hello.ACCEPTED);
            return;
        }
        isHandedOver = true;
        dial.onLink(link);
    }

    @Override
    void onDown(String reason) {
        QuicLink link = link();
        if (link != null) {
            link.onDown(reason);
        }
        if (!isHandedOver) {
            dial.onFailed(this, reason);
        }
    }

    @Override
    public InetSocketAddress remote() {
        return remote;
    }

    @Override
    public void abandon(String reason) {
        refuse(reason);
    }
}
