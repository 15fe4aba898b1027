package io.nexar.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.nexar.cli.chaos.Fate.Outcome;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** What becomes of datagrams, without any. */
class FaultStreamTest {

    private static final int MANY = 100_000;

    @Test
    void oneSeedGivesOneStreamAlwaysTheSameFate() {
        Faults faults =
                Faults.NONE.withLoss(0.1).withDuplicates(0.1).withLate(0.1, Duration.ofMillis(20));
        List<Fate> first = fates(new FaultStream(7, 3), faults, 1000);
        assertThat(fates(new FaultStream(7, 3), faults, 1000)).isEqualTo(first);
        assertThat(fates(new FaultStream(7, 4), faults, 1000)).isNotEqualTo(first);
        assertThat(fates(new FaultStream(8, 3), faults, 1000)).isNotEqualTo(first);
    }

    @Test
    void whichAreLostDependsOnNothingElse() {
        Faults loss = Faults.NONE.withLoss(0.2);
        List<Boolean> lost = lost(new FaultStream(1, 0), loss);
        Faults more =
                loss.withDuplicates(0.5)
                        .withLate(0.5, Duration.ofMillis(9))
                        .withDelay(Duration.ofMillis(3));
        assertThat(lost(new FaultStream(1, 0), more)).isEqualTo(lost);
    }

    @Test
    void eachRateIsMet() {
        for (long seed = 0; seed < 5; seed++) {
            Faults faults =
                    Faults.NONE
                            .withLoss(0.05)
                            .withDuplicates(0.03)
                            .withLate(0.1, Duration.ofMillis(10));
            List<Fate> fates = fates(new FaultStream(seed, seed), faults, MANY);
            List<Fate> passed = fates.stream().filter(Fate::isPassed).toList();
            assertThat(1 - part(passed.size(), MANY)).as("seed %d", seed).isCloseTo(0.05, off());
            assertThat(part(passed.stream().filter(Fate::isDoubled).count(), passed.size()))
                    .as("seed %d", seed)
                    .isCloseTo(0.03, off());
            assertThat(part(passed.stream().filter(f -> f.atNanos() > 0).count(), passed.size()))
                    .as("seed %d", seed)
                    .isCloseTo(0.1, off());
            assertThat(passed).allMatch(fate -> fate.atNanos() <= Duration.ofMillis(10).toNanos());
        }
    }

    @Test
    void aDelayIsAddedToEveryDatagramAndADoubleNeverComesFirst() {
        Faults faults = Faults.NONE.withDuplicates(1).withDelay(Duration.ofMillis(4));
        for (Fate fate : fates(new FaultStream(5, 5), faults, 1000)) {
            assertThat(fate.atNanos()).isEqualTo(Duration.ofMillis(4).toNanos());
            assertThat(fate.againAtNanos()).isGreaterThanOrEqualTo(fate.atNanos());
        }
    }

    @Test
    void aCutLosesAllAndASizeLimitTheLargeOnes() {
        FaultStream stream = new FaultStream(1, 1);
        Faults narrow = Faults.NONE.withDatagramBytesMax(1280);
        assertThat(stream.decide(narrow, 1280, 0).outcome()).isEqualTo(Outcome.PASSED);
        assertThat(stream.decide(narrow, 1281, 0).outcome()).isEqualTo(Outcome.TOO_LARGE);
        assertThat(stream.decide(narrow.withCut(true), 1, 0).outcome()).isEqualTo(Outcome.CUT);
        assertThat(stream.decide(narrow, 1, 0).outcome()).isEqualTo(Outcome.PASSED);
    }

    @Test
    void aSlowPathQueuesForAWhileAndThenDrops() {
        // 1,000 bytes take 10 ms; 20 of them are 200 ms of backlog.
        Faults slow = Faults.NONE.withBytesPerSecond(100_000);
        FaultStream stream = new FaultStream(1, 1);
        long start = Long.MAX_VALUE - 5; // a nano clock may be about to overflow
        for (int i = 1; i <= 20; i++) {
            Fate fate = stream.decide(slow, 1000, start);
            assertThat(fate.atNanos() - start).isEqualTo(Duration.ofMillis(10L * i).toNanos());
        }
        assertThat(stream.decide(slow, 1000, start).outcome()).isEqualTo(Outcome.TOO_MANY);
        long later = start + Duration.ofMillis(10).toNanos();
        assertThat(stream.decide(slow, 1000, later).isPassed()).isTrue();
        assertThat(stream.decide(slow, 1000, later).isPassed()).isFalse();
    }

    @Test
    void impossibleFaultsAreRefusedWithTheirValue() {
        assertThatThrownBy(() -> Faults.NONE.withLoss(1.5)).hasMessageContaining("loss rate 1.5");
        assertThatThrownBy(() -> Faults.NONE.withDuplicates(Double.NaN))
                .hasMessageContaining("duplicate rate NaN");
        assertThatThrownBy(() -> Faults.NONE.withDelay(Duration.ofMillis(-1)))
                .hasMessageContaining("PT-0.001S");
        assertThatThrownBy(() -> Faults.NONE.withBytesPerSecond(0))
                .hasMessageContaining("bytesPerSecond 0");
    }

    private static List<Fate> fates(FaultStream stream, Faults faults, int count) {
        return IntStream.range(0, count).mapToObj(i -> stream.decide(faults, 1200, 0)).toList();
    }

    private static List<Boolean> lost(FaultStream stream, Faults faults) {
        return fates(stream, faults, 1000).stream().map(fate -> !fate.isPassed()).toList();
    }

    private static double part(long some, long all) {
        return (double) some / all;
    }

    private static org.assertj.core.data.Offset<Double> off() {
        return within(0.005);
    }
}
