package io.nexar.cli;

import io.nexar.Algorithm;
import io.nexar.DataType;
import io.nexar.StandardReduceOp;
import io.nexar.cli.bench.BenchOp;
import io.nexar.cli.bench.BenchRank;
import io.nexar.cli.bench.BenchResult;
import io.nexar.cli.bench.BenchSpec;
import io.nexar.cli.bench.BenchTable;
import io.nexar.cli.bench.Machine;
import io.nexar.cli.bench.TimedRank;
import io.nexar.cli.launch.LaunchException;
import io.nexar.cli.simulate.Measurement;
import io.nexar.cli.simulate.Plot;
import io.nexar.cli.simulate.Stopwatch;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.config.Options;
import io.nexar.config.Sizes;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** {@code nexar bench}: how long an operation takes here. */
@Command(
        name = "bench",
        description = {
            "Measures an operation on ranks that it starts on this host, and checks every result."
        },
        customSynopsis = {
            "nexar bench OP [OPTIONS]",
            "       nexar bench --tune[=FILE] [-n RANKS] [--transport NAME]",
            "       nexar bench --card"
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:measured, and every result was right",
            "1:a result was wrong, or the ranks or a file failed",
            "2:the command line is wrong; nothing was started",
            "other:that of the first rank that failed"
        })
final class BenchCommand implements Callable<Integer> {
    private static final int RANKS_MAX = 4096;
    private static final int ITERATIONS_MAX = 10_000_000;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    @Parameters(
            arity = "0..1",
            paramLabel = "OP",
            description =
                    "pingpong, bandwidth, messagerate, barrier, broadcast, reduce, allreduce,"
                            + " gather, scatter, allgather, alltoall, reducescatter or scan")
    private @Nullable String word;

    @Option(
            names = {"-n", "--ranks"},
            paramLabel = "RANKS",
            description = "how many ranks (default: ${DEFAULT-VALUE})")
    private int ranks = 2;

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
            description = "how long each size runs before it is timed (default: 1s)")
    private String warmUp = "1s";

    @Option(names = "--heap", description = "Java arrays instead of memory outside the heap")
    private boolean isOnHeap;

    @Option(
            names = "--timing",
            paramLabel = "HOW",
            description =
                    "rank0, or slowest after a barrier (default: rank0 for pingpong and"
                            + " allreduce)")
    private @Nullable String timing;

    @Option(names = "--json", description = "print one JSON object for each size")
    private boolean json;

    @Option(
            names = "--plain-kernels",
            description = "reduce without Java's Vector API, as a program that does not add it")
    private boolean isPlain;

    @Option(names = "--plot", paramLabel = "FILE", description = "draw the times there, as SVG")
    private @Nullable Path plot;

    @Option(
            names = "--tune",
            arity = "0..1",
            paramLabel = "FILE",
            fallbackValue = "nexar-cost.model",
            description = {
                "measure what links and work cost here, and write a cost model there",
                "(default: ${FALLBACK-VALUE})"
            })
    private @Nullable Path tune;

    @Option(names = "--card", description = "print what this machine is, and end")
    private boolean card;

    @Mixin private JobSettings settings = new JobSettings();

    /** This command with the flags of the option table. */
    CommandLine commandLine() {
        CommandLine line = new CommandLine(this);
        settings.addFlags(line.getCommandSpec());
        return line;
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        if (card) {
            Machine.card().forEach(out::println);
            out.flush();
            return ExitCodes.OK;
        }
        settings.check(spec.commandLine());
        return tune == null ? measure(what()) : tune(tune);
    }

    private int measure(BenchSpec what) throws InterruptedException {
        warn();
        List<BenchResult> results = new ArrayList<>();
        int exitCode =
                new OwnJob(settings)
                        .run(
                                what.isLocal() ? 1 : what.ranks(),
                                command(what),
                                line -> onLine(what, line, results));
        boolean isRight = results.stream().allMatch(BenchResult::isCorrect);
        if (!isRight) {
            spec.commandLine().getErr().println("nexar: a result was wrong");
        }
        if (plot != null && !results.isEmpty()) {
            String title = BenchTable.title(results.getFirst());
            write(plot, Plot.svg(BenchTable.curves(results), title));
        }
        return exitCode == ExitCodes.OK && !isRight ? ExitCodes.FAILED : exitCode;
    }

    private void warn() throws InterruptedException {
        for (String warning : Machine.warnings(ranks)) {
            spec.commandLine().getErr().println("nexar: warning: " + warning);
        }
    }

    private List<String> java(List<String> plain) {
        return isPlain ? plain : JavaCommand.withVectors(plain);
    }

    private int tune(Path file) throws InterruptedException {
        if (word != null) {
            throw wrong("--tune", file.toString(), "measures no operation; " + word + " is one");
        }
        if (ranks < 2 || ranks > Measurement.RANKS_MAX) {
            throw wrong("-n", String.valueOf(ranks), "with --tune, 2 to " + Measurement.RANKS_MAX);
        }
        long millis = Flags.duration(spec, "--warm-up", warmUp).toMillis();
        warn();
        PrintWriter err = spec.commandLine().getErr();
        Tuning tuning =
                new Tuning(
                        ranks,
                        settings,
                        java(JavaCommand.ofRank(TimedRank.class.getName())),
                        Stopwatch.Effort.ofMillis(millis),
                        line -> err.println("nexar: " + line));
        String text = tuning.run();
        write(file, text);
        spec.commandLine().getOut().print(text);
        spec.commandLine().getOut().flush();
        return ExitCodes.OK;
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new LaunchException(ExitCodes.FAILED, "can't write: " + e);
        }
    }

    private List<String> command(BenchSpec what) {
        List<String> command =
                new ArrayList<>(
                        java(JavaCommand.ofRank(BenchRank.class.getName(), what.heapMebibytes())));
        command.addAll(what.words());
        return command;
    }

    private void onLine(BenchSpec what, String line, List<BenchResult> results) {
        PrintWriter out = spec.commandLine().getOut();
        if (!line.startsWith(BenchRank.RESULT)) {
            spec.commandLine().getErr().println(line);
            return;
        }
        BenchResult result = BenchResult.parse(what, line.substring(BenchRank.RESULT.length()));
        if (json) {
            out.println(Json.object(result.facts()));
        } else {
            if (results.isEmpty()) {
                BenchTable.header(result).forEach(out::println);
            }
            out.println(BenchTable.row(result));
        }
        out.flush();
        results.add(result);
    }

    private BenchSpec what() {
        BenchOp op = op();
        if (ranks < 1 || ranks > RANKS_MAX || !op.takesRanks(ranks)) {
            String rule =
                    !op.takesRanks(ranks) ? op.ranksRule() : "the number of ranks is 1 to 4096";
            throw wrong("-n", String.valueOf(ranks), rule);
        }
        DataType dataType = dataType();
        return new BenchSpec(
                op,
                ranks,
                settings.config().get("nexar.transport").equals("local"),
                sizes(op, dataType),
                algorithm(op),
                dataType,
                op.isReducing() ? reduceOp(dataType) : StandardReduceOp.SUM,
                iterations(),
                Flags.duration(spec, "--warm-up", warmUp).toMillis(),
                isOnHeap,
                timing == null ? BenchSpec.Timing.of(op) : timing(timing));
    }

    private BenchOp op() {
        if (word == null) {
            throw new ParameterException(
                    spec.commandLine(), "an operation is missing: one of " + BenchOp.words());
        }
        String given = word;
        return BenchOp.byWord(given)
                .orElseThrow(() ->
                        wrong(
                                "OP",
                                given,
                                "must be one of "
                                        + BenchOp.words()
                                        + Options.nearest(given, BenchOp.words())
                                                .map(near -> "; did you mean " + near + "?")
                                                .orElse("")));
    }

    private List<Long> sizes(BenchOp op, DataType dataType) {
        if (!op.hasSize()) {
            return List.of(0L);
        }
        return sizes.stream().map(text -> size(text, op, dataType)).toList();
    }

    private long size(String text, BenchOp op, DataType dataType) {
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
