package io.nexar.cli.launch;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What to run.
 *
 * @param ranks at least 1
 * @param command program and arguments, the same for every rank
 * @param environment added to the launcher's own, the same for every rank; holds the join string,
 *     so it is never printed
 * @param timeLimit zero for none
 * @param inputRank the rank that reads the launcher's standard input, or {@link #NO_INPUT}
 */
public record JobSpec(
        int ranks,
        List<String> command,
        Map<String, String> environment,
        Duration timeLimit,
        int inputRank) {

    public static final int NO_INPUT = -1;

    public JobSpec {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /** Without the environment's values: they are secret. */
    @Override
    public String toString() {
        return "%d ranks of %s".formatted(ranks, command);
    }
}
