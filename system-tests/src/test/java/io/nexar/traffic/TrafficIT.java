package io.nexar.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.cli.Launcher;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Processes that load a link over QUIC, stop reading, and die. */
@Timeout(300)
class TrafficIT {
    /** In every build; {@code -Dnexar.test.full=true} sends a million. */
    private static final int MESSAGES = Boolean.getBoolean("nexar.test.full") ? 1_000_000 : 100_000;

    /** 256 KiB of credit, 64 of them a message besides its 1024. */
    private static final long MESSAGES_ON_CREDIT = 256 * 1024 / (1024 + 64);

    /** Far below what the flood would take, far above what a heap's own noise is. */
    private static final long HEAP_GROWTH_MAX_BYTES = 16 << 20;

    @TempDir private Path folder;

    @Test
    void aStalledLargeMessageDelaysNeitherBarriersNorSmallMessages() {
        try (Launcher launcher = run(2, "stalled")) {
            assertThat(launcher.exitCode(Duration.ofMinutes(2))).as(launcher.lines()).isZero();
            assertThat(launcher.stdout())
                    .contains("[1] stalled: 1000 rounds, then 67108864 bytes whole");
        }
    }

    // Pitfall 94: a flood that nobody receives stays at its sender.
    @Test
    void aFloodHoldsItsSenderBackAndNothingElse() {
        try (Launcher launcher = run(2, "flood", String.valueOf(MESSAGES))) {
            assertThat(launcher.exitCode(Duration.ofMinutes(4))).as(launcher.lines()).isZero();
            assertThat(number(launcher, "[0] flood: sender stopped at "))
                    .isBetween(1L, MESSAGES_ON_CREDIT);
            assertThat(number(launcher, "[1] flood: heap grew by "))
                    .isLessThan(HEAP_GROWTH_MAX_BYTES);
            assertThat(launcher.stdout()).contains("[1] flood: " + MESSAGES + " messages in order");
        }
    }

    private static long number(Launcher launcher, String beginning) {
        return Long.parseLong(launcher.awaitLine(beginning));
    }

    private Launcher run(int ranks, String... scenario) {
        List<String> arguments = new ArrayList<>(List.of("run", "-n", "" + ranks, "--"));
        arguments.addAll(Workers.command(scenario));
        return Launcher.start(folder, arguments.toArray(String[]::new));
    }
}
