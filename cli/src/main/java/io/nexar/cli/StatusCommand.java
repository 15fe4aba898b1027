package io.nexar.cli;

import io.nexar.NexarConfig;
import io.nexar.RendezvousException;
import io.nexar.cli.status.StatusFacts;
import io.nexar.cli.status.StatusText;
import io.nexar.rendezvous.JobStatus;
import io.nexar.rendezvous.StatusClient;
import io.nexar.security.JoinString;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** {@code nexar status}: what each rank of a running job is in. */
@Command(
        name = "status",
        description = {
            "Shows what each rank of a job is in: asks the job's seed, which asks all ranks."
                    + " Changes nothing there."
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the state of the job was shown",
            "1:the seed can't be reached, or refused: the job may be over",
            "2:the command line or the join file is wrong"
        })
final class StatusCommand implements Callable<Integer> {

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    @Option(
            names = "--join",
            paramLabel = "FILE",
            required = true,
            description = "the job's join file, as run --join-file and seed --join-file write it")
    private Path joinFile = Path.of("");

    @Option(names = "--json", description = "print one JSON object on standard output")
    private boolean json;

    @Override
    public Integer call() {
        JoinString seed = JoinString.readFrom(joinFile);
        long dialNanos = NexarConfig.fromEnvironment().duration("nexar.timeout.dial").toNanos();
        JobStatus status;
        try {
            status =
                    StatusClient.look(
                            seed,
                            dialNanos,
                            Thread.ofPlatform().name("nexar-status").daemon().factory());
        } catch (RendezvousException e) {
            spec.commandLine()
                    .getErr()
                    .println("nexar: can't look at " + seed.job() + ": " + e.reason());
            return ExitCodes.FAILED;
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.object(StatusFacts.of(status)));
        } else {
            StatusText.lines(status).forEach(out::println);
        }
        out.flush();
        return ExitCodes.OK;
    }
}
