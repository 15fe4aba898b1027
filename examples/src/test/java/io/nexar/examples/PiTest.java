package io.nexar.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class PiTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void anyNumberOfRanksFindsThePiOfOneProcess(int ranks) {
        assertThat(ResultLine.of(ranks, world -> Pi.estimate(world, 500_000, 1)))
                .matches(
                        "pi: ranks=%d samples=500000 pi=3\\.1\\d{5} error=0\\.0\\d{5} equal=true"
                                .formatted(ranks));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 65_536, 65_537})
    void moreRanksThanBlocksOfPointsMakeNoDifference(long samples) {
        assertThat(ResultLine.of(4, world -> Pi.estimate(world, samples, 2)))
                .contains("samples=" + samples + " ")
                .endsWith("equal=true");
    }

    @Test
    void everyPointIsDrawnOnceAndMorePointsComeCloser() {
        long samples = 1_000_003;
        long blocks = 16;
        long hits = Pi.hits(0, blocks, samples, 3);
        assertThat(Pi.hits(0, 5, samples, 3) + Pi.hits(5, blocks, samples, 3)).isEqualTo(hits);
        // Six standard deviations of 1.64 / sqrt(samples).
        assertThat(4.0 * hits / samples).isCloseTo(Math.PI, within(0.01));
        assertThat(Pi.hits(0, blocks, samples, 4)).as("of another seed").isNotEqualTo(hits);
    }
}
