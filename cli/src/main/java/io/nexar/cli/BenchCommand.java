package io.nexar.cli;

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
import io.nexar.config.Options;

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
import java.util.List;
import java.util.concurrent.Callable;

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

    @Mixin private BenchFlags flags = new BenchFlags();

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
        if (transport().equals("local")) {
            throw wrong("--transport", "local", "with --tune, what carries processes");
        }
        long millis = flags.warmUpMillis();
        warn();
        PrintWriter err = spec.commandLine().getErr();
        TuningRanks timer =
                new TuningRanks(
                        ranks,
                        settings,
                        java(JavaCommand.ofRank(TimedRank.class.getName())),
                        Stopwatch.Effort.ofMillis(millis));
        Tuning tuning = new Tuning(ranks, timer, line -> err.println("nexar: " + line));
        String text = tuning.run(transport());
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
        List<String> java = java(JavaCommand.ofRank(BenchRank.class.getName()));
        List<String> command =
                new ArrayList<>(JavaCommand.withData(java, what.dataMebibytes(), what.isOnHeap()));
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
        return flags.spec(op, ranks, transport().equals("local"));
    }

    private String transport() {
        return settings.config().get("nexar.transport");
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

    private ParameterException wrong(String flag, String value, String rule) {
        return new ParameterException(spec.commandLine(), "%s %s: %s".formatted(flag, value, rule));
    }
}
