package io.nexar.cli;

import io.nexar.NexarConfig;
import io.nexar.cli.launch.Job;
import io.nexar.cli.launch.JobOutput;
import io.nexar.cli.launch.JobSpec;
import io.nexar.cli.launch.Programs;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs a program of this command line as the ranks of a job on this host. What the ranks print is
 * for the command that started them; what they complain of is for the person.
 */
final class OwnJob {
    /** Java says that of every program that adds it, and can't be told not to. */
    private static final String VECTORS_WARNING =
            "WARNING: Using incubator modules: jdk.incubator.vector";

    private final JobSettings settings;

    OwnJob(JobSettings settings) {
        this.settings = settings;
    }

    /**
     * Runs it to its end; blocks.
     *
     * @param lines hears each line of the ranks' standard output, from one thread at a time
     * @return the launcher's exit code
     */
    int run(int processes, List<String> command, Consumer<String> lines)
            throws InterruptedException {
        JobOutput.Target errors = Terminal.stderr();
        JobOutput output =
                new JobOutput(
                        new JobOutput.Target(
                                new LineStream(line -> lines.accept(withoutRank(line))), false),
                        new JobOutput.Target(
                                new WithoutLine(errors.stream(), VECTORS_WARNING),
                                errors.isTerminal()),
                        new JobOutput.Style(true, Environment.wantsColours(), ""));
        NexarConfig config = settings.config();
        try (JobSeed seed = JobSeed.start(processes, config, output, null)) {
            Map<String, String> environment = new LinkedHashMap<>(settings.environment());
            environment.put("NEXAR_SEED", seed.joinString());
            JobSpec spec =
                    new JobSpec(processes, command, environment, Duration.ZERO, JobSpec.NO_INPUT);
            Programs programs = new Programs(Environment.searchPath());
            return Interrupts.run(new Job(spec, programs, output, seed::handleExit), () -> {});
        }
    }

    /** Each line has its rank in front, as those on standard error need it. */
    private static String withoutRank(String line) {
        return line.substring(line.indexOf("] ") + 2);
    }
}
