package io.nexar.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.NexarConfig;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.fabric.IdleStrategy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code nexar.wait.spin} does with ranks that have a core each, or have none. */
class WaitSpinTest {
    @ParameterizedTest
    @CsvSource({"auto, 1, true", "auto, 10000, false", "always, 10000, true", "never, 1, false"})
    void aWaitSpinsWhereItIsToldToOrHasACore(String spin, int ranksOnHost, boolean isSpinning) {
        assertThat(idle(spin, ranksOnHost).spins() > 0).isEqualTo(isSpinning);
    }

    @ParameterizedTest
    @CsvSource({"auto, 1, true", "auto, 10000, true", "always, 10000, true", "never, 1, false"})
    void onlyWhoNeverPollsSleepsAtOnce(String spin, int ranksOnHost, boolean isYielding) {
        assertThat(idle(spin, ranksOnHost).yields() > 0).isEqualTo(isYielding);
    }

    private static IdleStrategy idle(String spin, int ranksOnHost) {
        NexarConfig config = NexarConfig.defaults().with("nexar.wait.spin", spin);
        return RankSettings.of(config, LinkClass.HOST, ranksOnHost).idle();
    }
}
