package io.nexar.runtime;

import io.nexar.CompressionState;
import io.nexar.ConfigurationException;
import io.nexar.NexarConfig;
import io.nexar.collective.EngineRules;
import io.nexar.collective.EngineSettings;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.CostModelText;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.communicator.ObjectFormat;
import io.nexar.compress.ConfiguredMethod;
import io.nexar.fabric.FabricSettings;
import io.nexar.fabric.IdleStrategy;
import io.nexar.serial.Serializers;

import java.time.Duration;

/**
 * The settings of one rank, as the rooms below want them: read once from the configuration.
 *
 * @param inHost the link between ranks of one host
 */
record RankSettings(
        FabricSettings fabric,
        EngineRules engines,
        LinkClass inHost,
        IdleStrategy idle,
        Duration operationTimeout,
        Duration closeTimeout,
        boolean isDeterministic,
        CostModel costModel,
        boolean isCheckFull,
        Duration stallReportAfter,
        ObjectFormat objects,
        CompressionState.Method compression) {

    static RankSettings of(NexarConfig config, LinkClass inHost, int ranksOnHost) {
        EngineRules engines = EngineRules.of(config, inHost);
        return new RankSettings(
                new FabricSettings(
                        config.bytes("nexar.message.creditBytes"),
                        config.bytes("nexar.message.eagerBytes"),
                        Math.max(
                                creditBytes(engines.inHost()), creditBytes(engines.betweenHosts())),
                        engines.betweenHosts().pieceBytes()),
                engines,
                inHost,
                idle(config.get("nexar.wait.spin"), inHost, ranksOnHost),
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

    private static long creditBytes(EngineSettings engine) {
        return engine.creditPieces()
                * ((long) engine.pieceBytes() + FabricSettings.MESSAGE_COST_BYTES);
    }

    private static IdleStrategy idle(String spin, LinkClass inHost, int ranksOnHost) {
        return switch (spin) {
            case "always" -> IdleStrategy.spinning();
            case "never" -> IdleStrategy.sleeping();
            default -> {
                int cores = Runtime.getRuntime().availableProcessors();
                IdleStrategy idle = IdleStrategy.of(ranksOnHost, cores);
                yield inHost.leavesHost() ? idle : idle.leavingLoneCore();
            }
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
