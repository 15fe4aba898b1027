package io.nexar.membership;

import static io.nexar.membership.DetectorSimulation.MS;
import static io.nexar.membership.DetectorSimulation.SECOND;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.membership.DetectorSimulation.Verdict;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Seeded schedules: hundreds in every build, more with {@code -Dnexar.test.schedules=N}. A failure
 * names the seed that replays it.
 */
class DetectorSimulationTest {

    private static final int SCHEDULES = Integer.getInteger("nexar.test.schedules", 200);

    private static final int[] SIZES = {2, 3, 4, 5, 9, 12, 20};

    private static DetectorSimulation simulation(long randomSeed) {
        Random shape = new Random(~randomSeed);
        DetectorSimulation it =
                new DetectorSimulation(SIZES[shape.nextInt(SIZES.length)], randomSeed);
        it.hasSeed = shape.nextBoolean();
        it.loss = shape.nextInt(4) * 0.05;
        it.duplication = shape.nextInt(2) * 0.2;
        it.delayNanosMax = (1 + shape.nextInt(300)) * MS;
        return it;
    }

    @Test
    void nobodyIsGivenUpWhileProcessesPauseAndLinksBreakForTwoSeconds() {
        // Pitfall 43: slow is not dead, however often.
        for (long randomSeed = 0; randomSeed < SCHEDULES; randomSeed++) {
            DetectorSimulation it = simulation(randomSeed);
            Random chaos = new Random(randomSeed + 1_000_000);
            for (int hiccup = 0; hiccup < 20; hiccup++) {
                int rank = chaos.nextInt(it.size());
                long at = it.now() + hiccup * 5L * SECOND + chaos.nextLong(SECOND);
                if (chaos.nextBoolean()) {
                    it.at(at, () -> it.pause(rank, 2 * SECOND));
                } else {
                    boolean isOneWay = chaos.nextBoolean();
                    it.at(
                            at,
                            () -> it.cut = (from, to) -> from == rank || (to == rank && !isOneWay));
                    it.at(at + 2 * SECOND, () -> it.cut = (from, to) -> false);
                }
            }
            it.runUntil(it.now() + 110 * SECOND);
            assertThat(it.verdicts).as("random seed %d", randomSeed).isEmpty();
        }
    }

    @Test
    void aStoppedProcessIsGivenUpByAllWithinTenSecondsAndBySomeoneWithAReason() {
        // Pitfalls 38 and 44: whoever stops, at whatever moment, and others with it.
        for (long randomSeed = 0; randomSeed < SCHEDULES; randomSeed++) {
            DetectorSimulation it = simulation(randomSeed);
            Random chaos = new Random(randomSeed + 2_000_000);
            it.runUntil(it.now() + 2 * SECOND);
            Set<Integer> stopped = new TreeSet<>();
            int deaths = 1 + chaos.nextInt(Math.min(3, it.size() - 1));
            long last = it.now();
            while (stopped.size() < deaths) {
                int rank = chaos.nextInt(it.size());
                if (stopped.add(rank)) {
                    last = Math.max(last, it.now() + chaos.nextLong(6 * SECOND));
                    it.at(last, () -> it.stop(rank));
                }
            }
            it.runUntil(last + 10 * SECOND);
            for (int survivor : it.survivors()) {
                assertThat(it.gone.get(survivor))
                        .as("random seed %d: rank %d of %d", randomSeed, survivor, it.size())
                        .containsExactlyInAnyOrderElementsOf(stopped);
            }
            assertThat(it.survivors()).hasSize(it.size() - deaths);
            assertThat(it.verdicts)
                    .as("random seed %d", randomSeed)
                    .allSatisfy(verdict ->
                            assertThat(verdict.reason()).matches("silent for [89]\\.\\d s.*"));
        }
    }

    @Test
    void aProcessThatReturnsAccusesNobodyAndLearnsThatItIsOut() {
        // Pitfall 44: stopped for longer than patience, then continued.
        for (long randomSeed = 0; randomSeed < SCHEDULES; randomSeed++) {
            DetectorSimulation it = simulation(randomSeed);
            int rank = new Random(randomSeed + 3_000_000).nextInt(it.size());
            it.runUntil(it.now() + 2 * SECOND);
            it.stop(rank);
            it.runUntil(it.now() + 30 * SECOND);
            it.resume(rank);
            it.runUntil(it.now() + 30 * SECOND);
            assertThat(it.verdicts)
                    .as("random seed %d", randomSeed)
                    .isNotEmpty()
                    .allSatisfy(verdict -> assertThat(verdict.about()).isEqualTo(rank));
            assertThat(it.expelled).containsOnlyKeys(rank);
        }
    }

    @Test
    void aJobThatSleptAsAWholeGoesOnAsItWas() {
        // Pitfall 46: a laptop's sleep stops everybody for a minute.
        for (long randomSeed = 0; randomSeed < SCHEDULES; randomSeed++) {
            DetectorSimulation it = simulation(randomSeed);
            Random chaos = new Random(randomSeed + 4_000_000);
            it.runUntil(it.now() + 2 * SECOND + chaos.nextLong(SECOND));
            for (int rank = 0; rank < it.size(); rank++) {
                it.pause(rank, 60 * SECOND + chaos.nextLong(200 * MS));
            }
            it.runUntil(it.now() + 90 * SECOND);
            assertThat(it.verdicts).as("random seed %d", randomSeed).isEmpty();
        }
    }

    @Test
    void ofTwoThatDoNotReachEachOtherTheLowerRankStays() {
        for (long randomSeed = 0; randomSeed < SCHEDULES; randomSeed++) {
            DetectorSimulation it = simulation(randomSeed);
            it.hasSeed |= it.size() == 2; // or there is nobody to say that the other lives
            Random chaos = new Random(randomSeed + 5_000_000);
            int lower = chaos.nextInt(it.size() - 1);
            int higher = lower + 1;
            it.runUntil(it.now() + 2 * SECOND);
            long cutAt = it.now();
            it.cut = (from, to) -> from + to == lower + higher && Math.abs(from - to) == 1;
            it.runUntil(cutAt + 40 * SECOND);
            List<Verdict> verdicts = it.verdicts;
            assertThat(verdicts).as("random seed %d", randomSeed).hasSize(1);
            Verdict verdict = verdicts.getFirst();
            boolean areBothWatched = it.size() <= 1 + DetectorMachine.WATCHERS_MAX;
            int staying = areBothWatched ? lower : higher; // which alone watches in a wide ring
            assertThat(verdict.by()).as("random seed %d", randomSeed).isEqualTo(staying);
            assertThat(verdict.about()).isEqualTo(lower + higher - staying);
            assertThat(verdict.reason()).contains("out of reach of rank " + staying);
            assertThat(verdict.nanos() - cutAt).isBetween(18 * SECOND, 25 * SECOND);
            assertThat(it.expelled).containsOnlyKeys(lower + higher - staying);
        }
    }

    @Test
    void aWorldOfTwentyIsWatchedByEightAndByOthersWhenTheyAreGone() {
        DetectorSimulation it = new DetectorSimulation(20, 1);
        it.hasSeed = false;
        it.runUntil(it.now() + 2 * SECOND);
        for (int watcher = 1; watcher <= DetectorMachine.WATCHERS_MAX; watcher++) {
            int rank = watcher;
            it.stop(rank); // all that watch rank 0
        }
        it.runUntil(it.now() + 10 * SECOND);
        it.stop(0);
        it.runUntil(it.now() + 10 * SECOND);
        assertThat(it.survivors()).hasSize(11);
        for (int survivor : it.survivors()) {
            assertThat(it.gone.get(survivor)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8);
        }
    }

    @Test
    void aSuspectedMemberThatIsHeardAgainIsCleared() {
        DetectorSimulation it = new DetectorSimulation(3, 7);
        it.runUntil(it.now() + 2 * SECOND);
        it.pause(1, 6 * SECOND);
        it.runUntil(it.now() + 20 * SECOND);
        assertThat(it.suspected).containsOnly(1).hasSize(2);
        assertThat(it.cleared).containsOnly(1).hasSize(2);
        assertThat(it.verdicts).isEmpty();
        assertThat(it.machine(0).silentNanos(it.member(1), it.now())).isBetween(0L, SECOND);
        assertThat(it.machine(0).silentNanos(it.member(0), it.now())).isNegative();
    }
}
