package io.nexar.cli;

import io.nexar.Algorithm;
import io.nexar.DataType;
import io.nexar.StandardReduceOp;
import io.nexar.cli.bench.BenchOp;
import io.nexar.cli.bench.BenchSpec;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.config.Sizes;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The flags that say how {@code nexar bench} calls an operation, and what is wrong with them. */
final class BenchFlags {
    private static final int ITERATIONS_MAX = 10_000_000;

    @CommandLine.Spec(CommandLine.Spec.Target.MIXEE)
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    @Option(
            names = "--sizes",
            split = ",",
            paramLabel = "SIZE",
            description = "what to send, as 8,64KiB,1MiB (default: 8 B to 4 MiB)")
    private List<String> sizes = List.of("8", "1KiB", "64KiB", "1MiB", "4MiB");

    @Option(
            names = "--algorithm",
            paramLabel = "NAME",
            description = "such as RING (default: as a program would get)")
    private String algorithm = "AUTO";

    @Option(
            names = "--datatype",
            paramLabel = "TYPE",
            description = "f64 f32 f16 bf16 i8 i16 i32 i64 u8 u16 u32 u64 (default: f32)")
    private String type = "f32";

    @Option(
            names = "--op",
            paramLabel = "NAME",
            description = "sum prod min max avg band bor bxor land lor lxor (default: sum)")
    private String reduceOp = "sum";

    @Option(
            names = "--iterations",
            paramLabel = "N",
            description = "how many calls of each size are timed (default: by size)")
    private @Nullable Integer iterations;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            description = "how long each size runs before it is timed (default: 2s)")
    private String warmUp = "2s";

    @Option(names = "--heap", description = "Java arrays instead of memory outside the heap")
    private boolean isOnHeap;

    @Option(
            names = "--timing",
            paramLabel = "HOW",
            description =
                    "rank0, or slowest after a barrier (default: rank0 for pingpong and"
                            + " allreduce)")
    private @Nullable String timing;

    /** What is to be measured, if nothing is wrong. */
    BenchSpec spec(BenchOp op, int ranks, boolean isLocal) {
        DataType dataType = dataType();
        return new BenchSpec(
                op,
                ranks,
                isLocal,
                op.hasSize()
                        ? sizes.stream().map(text -> size(text, op, ranks, dataType)).toList()
                        : List.of(0L),
                algorithm(op),
                dataType,
                op.isReducing() ? reduceOp(dataType) : StandardReduceOp.SUM,
                iterations(),
                warmUpMillis(),
                isOnHeap,
                timing == null ? BenchSpec.Timing.of(op) : timing(timing));
    }

    long warmUpMillis() {
        return Flags.duration(spec, "--warm-up", warmUp).toMillis();
    }

    private long size(String text, BenchOp op, int ranks, DataType dataType) {
        long bytes;
        try {
            bytes = Sizes.parseBytes(text);
        } catch (IllegalArgumentException e) {
            throw wrong("--sizes", text, "not " + e.getMessage());
        }
        if (bytes % dataType.bytes() != 0) {
            throw wrong(
                    "--sizes",
                    text,
                    "must be whole elements of %s: a multiple of %d"
                            .formatted(type, dataType.bytes()));
        }
        long elements = op.elementsMax(bytes / dataType.bytes(), ranks);
        if (isOnHeap && elements > Integer.MAX_VALUE - 8) {
            throw wrong("--sizes", text, "with --heap a buffer is an array: at most 2^31 elements");
        }
        return bytes;
    }

    private Algorithm algorithm(BenchOp op) {
        List<Algorithm> known = op.operation().map(PlanCatalog::algorithms).orElse(List.of());
        List<Algorithm> allowed =
                Stream.concat(Stream.of(Algorithm.AUTO), known.stream()).distinct().toList();
        String name = algorithm.toUpperCase(Locale.ROOT).replace('-', '_');
        return allowed.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        wrong("--algorithm", algorithm, "%s has %s".formatted(op.word(), allowed)));
    }

    private DataType dataType() {
        return Arrays.stream(DataType.values())
                .filter(one -> !one.isPair())
                .filter(one -> one.name().equals(type.toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() ->
                        wrong(
                                "--datatype",
                                type,
                                "must be f64, f32, f16, bf16, or i or u with 8, 16, 32 or 64"));
    }

    private StandardReduceOp reduceOp(DataType dataType) {
        return Arrays.stream(StandardReduceOp.values())
                .filter(one -> one.name().equals(reduceOp.toUpperCase(Locale.ROOT)))
                .filter(one -> one.supports(dataType))
                .findFirst()
                .orElseThrow(() ->
                        wrong(
                                "--op",
                                reduceOp,
                                "%s takes %s"
                                        .formatted(
                                                type,
                                                Arrays.stream(StandardReduceOp.values())
                                                        .filter(one -> one.supports(dataType))
                                                        .map(one ->
                                                                one.name().toLowerCase(Locale.ROOT))
                                                        .toList())));
    }

    private int iterations() {
        if (iterations == null) {
            return 0;
        }
        if (iterations < 1 || iterations > ITERATIONS_MAX) {
            throw wrong("--iterations", iterations.toString(), "must be 1 to " + ITERATIONS_MAX);
        }
        return iterations;
    }

    private BenchSpec.Timing timing(String how) {
        return switch (how) {
            case "rank0" -> BenchSpec.Timing.RANK0;
            case "slowest" -> BenchSpec.Timing.SLOWEST;
            default -> throw wrong("--timing", how, "must be rank0 or slowest");
        };
    }

    private ParameterException wrong(String flag, String value, String rule) {
        return new ParameterException(spec.commandLine(), "%s %s: %s".formatted(flag, value, rule));
    }
}
