package io.nexar.collective;

import io.nexar.NexarConfig;
import io.nexar.collective.plan.Placement;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.wire.FrameHeader;

/**
 * How the engines of a rank cut and pace: one way where all ranks of the communicator share a host,
 * and another where they do not. Every rank knows where all others are, so all come to the same.
 */
public record EngineRules(EngineSettings inHost, EngineSettings betweenHosts) {
    /** Pieces hold whole elements of every type, the widest of which has 16 bytes. */
    private static final int PIECE_GRAIN_BYTES = 16;

    /**
     * As configured. Sockets want short pieces also where they link ranks of one host.
     *
     * @param inHost the link between ranks of one host
     */
    public static EngineRules of(NexarConfig config, LinkClass inHost) {
        EngineSettings betweenHosts = engine(config, "nexar.collective.pieceBytes");
        return inHost.leavesHost()
                ? everywhere(betweenHosts)
                : new EngineRules(engine(config, "nexar.collective.hostPieceBytes"), betweenHosts);
    }

    private static EngineSettings engine(NexarConfig config, String pieceOption) {
        long wanted = Math.min(config.bytes(pieceOption), FrameHeader.PAYLOAD_BYTES_MAX);
        int pieceBytes = (int) Math.max(PIECE_GRAIN_BYTES, wanted - wanted % PIECE_GRAIN_BYTES);
        long credit = Math.max(1, config.bytes("nexar.collective.creditBytes") / pieceBytes);
        return new EngineSettings(
                pieceBytes, config.integer("nexar.collective.piecesInFlight"), (int) credit);
    }

    /** The same wherever ranks are. */
    public static EngineRules everywhere(EngineSettings settings) {
        return new EngineRules(settings, settings);
    }

    public EngineSettings of(Placement placement) {
        return placement.hosts() == 1 ? inHost : betweenHosts;
    }
}
