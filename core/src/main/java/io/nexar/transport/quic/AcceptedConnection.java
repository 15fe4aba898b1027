package io.nexar.transport.quic;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.util.concurrent.Future;
import io.nexar.MemberId;
import io.nexar.security.NodeIdentity;
import io.nexar.transport.Lane;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.TimeUnit;

/**
 * The dialled side. Retry has proven the address before this exists. Then: TLS checks that the peer
 * is of this job, this class that it is a member, and that it opens the four lanes; the answer on
 * CONTROL says so, and the link is handed over. Whoever is slow, or one too many on the way, is
 * dropped. The event loop's.
 */
final class AcceptedConnection extends Connection {
    private @Nullable Future<?> deadline;
    private boolean isPending;

    AcceptedConnection(QuicEndpoint endpoint) {
        super(endpoint);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        super.handlerAdded(context);
        if (!endpoint().tryAdmit(this)) {
            context.channel().close();
            return;
        }
        isPending = true;
        long millisMax = endpoint().strangers().handshakeMillisMax();
        deadline =
                context.executor()
                        .schedule(
                                () -> refuse("no link within " + millisMax + " ms"),
                                millisMax,
                                TimeUnit.MILLISECONDS);
    }

    @Override
    void onHandshake() {
        MemberId peer = new MemberId(NodeIdentity.of(certificate()).memberId());
        if (!endpoint().settings().isMember().test(peer)) {
            refuse(peer + " is no member for " + endpoint().settings().self());
            return;
        }
        makeLink(
                new QuicLink.Peers(endpoint().settings().self(), peer, address()),
                endpoint().settings().wakeUp());
    }

    @Override
    void onStream(QuicStreamChannel stream) {
        stream.pipeline().addLast(LaneStream.accepted(this));
    }

    @Override
    void onHello(int said, QuicStreamChannel stream) {
        QuicLink link = link();
        if (link == null || said == Hello.ACCEPTED || !streams().tryAttach(Lane.of(said), stream)) {
            fail("the hello of " + stream + " says " + said + ", which was not its turn");
            return;
        }
        if (streams().isComplete()) {
            settle();
            streams().writeHello(Lane.CONTROL, Hello.ACCEPTED);
            endpoint().handOver(link);
        }
    }

    @Override
    void onDown(String reason) {
        boolean wasPending = isPending;
        settle();
        QuicLink link = link();
        if (link != null) {
            link.onDown(reason);
        }
        if (wasPending) {
            endpoint().tellRefused(address(), reason);
        }
    }

    private void settle() {
        if (isPending) {
            isPending = false;
            endpoint().settled(this);
        }
        if (deadline != null) {
            deadline.cancel(false);
        }
    }
}
