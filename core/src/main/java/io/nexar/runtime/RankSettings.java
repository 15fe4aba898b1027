package io.nexar.runtime;

import io.nexar.CompressionState;
import io.nexar.ConfigurationException;
import io.nexar.NexarConfig;
import io.nexar.collective.EngineSettings;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.CostModelText;
import io.nexar.communicator.ObjectFormat;
import io.nexar.compress.ConfiguredMethod;
import io.nexar.fabric.FabricSettings;
import io.nexar.fabric.IdleStrategy;
import io.nexar.serial.Serializers;
import io.nexar.wire.FrameHeader;

import java.time.Duration;

/** The settings of one rank, as the rooms below want them: read once from the configuration. */
record RankSettings(
        FabricSettings fabric,
        EngineSettings engine,
        IdleStrategy idle,
        Duration operationTimeout,
        Duration closeTimeout,
        boolean isDeterministic,
        CostModel costModel,
        boolean isCheckFull,
        Duration stallReportAfter,
        ObjectFormat objects,
        CompressionState.Method compression) {

    /** Pieces hold whole elements of every type, the widest of which has 16 bytes. */
    private static final int PIECE_GRAIN_BYTES = 16;

    static RankSettings of(NexarConfig config, int ranksOnHost) {
        long wanted =
                Math.min(
                        config.bytes("nexar.collective.pieceBytes"), FrameHeader.PAYLOAD_BYTES_MAX);
        int pieceBytes = (int) Math.max(PIECE_GRAIN_BYTES, wanted - wanted % PIECE_GRAIN_BYTES);
        int pieceCredit =
                (int) Math.max(1, config.bytes("nexar.collective.creditBytes") / pieceBytes);
        return new RankSettings(
                new FabricSettings(
                        config.bytes("nexar.message.creditBytes"),
                        config.bytes("nexar.message.eagerBytes"),
                        pieceCredit,
                        pieceBytes),
                new EngineSettings(
                        pieceBytes, config.integer("nexar.collective.piecesInFlight"), pieceCredit),
                idle(config.get("nexar.wait.spin"), ranksOnHost),
                config.duration("nexar.timeout.operation"),
                config.duration("nexar.timeout.close"),
                config.flag("nexar.deterministic"),
                costModel(config),
                config.get("nexar.check").equals("full"),
                config.duration("nexar.stall.reportAfter"),
                new ObjectFormat(
                        Serializers.named(config.get(Serializers.OPTION)),
                        config.bytes("nexar.object.bytesMax")),
                ConfiguredMethod.named(config.get(ConfiguredMethod.OPTION)));
    }

    private static IdleStrategy idle(String spin, int ranksOnHost) {
        return switch (spin) {
            case "always" -> IdleStrategy.spinning();
            case "never" -> IdleStrategy.sleeping();
            default -> IdleStrategy.of(ranksOnHost, Runtime.getRuntime().availableProcessors());
        };
    }

    private static CostModel costModel(NexarConfig config) {
        if (!config.isSet("nexar.cost.model")) {
            return CostModel.DEFAULT;
        }
        try {
            return CostModelText.parse(config.fileText("nexar.cost.model"));
        } catch (IllegalArgumentException wrong) {
            throw ConfigurationException.conflict(
                    "nexar.cost.model",
                    config.get("nexar.cost.model"),
                    String.valueOf(wrong.getMessage()));
        }
    }
}
