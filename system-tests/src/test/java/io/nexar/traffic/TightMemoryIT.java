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

/** Ranks with little memory outside the heap. */
@Timeout(180)
class TightMemoryIT {

    @TempDir private Path folder;

    @Test
    void fastSendersAreSlowedDownByAJvmWithLittleDirectMemory() {
        // Pitfall 95: direct memory ran out, and the log of it filled the disk.
        List<String> command = new ArrayList<>(Workers.command("tight"));
        command.add(1, "-XX:MaxDirectMemorySize=64m");
        command.add(1, "-Dnexar.test.full=" + Boolean.getBoolean("nexar.test.full"));
        try (Launcher program = Launcher.start(folder, command)) {
            assertThat(program.exitCode(Duration.ofMinutes(2))).as(program.lines()).isZero();
            assertThat(program.stdout()).anyMatch(line -> line.startsWith("tight: 8 senders"));
            assertThat(program.stderr().toString()).doesNotContain("OutOfDirectMemory", "LEAK");
        }
    }
}
