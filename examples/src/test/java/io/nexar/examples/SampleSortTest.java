package io.nexar.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.LocalCluster;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

@Timeout(60)
class SampleSortTest {

    private static final String GOOD = " sorted=true permutation=true equal=true";

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void anyNumberOfRanksSortsAsOneProcessDoes(int ranks) {
        SampleSort.Problem problem = new SampleSort.Problem(50_021, Long.MAX_VALUE, 1);
        String line = ResultLine.of(ranks, world -> SampleSort.run(world, problem));
        assertThat(line).startsWith("sort: ranks=" + ranks + " keys=50021 ").endsWith(GOOD);
        // The shares are about even: that is what samples are for.
        assertThat(largestShare(line)).isLessThan(50_021 / ranks * 5 / 4 + 2);
    }

    @ParameterizedTest
    @CsvSource({"1, 100", "3, 100", "7, 100", "5000, 1", "5000, 2", "5000, 5"})
    void fewerKeysThanRanksAndManyEqualOnesAreSorted(int keys, long values) {
        SampleSort.Problem problem = new SampleSort.Problem(keys, values, 2);
        assertThat(ResultLine.of(4, world -> SampleSort.run(world, problem))).endsWith(GOOD);
    }

    @Test
    void keysOutOfOrderOnOneRankOrBetweenTwoAreNoticed() {
        assertThat(check(new long[] {1, 3}, new long[] {}, new long[] {3, 9}).isSorted()).isTrue();
        assertThat(check(new long[] {3, 1}, new long[] {}, new long[] {3, 9}).isSorted()).isFalse();
        assertThat(check(new long[] {1, 3}, new long[] {}, new long[] {2, 9}).isSorted()).isFalse();
    }

    @Test
    void aKeyThatIsLostDoubledOrChangedIsNoticed() {
        // Before, the three ranks have 1 to 3, 1 to 2 and 1 to 2.
        assertThat(
                        check(new long[] {1, 1, 1}, new long[] {2, 2}, new long[] {2, 3})
                                .isPermutation())
                .isTrue();
        assertThat(check(new long[] {1, 1, 1}, new long[] {2, 2}, new long[] {2}).isPermutation())
                .isFalse();
        assertThat(
                        check(new long[] {1, 1, 1}, new long[] {2, 2}, new long[] {3, 3})
                                .isPermutation())
                .isFalse();
        assertThat(
                        check(new long[] {1, 1, 1}, new long[] {2, 2}, new long[] {2, 3, 3})
                                .isPermutation())
                .isFalse();
        // The sum is that of before.
        assertThat(
                        check(new long[] {1, 1, 1}, new long[] {1, 3}, new long[] {2, 3})
                                .isPermutation())
                .isFalse();
    }

    /** What rank 0 finds where each rank has these keys afterwards. */
    private static SortCheck check(long[]... after) {
        long[][] before = {{1, 2, 3}, {1, 2}, {2, 1}};
        try (LocalCluster cluster = LocalCluster.start(3)) {
            List<SortCheck> found =
                    cluster.call(world ->
                            SortCheck.of(world, before[world.rank()], after[world.rank()]));
            return found.getFirst();
        }
    }

    private static long largestShare(String line) {
        return Long.parseLong(line.replaceAll(".*largest-share=(\\d+) .*", "$1"));
    }
}
