package io.nexar.cli;

import io.nexar.ConfigurationException;
import io.nexar.NexarConfig;
import io.nexar.cli.simulate.Forecast;
import io.nexar.cli.simulate.Measurement;
import io.nexar.cli.simulate.Outlook;
import io.nexar.cli.simulate.Plot;
import io.nexar.cli.simulate.Stopwatch;
import io.nexar.collective.EngineRules;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Placement;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.CostModelText;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.collective.plan.cost.Slicing;
import io.nexar.collective.plan.cost.Topology;
import io.nexar.config.Sizes;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;

/** {@code nexar simulate}: what each algorithm would take on machines that need not be there. */
@Command(
        name = "simulate",
        description = {
            "Shows how long each algorithm of an operation takes, what it sends, and which is the"
                    + " fastest where: runs its plans on paper. With --measure, measures what this"
                    + " machine costs instead."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the forecast was shown, or the measured model was written",
            "1:a file could not be written, or nothing could be measured",
            "2:the command line or the cost model is wrong"
        })
final class SimulateCommand implements Callable<Integer> {
    /** The plans of some ranks of such a world are made in seconds. */
    private static final int RANKS_MAX = 100_000;

    /** Eight bytes to 256 MiB, each four times the one before. */
    private static final long[] LENGTHS =
            LongStream.iterate(8, n -> n <= 1 << 28, n -> 4 * n).toArray();

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    @Parameters(
            arity = "0..1",
            paramLabel = "OPERATION",
            defaultValue = "allReduce",
            description = "${DEFAULT-VALUE} unless given; others: barrier, broadcast, reduce, ...")
    private String operation = "allReduce";

    @Option(
            names = {"-n", "--ranks"},
            required = true,
            paramLabel = "N",
            description = "how many ranks, 1 to " + RANKS_MAX + "; with --measure 2 to 16")
    private int ranks;

    @Option(
            names = "--per-host",
            paramLabel = "N",
            description = "how many of them on each host; all on one unless given")
    private @Nullable Integer perHost;

    @Option(
            names = "--hosts-per-rack",
            paramLabel = "N",
            description = "how many neighbouring hosts are close to each other; all unless given")
    private int hostsPerRack = Integer.MAX_VALUE;

    @Option(
            names = "--in-host",
            paramLabel = "LINK",
            defaultValue = "host",
            description = "jvm, or host: ranks of one host share a JVM or not (default: host)")
    private String inHost = "host";

    @Option(
            names = "--bytes",
            split = ",",
            paramLabel = "SIZE",
            description = "lengths of the whole vector, as 8,64KiB,1MiB")
    private List<String> lengths = List.of();

    @Option(names = "--cost-model", paramLabel = "FILE", description = "the numbers to take")
    private @Nullable Path modelFile;

    @Option(
            names = "--piece-bytes",
            paramLabel = "SIZE",
            description = "as nexar.collective.pieceBytes, or hostPieceBytes on one host")
    private @Nullable String pieceBytes;

    @Option(
            names = "--pieces-in-flight",
            paramLabel = "N",
            defaultValue = "4",
            description = "as nexar.collective.piecesInFlight (default: ${DEFAULT-VALUE})")
    private int piecesInFlight = 4;

    @Option(names = "--json", description = "print one JSON object on standard output")
    private boolean json;

    @Option(names = "--plot", paramLabel = "FILE", description = "draw the times there, as SVG")
    private @Nullable Path plot;

    @Option(
            names = "--measure",
            paramLabel = "FILE",
            description = "measure N ranks in this process and write a cost model there")
    private @Nullable Path measured;

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            defaultValue = "local",
            description = "what --measure measures: local, or quic (default: ${DEFAULT-VALUE})")
    private String transport = "local";

    @Override
    public Integer call() throws IOException {
        requireRange("-n", ranks, 1, RANKS_MAX);
        CostModel model = model();
        try {
            return measured == null ? forecast(model) : measure(model, measured);
        } catch (IOException e) {
            spec.commandLine().getErr().println("nexar: can't write: " + e);
            return ExitCodes.FAILED;
        }
    }

    private int forecast(CostModel model) throws IOException {
        requireRange("--hosts-per-rack", hostsPerRack, 1, Integer.MAX_VALUE);
        requireRange("--pieces-in-flight", piecesInFlight, 1, 1024);
        Placement placement = Placement.blocks(ranks, perHost());
        Forecast.Setting setting =
                new Forecast.Setting(
                        new Topology(placement, link(), hostsPerRack),
                        model,
                        new Slicing(pieceBytes(placement), piecesInFlight));
        Operation wanted = operation();
        Outlook outlook = Outlook.of(forecasts(wanted, setting), lengths(wanted));
        SimulateReport report = new SimulateReport(wanted, setting, outlook);
        if (json) {
            spec.commandLine().getOut().println(Json.object(report.facts()));
        } else {
            report.lines().forEach(spec.commandLine().getOut()::println);
        }
        spec.commandLine().getOut().flush();
        if (plot != null) {
            Files.writeString(plot, Plot.svg(outlook.curves(), report.title()));
        }
        return ExitCodes.OK;
    }

    private int pieceBytes(Placement placement) {
        return pieceBytes == null
                ? EngineRules.of(NexarConfig.defaults(), link()).of(placement).pieceBytes()
                : (int) bytes("--piece-bytes", pieceBytes, 1, 256 << 10);
    }

    private int measure(CostModel start, Path file) throws IOException {
        requireRange("-n", ranks, 2, Measurement.RANKS_MAX);
        if (!List.of("local", "quic").contains(transport)) {
            throw wrong("--transport", transport, "must be local or quic");
        }
        Measurement.Timer timer =
                Measurement.inThisProcess(ranks, transport, Stopwatch.Effort.USUAL);
        LinkClass measuredLink = transport.equals("local") ? LinkClass.JVM : LinkClass.HOST;
        CostModel found = new Measurement(ranks, measuredLink, start, timer).measure();
        String text =
                "# nexar simulate --measure: %d ranks over %s, %d cores\n%s"
                        .formatted(
                                ranks,
                                transport,
                                found.host().cores(),
                                CostModelText.format(found));
        Files.writeString(file, text);
        spec.commandLine().getOut().print(text);
        spec.commandLine().getOut().flush();
        return ExitCodes.OK;
    }

    private List<Forecast> forecasts(Operation wanted, Forecast.Setting setting) {
        try {
            return Forecast.of(wanted, setting);
        } catch (ArithmeticException tooMany) {
            throw wrong("-n", String.valueOf(ranks), "allToAll goes up to 46340 ranks");
        }
    }

    private CostModel model() {
        if (modelFile == null) {
            return CostModel.DEFAULT;
        }
        try {
            return CostModelText.parse(Files.readString(modelFile));
        } catch (IOException e) {
            throw ConfigurationException.conflict(
                    "--cost-model", modelFile.toString(), "can't be read: " + e);
        } catch (IllegalArgumentException e) {
            throw ConfigurationException.conflict(
                    "--cost-model", modelFile.toString(), String.valueOf(e.getMessage()));
        }
    }

    /** Those whose plans need to know nothing but the ranks and where they are. */
    private Operation operation() {
        List<Operation> known =
                PlanCatalog.entries().stream()
                        .map(PlanCatalog.Entry::operation)
                        .distinct()
                        .toList();
        return known.stream()
                .filter(one -> one.methodName().equals(operation))
                .findFirst()
                .orElseThrow(() ->
                        wrong(
                                "OPERATION",
                                operation,
                                "must be one of "
                                        + known.stream().map(Operation::methodName).toList()));
    }

    private LinkClass link() {
        return switch (inHost) {
            case "jvm" -> LinkClass.JVM;
            case "host" -> LinkClass.HOST;
            default -> throw wrong("--in-host", inHost, "must be jvm or host");
        };
    }

    private int perHost() {
        int given = perHost == null ? ranks : perHost;
        requireRange("--per-host", given, 1, RANKS_MAX);
        return given;
    }

    private long[] lengths(Operation wanted) {
        if (wanted == Operation.BARRIER) {
            return new long[] {0};
        }
        return lengths.isEmpty()
                ? LENGTHS
                : lengths.stream()
                        .mapToLong(text -> bytes("--bytes", text, 0, 1L << 50))
                        .sorted()
                        .toArray();
    }

    private long bytes(String flag, String text, long min, long max) {
        try {
            long value = Sizes.parseBytes(text);
            if (value >= min && value <= max) {
                return value;
            }
        } catch (IllegalArgumentException e) {
            throw wrong(flag, text, "not " + e.getMessage());
        }
        throw wrong(flag, text, "must be " + min + " to " + max + " bytes");
    }

    private void requireRange(String flag, long value, long min, long max) {
        if (value < min || value > max) {
            throw wrong(flag, String.valueOf(value), "must be " + min + " to " + max);
        }
    }

    private CommandLine.ParameterException wrong(String flag, String value, String rule) {
        return new CommandLine.ParameterException(
                spec.commandLine(), "%s %s: %s".formatted(flag, value, rule));
    }
}
