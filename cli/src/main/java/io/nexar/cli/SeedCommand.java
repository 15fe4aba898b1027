package io.nexar.cli;

import io.nexar.NexarConfig;
import io.nexar.rendezvous.SeedServer;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** {@code nexar seed}: where the ranks of one job meet when no launcher starts them. */
@Command(
        name = "seed",
        description = {
            "Lets N workers meet: each is started by hand, or by another launcher, with the join"
                    + " string in NEXAR_SEED. Stays until all of them have left."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the job formed, and every rank left it in good order",
            "1:the job did not form, a rank was lost, or the job was aborted",
            "2:the command line is wrong; nothing was started",
            "130, 143:ended by Ctrl-C (SIGINT), or by SIGTERM; a job that formed goes on"
        })
final class SeedCommand implements Callable<Integer> {

    /** A job of a million ranks: more is a typing error. */
    private static final int RANKS_MAX = 1_000_000;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    @Option(
            names = {"-n", "--ranks"},
            paramLabel = "N",
            required = true,
            description = "how many ranks the job has")
    private int ranks;

    @Option(
            names = "--bind",
            paramLabel = "ADDRESS[:PORT]",
            defaultValue = "127.0.0.1",
            description = {
                "where to listen (default: 127.0.0.1, this host alone; any free port).",
                "0.0.0.0 or [::] for all interfaces"
            })
    private String bind = "127.0.0.1";

    @Option(
            names = "--join-file",
            paramLabel = "FILE",
            description = {
                "write the join string to this file, which only its owner can read",
                "(default: print it; it holds the job's secret)"
            })
    private @Nullable Path joinFile;

    @Option(
            names = "--timeout-formation",
            paramLabel = "TIME",
            description = "how long the workers may take to come (default: 5m)")
    private @Nullable String formationTimeout;

    @Option(names = "--json", description = "print one JSON object a line on standard output")
    private boolean json;

    @Override
    public Integer call() throws Exception {
        if (ranks < 1 || ranks > RANKS_MAX) {
            throw new ParameterException(
                    spec.commandLine(),
                    "-n %d: the number of ranks is 1 to %d".formatted(ranks, RANKS_MAX));
        }
        Seeds.Place place = Seeds.Place.at(BindAddress.parse(spec, "--bind", bind));
        CompletableFuture<Integer> outcome = new CompletableFuture<>();
        PrintWriter out = spec.commandLine().getOut();
        SeedReport report = new SeedReport(out, json, outcome);
        try (SeedServer server = Seeds.start(ranks, place, config(), report::handle)) {
            if (joinFile != null) {
                server.joinString().writeTo(joinFile);
            }
            String where = server.joinString().host() + ":" + server.address().getPort();
            report.listening(where, ranks, joinFile == null ? server.joinString().reveal() : "");
            return outcome.get();
        }
    }

    private NexarConfig config() {
        NexarConfig config = NexarConfig.fromEnvironment();
        if (formationTimeout == null) {
            return config;
        }
        Flags.duration(spec, "--timeout-formation", formationTimeout);
        return config.withFlag("--timeout-formation", formationTimeout);
    }
}
