package io.nexar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.cli.bench.BenchOp;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@code nexar bench} between processes, with few and short calls: no speed is looked at. */
@Timeout(400)
class BenchIT {
    private static final Duration DONE = Duration.ofMinutes(2);

    @TempDir private Path folder;

    /** In every build messages and a collective; all with the switch. */
    private static List<BenchOp> operations() {
        return Boolean.getBoolean("nexar.test.full")
                ? List.of(BenchOp.values())
                : List.of(BenchOp.PINGPONG, BenchOp.ALLTOALL);
    }

    @Test
    void twoProcessesMeasureAnOperationAndSayWhatCarriedIt() {
        for (BenchOp op : operations()) {
            int sizes = op.hasSize() ? 2 : 1;
            try (Launcher launcher = bench(op.word(), "-n", "2", "--json", "--transport", "quic")) {
                assertThat(launcher.exitCode(DONE)).as(launcher.lines()).isZero();
                assertThat(launcher.stdout())
                        .hasSize(sizes)
                        .allMatch(line ->
                                line.startsWith(
                                        "{\"op\":\"%s\",\"transport\":\"quic\""
                                                .formatted(op.word())))
                        .allMatch(line -> line.contains("\"ranks\":2,\"bytes\":"))
                        .allMatch(line -> line.contains("\"iterations\":3,\"mean_us\":"))
                        .allMatch(line -> line.endsWith(",\"correct\":true}"));
            }
        }
    }

    @Test
    void threadsOfOneJvmAreMeasuredAsATableAndAPicture() throws Exception {
        Path plot = folder.resolve("times.svg");
        try (Launcher launcher =
                bench("allreduce", "-n", "3", "--transport", "local", "--plot", "" + plot)) {
            assertThat(launcher.exitCode(DONE)).as(launcher.lines()).isZero();
            assertThat(launcher.stdout()).hasSize(4);
            assertThat(launcher.stdout().getFirst())
                    .startsWith("allreduce of f32, sum, 3 ranks over local, algorithm AUTO");
            assertThat(launcher.stdout().getLast())
                    .contains(" 40000 ")
                    .matches(".*  correct  [A-Z_]+")
                    .doesNotContain("AUTO");
            assertThat(Files.readString(plot)).startsWith("<svg ").contains("p99", "p50");
        }
    }

    @Test
    void aRankThatCanNotStartEndsTheMeasurementAndIsTold() {
        try (Launcher launcher =
                bench("barrier", "-n", "2", "--set", "nexar.interface=no-such-interface")) {
            assertThat(launcher.exitCode(DONE)).as(launcher.lines()).isEqualTo(1);
            assertThat(launcher.stderr().toString())
                    .contains("no-such-interface", "exited with code 1");
        }
    }

    private Launcher bench(String... arguments) {
        List<String> all = new ArrayList<>(List.of("bench"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--iterations", "3", "--warm-up", "5ms"));
        if (!arguments[0].equals("barrier")) {
            all.addAll(List.of("--sizes", "8,40000"));
        }
        return Launcher.start(folder, all.toArray(String[]::new));
    }
}
