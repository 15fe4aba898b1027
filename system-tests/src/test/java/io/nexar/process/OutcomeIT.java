package io.nexar.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Each row of the page's table, under the real launcher: one job an end, and one in formation. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // Rows of the same end share the job.
class OutcomeIT {
    private static final Duration ENDS = Duration.ofSeconds(60);

    /**
     * The launcher kills the others 2 s after the end, whatever they are about to say; on a laden
     * machine one may not have had a processor by then.
     */
    private static final int ATTEMPTS = 3;

    @TempDir private Path folder = Path.of("");

    private final Map<End, Job> running = new EnumMap<>(End.class);
    private final Map<End, Job> forming = new EnumMap<>(End.class);

    /** What a job has shown; {@code outcomes} holds the facts after each wait's name. */
    private record Job(
            int victim,
            long victimPid,
            long endMicros,
            int code,
            String complaint,
            Map<String, String> outcomes,
            String told) {}

    static List<Outcome> rows() {
        return Outcome.all();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void everyoneWhoWaitsGetsWhatTheTableSaysAndTheLauncherNamesTheCause(Outcome row)
            throws Exception {
        Job job = job(row);
        assertThat(job.code()).as(job.told()).isEqualTo(row.end().launcherCode());
        String blamed =
                row.end().isBlamed()
                        ? "rank %d \\(pid %d\\)".formatted(job.victim(), job.victimPid())
                        : "rank \\d \\(pid \\d+\\)";
        String signal = row.end() == End.KILLED ? " \\(SIGKILL\\)" : "";
        assertThat(job.complaint())
                .as(job.told())
                .matches(
                        "nexar: %s exited with code %d%s(; ended .*)?"
                                .formatted(blamed, job.code(), signal));

        String outcome = job.outcomes().getOrDefault(row.place().name(), "none");
        String[] facts = outcome.split(" ", 4);
        assertThat(facts).as(job.told()).hasSize(4);
        assertThat(facts[1]).as(job.told()).isEqualTo(row.error());
        int named = Integer.parseInt(facts[2]);
        assertThat(named).as(job.told()).matches(rank -> isToBlame(row, job, rank), "to blame");
        assertThat(facts[3]).contains("rank " + named);
        Duration taken = Duration.ofNanos(1000 * (Long.parseLong(facts[0]) - job.endMicros()));
        assertThat(taken).as(job.told()).isLessThan(row.within());
    }

    /**
     * The rank that ended; or, where it left in good order, one that left because of it, of which a
     * call may hear first that needs both.
     */
    private static boolean isToBlame(Outcome row, Job job, int rank) {
        return rank == job.victim()
                || row.end() == End.THROWS_IN_TRY && row.place() != Wait.RECEIVE && rank >= 0;
    }

    private Job job(Outcome row) throws IOException {
        boolean forms = row.place() == Wait.FORMATION;
        Map<End, Job> jobs = forms ? forming : running;
        Job job = jobs.get(row.end());
        if (job == null) {
            job = run(row.end(), forms);
            for (int i = 1; i < ATTEMPTS && !job.outcomes().containsKey(row.place().name()); i++) {
                job = run(row.end(), forms);
            }
            jobs.put(row.end(), job);
        }
        return job;
    }

    private Job run(End end, boolean forms) throws IOException {
        int size = forms ? 3 : 4;
        int victim = end.ordinal() % size;
        List<String> flags =
                List.of("-XX:TieredStopAtLevel=1", "-Xmx256m", Jvm.transport(end.ordinal()));
        List<String> program =
                forms
                        ? Jvm.command(flags, Ending.class, end.name(), "" + victim, "formation")
                        : Jvm.command(flags, Ending.class, end.name(), "" + victim);
        try (LaunchedJob job = LaunchedJob.start(folder, size, victim, Jvm.deafToTerm(program))) {
            long pid = Long.parseLong(job.awaitWord(victim, "process"));
            if (forms) {
                job.awaitAll("joining");
                try (OutputStream stdin = job.launcher().stdin()) {
                    stdin.write('\n');
                }
            }
            long endMicros = Long.parseLong(job.awaitWord(victim, "ending"));
            if (end == End.KILLED) {
                endMicros = job.kill(victim);
            }
            int code = job.exitCode(ENDS);
            Map<String, String> outcomes = new HashMap<>();
            for (int rank : ForkedJob.others(size, victim)) {
                job.said(rank, "outcome")
                        .map(line -> line.split(" ", 2))
                        .ifPresent(line -> outcomes.put(line[0], line[1]));
            }
            return new Job(victim, pid, endMicros, code, job.complaint(), outcomes, job.told());
        }
    }
}
