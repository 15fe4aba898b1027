package io.nexar.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a leader that yields takes its core to be its own. */
@Timeout(10)
class LoneCoreTest {
    private static final long PASS_NANOS = 700;
    private static final long TURN_NANOS = 2_500;
    private static final long BEGIN_NANOS = 1_000_000_000;
    private static final long WOKEN_NANOS = BEGIN_NANOS + 1_000_000;

    private final LoneCore core = new LoneCore();

    @Test
    void aLeaderWhoseYieldsComeBackAtOnceIsAlone() {
        assertThat(core.isAlone(3, 0)).isFalse();
        assertThat(core.isAlone(3 + LoneCore.TURNS, LoneCore.TURNS * PASS_NANOS)).isTrue();
    }

    @Test
    void aLeaderWhoseYieldsGoToAnotherRankIsNot() {
        for (int look = 1; look < 10; look++) {
            int fruitless = look * LoneCore.TURNS;
            assertThat(core.isAlone(fruitless, fruitless * TURN_NANOS)).isFalse();
        }
    }

    @Test
    void turnsInWhichSomethingWasFoundDoNotCount() {
        assertThat(core.isAlone(LoneCore.TURNS, BEGIN_NANOS)).isFalse();
        assertThat(core.isAlone(2, BEGIN_NANOS + LoneCore.TURNS * PASS_NANOS)).isFalse();
    }

    @Test
    void aSleepBetweenTwoLooksStartsAnew() {
        assertThat(core.isAlone(LoneCore.TURNS, BEGIN_NANOS)).isFalse();
        assertThat(core.isAlone(2 * LoneCore.TURNS, WOKEN_NANOS)).isFalse();
        assertThat(core.isAlone(3 * LoneCore.TURNS, WOKEN_NANOS + LoneCore.TURNS * PASS_NANOS))
                .isTrue();
    }
}
