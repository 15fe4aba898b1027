package io.nexar.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Algorithm;
import io.nexar.DataType;
import io.nexar.StandardReduceOp;
import io.nexar.cli.bench.BenchResult.Times;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.LongStream;

class BenchResultTest {
    private static final BenchSpec SPEC =
            new BenchSpec(
                    BenchOp.ALLREDUCE,
                    4,
                    false,
                    List.of(8L, 1L << 20),
                    Algorithm.RING,
                    DataType.F32,
                    StandardReduceOp.SUM,
                    7,
                    1000,
                    true,
                    BenchSpec.Timing.RANK0);

    @Test
    void percentilesAreTimesAtTheirPlaceOfTheSortedOnes() {
        long[] nanos = LongStream.rangeClosed(1, 1000).map(n -> 1000 * (1001 - n)).toArray();
        Times times = Times.of(nanos, 0.5);
        assertThat(times).isEqualTo(new Times(250.25, 0.5, 250.5, 495.5, 500));
        assertThat(Times.of(new long[] {3000}, 1)).isEqualTo(new Times(3, 3, 3, 3, 3));
    }

    @Test
    void programsReadExactlyTheseKeysInThisOrder() {
        BenchResult result =
                new BenchResult(
                        SPEC,
                        "shm",
                        "RING",
                        1 << 20,
                        100,
                        new Times(1048.576, 1, 2.0004, 3, 4),
                        true);
        assertThat(result.facts().keySet())
                .containsExactly(
                        "op",
                        "transport",
                        "algorithm",
                        "datatype",
                        "ranks",
                        "bytes",
                        "iterations",
                        "mean_us",
                        "min_us",
                        "p50_us",
                        "p99_us",
                        "max_us",
                        "algbw_GBps",
                        "busbw_GBps",
                        "correct");
        assertThat(result.facts())
                .containsEntry("op", "allreduce")
                .containsEntry("transport", "shm")
                .containsEntry("algorithm", "RING")
                .containsEntry("datatype", "f32")
                .containsEntry("bytes", 1L << 20)
                .containsEntry("p50_us", 2.0)
                .containsEntry("algbw_GBps", 1.0)
                .containsEntry("busbw_GBps", 1.5)
                .containsEntry("correct", true);
    }

    @Test
    void whatRanksAreToldAndWhatTheyTellArrivesUnchanged() {
        assertThat(BenchSpec.parse(SPEC.words().toArray(String[]::new))).isEqualTo(SPEC);
        BenchResult result =
                new BenchResult(
                        SPEC, "shm+tcp", "DIRECT", 8, 7, new Times(1.5, 1, 2, 3, 1e-3), false);
        assertThat(BenchResult.parse(SPEC, result.line())).isEqualTo(result);
    }

    @Test
    void aProcessHasRoomForItsBuffersAndThoseOfTheSizeBefore() {
        assertThat(SPEC.dataMebibytes()).isBetween(100L, 200L);
        BenchSpec large =
                new BenchSpec(
                        BenchOp.ALLTOALL,
                        4,
                        true,
                        List.of(1L << 30),
                        Algorithm.AUTO,
                        DataType.F32,
                        StandardReduceOp.SUM,
                        0,
                        1000,
                        false,
                        BenchSpec.Timing.SLOWEST);
        assertThat(large.dataMebibytes()).isGreaterThanOrEqualTo(2 * 4 * 2 * 4 * 1024);
    }
}
