package io.nexar.cli.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.MemberId;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

class ChaosScheduleTest {

    private static final long MILLI = 1_000_000;

    @Test
    void everyNumberDrawsSomethingThatAJobCanSurvive() {
        for (long seed = -50; seed < 50; seed++) {
            ChaosSchedule schedule = ChaosSchedule.draw(seed, 4);
            Faults usual = schedule.at(Weather.SEED, 0).inward();
            assertThat(usual.lossRate()).as("seed %d", seed).isLessThan(0.05);
            assertThat(usual.delay()).as("seed %d", seed).isLessThan(Duration.ofMillis(6));
            for (long member = 0; member < 4; member++) {
                assertThat(longestCutMillis(schedule, member))
                        .as("seed %d, member %d", seed, member)
                        .isLessThanOrEqualTo(2000);
            }
        }
    }

    @Test
    void soonerOrLaterEveryMemberAndTheSeedAreCutOff() {
        for (long seed = 0; seed < 20; seed++) {
            ChaosSchedule schedule = ChaosSchedule.draw(seed, 3);
            Set<Long> cut = new HashSet<>();
            for (long millis = 0; millis < 900_000; millis += 50) {
                for (long place = Weather.SEED.id(); place < 3; place++) {
                    Conditions now = schedule.at(new MemberId(place), millis * MILLI);
                    if (now.inward().isCut() || now.outward().isCut()) {
                        cut.add(place);
                    }
                }
            }
            assertThat(cut).as("seed %d", seed).containsExactlyInAnyOrder(-1L, 0L, 1L, 2L);
        }
    }

    @Test
    void oneNumberDrawsOneScheduleAndSaysIt() {
        assertThat(ChaosSchedule.draw(7, 4).lines())
                .isEqualTo(ChaosSchedule.draw(7, 4).lines())
                .isNotEqualTo(ChaosSchedule.draw(8, 4).lines())
                .hasSize(4)
                .first()
                .asString()
                .matches(
                        "loss \\d\\.\\d %, doubles .* late by up to \\d+ ms, .*; a cut every .* s");
    }

    private static long longestCutMillis(ChaosSchedule schedule, long member) {
        long longest = 0;
        long from = -1;
        for (long millis = 0; millis < 60_000; millis += 10) {
            Conditions now = schedule.at(new MemberId(member), millis * MILLI);
            if (!now.inward().isCut() && !now.outward().isCut()) {
                from = millis;
            }
            longest = Math.max(longest, millis - from - 10);
        }
        return longest;
    }
}
