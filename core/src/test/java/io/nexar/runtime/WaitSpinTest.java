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

    @ParameterizedTest
    @CsvSource({
        "auto, HOST, 10000, true",
        "auto, JVM, 10000, true",
        "auto, HOST, 1, false",
        "auto, RACK, 10000, false",
        "never, HOST, 10000, false"
    })
    void whoMustShareCoresLeavesALoneOneWhereMemoryWakesHim(
            String spin, LinkClass inHost, int ranksOnHost, boolean leaves) {
        NexarConfig config = NexarConfig.defaults().with("nexar.wait.spin", spin);
        assertThat(RankSettings.of(config, inHost, ranksOnHost).idle().leavesLoneCore())
                .isEqualTo(leaves);
    }

    private static IdleStrategy idle(String spin, int ranksOnHost) {
        NexarConfig config = NexarConfig.defaults().with("nexar.wait.spin", spin);
        return RankSettings.of(config, LinkClass.HOST, ranksOnHost).idle();
    }
}
