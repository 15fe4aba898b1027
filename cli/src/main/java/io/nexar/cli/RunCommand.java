package io.nexar.cli;

import io.nexar.cli.launch.Job;
import io.nexar.cli.launch.JobOutput;
import io.nexar.cli.launch.JobSpec;
import io.nexar.cli.launch.Programs;
import io.nexar.examples.Examples;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * {@code nexar run}: starts the ranks of a job on this host, with a seed of its own, and stays
 * until they are gone.
 */
@Command(
        name = "run",
        description = "Starts N ranks of a command, or of a bundled example, on this host.",
        customSynopsis = {
            "nexar run -n N [OPTIONS] -- COMMAND [ARG...]",
            "       nexar run -n N [OPTIONS] EXAMPLE [ARG...]"
        },
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:every rank exited with 0",
            "1:the job could not be started or watched",
            "2:the command line is wrong; nothing was started",
            "124:--timeout ended the job",
            "126, 127:the command can't be executed, or is not found",
            "130, 143:ended by Ctrl-C (SIGINT), or by SIGTERM",
            "other:that of the first rank that failed; 128 + S after signal S"
        })
final class RunCommand implements Callable<Integer> {

    /** 4,096 processes on one host: more is a typing error, and the system's limits are near. */
    private static final int RANKS_MAX = 4096;

    /** Tells ranks that a line which ends with a carriage return stands in place on a terminal. */
    private static final String TERMINAL = "_NEXAR_TERMINAL";

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    @Option(
            names = {"-n", "--ranks"},
            paramLabel = "N",
            required = true,
            description = "how many ranks to start")
    private int ranks;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            description = "end the job after this time, such as 90s or 5m (default: never)")
    private @Nullable String timeout;

    @Option(
            names = "--no-prefix",
            description = "print the ranks' lines without their ranks in front")
    private boolean noPrefix;

    @Option(
            names = "--stdin",
            paramLabel = "RANK",
            description = "the rank that reads this standard input (default: none)")
    private @Nullable Integer inputRank;

    @Option(
            names = "--join-file",
            paramLabel = "FILE",
            description = {
                "write the job's join string to this file, which only its owner can read,",
                "for nexar status; removed at the end"
            })
    private @Nullable Path joinFile;

    @Option(
            names = "--chaos",
            paramLabel = "SEED",
            description = {
                "put a bad network between the ranks, drawn from this number: loss, delay,",
                "reordering, duplication, cuts of up to 2 s"
            })
    private @Nullable Long chaosSeed;

    @Mixin private JobSettings settings = new JobSettings();

    @Parameters(paramLabel = "COMMAND | EXAMPLE", arity = "0..*", hidden = true)
    private List<String> words = new ArrayList<>();

    /** This command with the flags of the option table. */
    CommandLine commandLine() {
        CommandLine line = new CommandLine(this);
        settings.addFlags(line.getCommandSpec());
        // Behind the first word all is the rank's own, whatever it looks like.
        line.setStopAtPositional(true);
        return line;
    }

    @Override
    public Integer call() throws Exception {
        checkNumbers();
        Duration timeLimit = timeLimit();
        Programs programs = new Programs(Environment.searchPath());
        Target target = target(programs);
        settings.check(spec.commandLine());
        if (chaosSeed != null) {
            settings.chooseQuic(spec.commandLine(), "--chaos");
        }
        JobOutput output =
                new JobOutput(
                        Terminal.stdout(),
                        Terminal.stderr(),
                        new JobOutput.Style(
                                !noPrefix, Environment.wantsColours(), target.resultPrefix()));
        try (JobSeed seed = JobSeed.start(ranks, settings.config(), output, chaos(output));
                JoinFile file = JoinFile.write(joinFile, seed.ownJoinString())) {
            JobSpec jobSpec =
                    new JobSpec(
                            ranks,
                            target.command(),
                            environment(seed),
                            timeLimit,
                            inputRank == null ? JobSpec.NO_INPUT : inputRank);
            return Interrupts.run(
                    new Job(jobSpec, programs, output, seed::handleExit), file::close);
        }
    }

    private @Nullable ChaosNetwork chaos(JobOutput output) {
        return chaosSeed == null ? null : ChaosNetwork.start(chaosSeed, ranks, output);
    }

    private Map<String, String> environment(JobSeed seed) {
        Map<String, String> environment = new LinkedHashMap<>(settings.environment());
        environment.put("NEXAR_SEED", seed.joinString());
        if (Terminal.stderr().isTerminal()) {
            environment.put(TERMINAL, "1");
        }
        return environment;
    }

    /** What each rank runs. {@code resultPrefix} is how an example's last line begins. */
    private record Target(List<String> command, String resultPrefix) {}

    private Target target(Programs programs) {
        if (words.isEmpty()) {
            throw usage("a command (after --) or an example's name is missing");
        }
        checkEncoding();
        String first = words.getFirst();
        if (isCommand()) {
            programs.require(first);
            return new Target(words, "");
        }
        Examples.Example example =
                Examples.byName(first).orElseThrow(() -> usage(NoSuchExample.message(first)));
        List<String> command = new ArrayList<>(JavaCommand.ofRank(example.mainClass()));
        command.addAll(words.subList(1, words.size()));
        return new Target(command, example.name() + ": ");
    }

    /** Whether {@code --} stands before the words; parsing has taken it away. */
    private boolean isCommand() {
        List<String> all = spec.commandLine().getParseResult().originalArgs();
        int before = all.size() - words.size() - 1;
        return before >= 0 && all.get(before).equals("--");
    }

    /**
     * In the C locale the JVM has already lost what is not ASCII: better no job than a wrong one.
     */
    private void checkEncoding() {
        String encoding = System.getProperty("sun.jnu.encoding", "");
        for (int i = 0; i < words.size(); i++) {
            if (words.get(i).indexOf('\uFFFD') >= 0 && !encoding.equalsIgnoreCase("UTF-8")) {
                throw usage(
                        ("word %d of the command holds characters that the locale's"
                                        + " encoding, %s, does not have; set LC_ALL=C.UTF-8")
                                .formatted(i + 1, encoding));
            }
        }
    }

    private void checkNumbers() {
        if (ranks < 1 || ranks > RANKS_MAX) {
            throw usage("-n %d: the number of ranks is 1 to %d".formatted(ranks, RANKS_MAX));
        }
        if (inputRank != null && (inputRank < 0 || inputRank >= ranks)) {
            throw usage("--stdin %d: the ranks are 0 to %d".formatted(inputRank, ranks - 1));
        }
    }

    private Duration timeLimit() {
        return timeout == null ? Duration.ZERO : Flags.duration(spec, "--timeout", timeout);
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
