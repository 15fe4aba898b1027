package io.nexar.rendezvous;

import io.nexar.ConfigurationException;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * Rank and size as other launchers tell them. One table; the first launcher of which both variables
 * are there counts, the more specific ones first.
 */
record LauncherVariables(String launcher, int rank, int worldSize) {

    private record Row(String launcher, String rank, String worldSize) {}

    private static final List<Row> TABLE =
            List.of(
                    new Row("Open MPI", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
                    new Row("PMI", "PMI_RANK", "PMI_SIZE"),
                    new Row("SLURM", "SLURM_PROCID", "SLURM_NTASKS"),
                    new Row("torchrun", "RANK", "WORLD_SIZE"));

    /** What is there, or null. */
    static @Nullable LauncherVariables find(Map<String, String> environment) {
        for (Row row : TABLE) {
            String rank = environment.get(row.rank);
            String size = environment.get(row.worldSize);
            if (rank != null && size != null) {
                return checked(
                        row.launcher,
                        number(row.rank, rank),
                        number(row.worldSize, size),
                        row.rank);
            }
        }
        // A Kubernetes indexed job knows its index and not its size: NEXAR_WORLD_SIZE or the seed
        // does.
        String index = environment.get("JOB_COMPLETION_INDEX");
        return index == null
                ? null
                : new LauncherVariables(
                        "Kubernetes", number("JOB_COMPLETION_INDEX", index), JoinMessage.ANY);
    }

    private static LauncherVariables checked(
            String launcher, int rank, int worldSize, String rankVariable) {
        if (worldSize < 1 || rank >= worldSize) {
            throw ConfigurationException.badValue(
                    rankVariable,
                    String.valueOf(rank),
                    "the environment",
                    "a rank below the size, which is " + worldSize);
        }
        return new LauncherVariables(launcher, rank, worldSize);
    }

    private static int number(String variable, String text) {
        try {
            int value = Integer.parseInt(text.strip());
            if (value >= 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw notANumber(variable, text);
        }
        throw notANumber(variable, text);
    }

    private static ConfigurationException notANumber(String variable, String text) {
        return ConfigurationException.badValue(
                variable, text, "the environment", "a whole number, 0 or more");
    }
}
