package io.nexar.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.nexar.cli.Launcher;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The net under all process tests holds: a buffer that nobody released fails the test. */
class LeakIT {
    @TempDir private Path folder;

    @Test
    void aLeakedBufferInAnyProcessFailsItsTest() {
        Launcher launcher = run("leaking");
        assertThat(launcher.exitCode(Duration.ofSeconds(30))).as(launcher.lines()).isZero();
        assertThatThrownBy(launcher::close)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("[0] ")
                .hasMessageContaining("LEAK: ByteBuf.release() was not called");
    }

    @Test
    void aProgramThatReleasesItsBuffersPasses() {
        try (Launcher launcher = run("releasing")) {
            assertThat(launcher.exitCode(Duration.ofSeconds(30))).as(launcher.lines()).isZero();
            assertThat(launcher.stdout()).containsExactly("[0] done");
        }
    }

    private Launcher run(String what) {
        return LaunchedJob.start(folder, 1, Jvm.command(Program.class, what)).launcher();
    }

    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            for (int i = 0; i < 10; i++) {
                ByteBuf buffer = ByteBufAllocator.DEFAULT.directBuffer(64);
                if (List.of(arguments).contains("releasing")) {
                    buffer.release();
                }
            }
            Say.reportLeaks();
            Say.say("done");
        }
    }
}
