package io.nexar.fabric;

import io.nexar.MemberId;
import io.nexar.transport.Link;
import io.nexar.transport.LinkPair;
import io.nexar.transport.local.LocalMembers;
import io.nexar.wire.CallNote;
import io.nexar.wire.CommunicatorPath;
import io.nexar.wire.FrameHeader;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;

/**
 * Two ranks' fabrics over one local link, driven by the test's own thread: nothing happens between
 * two passes.
 */
final class FabricPair implements AutoCloseable {
    static final CommunicatorPath WORLD = CommunicatorPath.world(0);
    static final List<MemberId> MEMBERS = List.of(new MemberId(0), new MemberId(1));

    final Fabric[] fabrics = new Fabric[2];
    final Channel[] channels = new Channel[2];
    final List<String> lost = new ArrayList<>();
    final List<String> aborts = new ArrayList<>();
    final List<String> calls = new ArrayList<>();

    /** Which pieces are not consumed, by their sequence. */
    LongPredicate held = sequence -> false;

    private final LinkPair links;

    /** As many of the longest as the credit takes. */
    private final int pieceCredit;

    FabricPair(FabricSettings settings) throws Exception {
        this(settings, right -> right);
    }

    /**
     * @param around makes another link of the right one's
     */
    FabricPair(FabricSettings settings, UnaryOperator<Link> around) throws Exception {
        pieceCredit =
                (int)
                        (settings.pieceCreditBytes()
                                / (settings.partBytes() + FabricSettings.MESSAGE_COST_BYTES));
        links = LocalMembers.pair(MEMBERS.get(0), () -> {}, MEMBERS.get(1), () -> {});
        for (int rank = 0; rank < 2; rank++) {
            fabrics[rank] = new Fabric(MEMBERS.get(rank), settings, () -> 0, (_, _, _) -> {});
        }
        fabrics[0].addLink(links.left());
        fabrics[1].addLink(around.apply(links.right()));
    }

    /** A rank's world, with an engine that only notes what it hears. */
    Channel open(int rank) {
        Channel channel = open(rank, WORLD);
        channels[rank] = channel;
        return channel;
    }

    Channel open(int rank, CommunicatorPath path) {
        return open(rank, path, pieceCredit);
    }

    Channel open(int rank, CommunicatorPath path, int credit) {
        Channel channel = fabrics[rank].open(path, MEMBERS, credit);
        channel.attach(
                new Ear(channel),
                () -> 0,
                reason -> aborts.add(channel.rank() + ": " + reason.getMessage()));
        return channel;
    }

    FabricPair openBoth() {
        open(0);
        open(1);
        return this;
    }

    LinkPair links() {
        return links;
    }

    /** Runs passes of both until neither has anything to do. */
    void settle() {
        int work = 1;
        while (work > 0) {
            work = fabrics[0].doWork() + fabrics[1].doWork();
        }
    }

    void settleUntil(BooleanSupplier condition) {
        settle();
        if (!condition.getAsBoolean()) {
            throw new AssertionError("nothing more to do, and the condition does not hold");
        }
    }

    @Override
    public void close() throws Exception {
        links.close();
    }

    /** Takes pieces and gives their credit back at once, but for those that are held. */
    private final class Ear implements PieceHandler {
        private final Channel channel;

        Ear(Channel channel) {
            this.channel = channel;
        }

        @Override
        public boolean onPiece(int peer, FrameHeader header, MemorySegment payload) {
            if (!held.test(header.sequence())) {
                channel.release(peer, 1);
            }
            return false;
        }

        @Override
        public void onSent(long token) {}

        @Override
        public void onCall(int peer, CallNote note) {
            calls.add(channel.rank() + " heard " + note);
        }

        @Override
        public void onPeerLost(int peer, RuntimeException failure) {
            lost.add(channel.rank() + " lost " + peer);
        }
    }
}
