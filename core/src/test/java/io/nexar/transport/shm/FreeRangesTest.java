package io.nexar.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

@Timeout(30)
class FreeRangesTest {
    private static final long SEED = 20_261_128;
    private static final int BYTES = 1000;

    @Test
    void whatIsTakenIsNobodyElsesUntilItIsGivenBack() {
        Random random = new Random(SEED);
        FreeRanges free = new FreeRanges(BYTES);
        boolean[] isTaken = new boolean[BYTES];
        List<long[]> taken = new ArrayList<>();
        for (int turn = 0; turn < 20_000; turn++) {
            if (!taken.isEmpty() && random.nextInt(5) < 2) {
                long[] range = taken.remove(random.nextInt(taken.size()));
                mark(isTaken, range, false);
                free.give(range[0], range[1]);
            } else {
                long bytes = 1L + random.nextInt(60);
                long at = free.take(bytes);
                assertThat(at == FreeRanges.NONE)
                        .as("turn %d, seed %d", turn, SEED)
                        .isEqualTo(longestGap(isTaken) < bytes);
                if (at != FreeRanges.NONE) {
                    taken.add(new long[] {at, bytes});
                    mark(isTaken, taken.getLast(), true);
                }
            }
        }
        taken.forEach(range -> free.give(range[0], range[1]));
        assertThat(free.take(BYTES)).as("all of it in one piece").isZero();
    }

    private static void mark(boolean[] isTaken, long[] range, boolean value) {
        for (int i = 0; i < range[1]; i++) {
            int at = (int) range[0] + i;
            assertThat(isTaken[at]).as("byte %d, seed %d", at, SEED).isNotEqualTo(value);
            isTaken[at] = value;
        }
    }

    private static int longestGap(boolean[] isTaken) {
        int longest = 0;
        int gap = 0;
        for (boolean taken : isTaken) {
            gap = taken ? 0 : gap + 1;
            longest = Math.max(longest, gap);
        }
        return longest;
    }
}
