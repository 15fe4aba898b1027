package io.nexar.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.cli.Launcher;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** JVMs that end without {@code close()}, and one that closes at the last moment. */
@Timeout(300)
class ShutdownIT {
    /** The hook takes a second at most; the rest is the JVM's own way out on busy cores. */
    private static final Duration EXITS_WITHIN = Duration.ofSeconds(10);

    /** Promised: whoever needs a rank that died knows within 3 s. */
    private static final long HEARD_MICROS = 3_000_000;

    @TempDir private Path folder = Path.of("");

    // Pitfall 101: a JVM's end waited minutes for a thread; here it takes a moment, and says so.
    @ParameterizedTest
    @CsvSource({
        "RETURNS, 0, PeerLostException, its JVM shut down without close()",
        "EXITS, 3, PeerLostException, its JVM shut down without close()",
        "GETS_SIGTERM, 143, PeerLostException, its JVM shut down without close()",
        "CLOSES_IN_A_HOOK_OF_ITS_OWN, 0, PeerLeftException, rank 1 left",
        "ABORTS_AND_EXITS, 4, ClosedException, rank 1 aborted it: the input is bad"
    })
    void theOthersHearAtOnceHowAJvmEnded(Departing.How how, int code, String error, String reason)
            throws Exception {
        try (HandJob job = HandJob.start(folder, 2, program(how))) {
            job.awaitWord(0, "waiting");
            job.awaitWord(1, "ready");
            try (OutputStream stdin = job.worker(1).stdin()) {
                stdin.write('\n');
            }
            long departedMicros = Long.parseLong(job.awaitWord(1, "departing"));
            if (how == Departing.How.GETS_SIGTERM) {
                Launcher.signal("TERM", job.process(1).pid());
            }
            assertThat(job.worker(1).exitCode(EXITS_WITHIN)).as(job.told()).isEqualTo(code);
            String[] heard = job.awaitWord(0, "heard").split(" ", 3);
            assertThat(heard[1]).as(job.told()).isEqualTo(error);
            assertThat(heard[2]).as(job.told()).contains(reason);
            assertThat(Long.parseLong(heard[0]) - departedMicros)
                    .as(job.told())
                    .isLessThan(HEARD_MICROS);
            assertThat(job.worker(0).exitCode(EXITS_WITHIN)).as(job.told()).isZero();
        }
    }

    private static List<String> program(Departing.How how) {
        return Jvm.command(
                List.of("-XX:TieredStopAtLevel=1", "-Xmx256m", Jvm.transport(how.ordinal())),
                Departing.class,
                how.name());
    }
}
