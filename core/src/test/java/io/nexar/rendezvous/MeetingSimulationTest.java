package io.nexar.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.rendezvous.JoinMessage.Hello;
import io.nexar.rendezvous.MeetingSimulation.SimulatedWorker;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Seeded schedules: hundreds in every build, more with {@code -Dnexar.test.schedules=N}. A failure
 * names the seed that replays it.
 */
class MeetingSimulationTest {

    private static final int SCHEDULES = Integer.getInteger("nexar.test.schedules", 300);

    private static Hello with(
            Hello hello, String job, String token, Map<String, String> settings, int worldSize) {
        return new Hello(
                job,
                token,
                settings,
                hello.rank(),
                worldSize,
                hello.host(),
                hello.pid(),
                hello.signingRequest());
    }

    private static Hello claim(Hello hello, int rank, byte[] signingRequest) {
        return new Hello(
                hello.job(),
                hello.token(),
                hello.settings(),
                rank,
                hello.worldSize(),
                hello.host(),
                hello.pid(),
                signingRequest);
    }

    /** What is wrong with each of them, and what its refusal says. */
    private static final Map<String, UnaryOperator<Hello>> BAD =
            Map.of(
                    "the token is wrong",
                    h -> with(h, "job", "d3Jvbmctd3Jvbmctd3Jvbmc", h.settings(), h.worldSize()),
                    "this is job job, not job other",
                    h -> with(h, "other", h.token(), h.settings(), h.worldSize()),
                    "ranks, not 99",
                    h -> with(h, "job", h.token(), h.settings(), 99),
                    "outside the world",
                    h -> claim(h, 1_000, h.signingRequest()),
                    "signing request is empty",
                    h -> claim(h, h.rank(), new byte[0]));

    @Test
    void anHonestFullSetFormsWhoeverElseComesAndNobodyBadGetsACertificate() {
        for (long randomSeed = 0; randomSeed < SCHEDULES; randomSeed++) {
            MeetingSimulation it = new MeetingSimulation(randomSeed, 1 + (int) (randomSeed % 6));
            List<SimulatedWorker> honest = new ArrayList<>();
            for (int rank = 0; rank < it.worldSize; rank++) {
                honest.add(it.add(it.random.nextBoolean() ? rank : JoinMessage.ANY, h -> h));
            }
            Map<SimulatedWorker, String> bad = new java.util.HashMap<>();
            BAD.forEach((reason, change) -> bad.put(it.add(JoinMessage.ANY, change), reason));
            it.addStranger(null);
            it.addStranger(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
            it.addStranger(JoinCodec.encode(new JoinMessage.Go()));
            it.run();
            String replay = "random seed " + randomSeed;
            assertThat(it.seed.phase()).as(replay).isEqualTo(SeedPhase.RUNNING);
            assertSameRoster(honest, replay);
            bad.forEach((worker, reason) -> {
                JoinEffect.Failed failed = Objects.requireNonNull(worker.failed, replay);
                // One that comes late is told that the job has formed, or is full.
                assertThat(failed.reason())
                        .as(replay)
                        .containsAnyOf(reason, "has formed", "places are taken");
                assertThat(it.signed).as(replay).doesNotContain((long) worker.id);
            });
            assertThat(it.signed).as(replay).hasSize(it.worldSize);
        }
    }

    private static void assertSameRoster(List<SimulatedWorker> workers, String replay) {
        JoinEffect.Formed first = Objects.requireNonNull(workers.getFirst().formed, replay);
        List<Integer> ranks = new ArrayList<>();
        for (SimulatedWorker worker : workers) {
            JoinEffect.Formed formed = Objects.requireNonNull(worker.formed, replay);
            assertThat(formed.roster()).as(replay).isEqualTo(first.roster());
            if (worker.hello.rank() != JoinMessage.ANY) {
                assertThat(formed.rank()).as(replay).isEqualTo(worker.hello.rank());
            }
            assertThat(formed.roster().entry(formed.rank()).addresses().getFirst().candidates())
                    .as(replay)
                    .containsExactly("worker-" + worker.id);
            ranks.add(formed.rank());
        }
        assertThat(ranks).as(replay).doesNotHaveDuplicates();
    }

    @Test
    void exactlyOneOfTwoClaimsGetsInAndExactlyAsManyAsThereArePlaces() {
        for (long randomSeed = 0; randomSeed < SCHEDULES; randomSeed++) {
            MeetingSimulation it = new MeetingSimulation(randomSeed, 4);
            for (int rank = 0; rank < 4; rank++) {
                it.add(rank, h -> h);
                it.add(rank, h -> h);
            }
            it.run();
            String replay = "random seed " + randomSeed;
            assertThat(it.seed.phase()).as(replay).isEqualTo(SeedPhase.RUNNING);
            assertSameRoster(
                    it.workers.stream().filter(worker -> worker.formed != null).toList(), replay);
            assertThat(it.workers.stream().filter(worker -> worker.formed != null)).hasSize(4);
            assertThat(it.workers.stream().filter(worker -> worker.failed != null))
                    .as(replay)
                    .hasSize(4)
                    .allSatisfy(worker ->
                            assertThat(Objects.requireNonNull(worker.failed).reason())
                                    .containsAnyOf("already taken", "has formed"));
        }
    }

    @Test
    void aDeathAtAnyStepLetsTheOthersFormOrEndByTheDeadline() {
        // Pitfall 79: a worker that died between joining and its answer left the others waiting.
        for (long randomSeed = 0; randomSeed < SCHEDULES; randomSeed++) {
            MeetingSimulation it = new MeetingSimulation(randomSeed, 2 + (int) (randomSeed % 4));
            for (int rank = 0; rank < it.worldSize; rank++) {
                it.add(it.random.nextBoolean() ? rank : JoinMessage.ANY, h -> h);
            }
            SimulatedWorker victim = it.workers.get(it.random.nextInt(it.worldSize));
            victim.effectsToLive = it.random.nextInt(7);
            it.run();
            String replay = "random seed " + randomSeed;
            boolean isFormed = it.told.stream().anyMatch(e -> e instanceof SeedEvent.Formed);
            for (SimulatedWorker worker : it.workers) {
                if (worker.isDead) {
                    continue;
                }
                assertThat(worker.formed != null).as(replay).isEqualTo(isFormed);
                assertThat(worker.failed != null).as(replay).isEqualTo(!isFormed);
                if (!isFormed) {
                    // Where nobody fell silent it is the seed that ends it, within its deadline.
                    assertThat(worker.endNanos)
                            .as(replay)
                            .isLessThan(MeetingSimulation.FORMATION_NANOS + 1_000_000_000L);
                }
            }
            if (isFormed && victim.isDead) {
                assertThat(it.told)
                        .as(replay)
                        .anyMatch(e -> e instanceof SeedEvent.Departed gone && !gone.orderly());
            }
            if (!isFormed) {
                assertThat(victim.isDead).as(replay).isTrue();
                assertFailureNames(it, victim, replay);
            }
        }
    }

    /** At the deadline by rank; after the roster by the member's own description. */
    private static void assertFailureNames(
            MeetingSimulation it, SimulatedWorker victim, String replay) {
        SeedEvent.FormationFailed failed =
                it.told.stream()
                        .filter(SeedEvent.FormationFailed.class::isInstance)
                        .map(SeedEvent.FormationFailed.class::cast)
                        .findFirst()
                        .orElseThrow();
        if (failed.reason().contains("ranks came")) {
            assertThat(failed.missingRanks()).as(replay).hasSize(1);
            // Of one that never came the seed can't know which rank it would have asked for.
            if (victim.hello.rank() != JoinMessage.ANY && failed.reason().contains("went")) {
                assertThat(failed.missingRanks()).as(replay).containsExactly(victim.hello.rank());
            }
        } else {
            assertThat(failed.reason()).as(replay).containsAnyOf("was lost", "does not reach");
        }
    }

    @Test
    void aPlaceThatADeathFreesCanBeTakenAgainBeforeTheRanksAreGivenOut() {
        // Pitfall 73: one worker that left closed the meeting for everybody.
        int formed = 0;
        for (long randomSeed = 0; randomSeed < SCHEDULES; randomSeed++) {
            MeetingSimulation it = new MeetingSimulation(randomSeed, 3);
            it.add(0, h -> h);
            it.add(1, h -> h).effectsToLive = 3; // dies with its endpoints open, before Ready
            it.add(1, h -> h); // comes before, or after, or is refused
            it.add(2, h -> h);
            it.run();
            String replay = "random seed " + randomSeed;
            boolean isFormed = it.seed.phase() == SeedPhase.RUNNING;
            formed += isFormed ? 1 : 0;
            SimulatedWorker second = it.workers.get(2);
            assertThat(second.formed != null).as(replay).isEqualTo(isFormed);
            if (!isFormed) {
                assertThat(Objects.requireNonNull(second.failed).reason())
                        .as(replay)
                        .contains("already taken");
            }
        }
        assertThat(formed).isGreaterThan(SCHEDULES / 3);
    }

    @Test
    void aRankThatNobodyReachesIsNamedToEverybody() {
        for (long randomSeed = 0; randomSeed < 200; randomSeed++) {
            MeetingSimulation it = new MeetingSimulation(randomSeed, 4);
            for (int rank = 0; rank < 4; rank++) {
                it.add(rank, h -> h);
            }
            it.workers.get(2).refusesLinks = true;
            it.run();
            assertThat(it.workers)
                    .allSatisfy(worker ->
                            assertThat(Objects.requireNonNull(worker.failed).reason())
                                    .contains("does not reach rank 2: no answer"));
        }
    }

    @Test
    void workersWithOtherSettingsThanTheFirstAreToldWhichDiffer() {
        MeetingSimulation it = new MeetingSimulation(1, 3);
        it.add(0, h -> h);
        it.add(1, h -> with(h, "job", h.token(), Map.of("nexar.check", "full"), h.worldSize()));
        it.add(2, h -> h);
        it.run();
        assertThat(it.workers)
                .anySatisfy(worker ->
                        assertThat(Objects.requireNonNull(worker.failed).reason())
                                .contains("nexar.check is ")
                                .contains("full")
                                .contains("basic"));
        assertThat(it.seed.phase()).isEqualTo(SeedPhase.FAILED);
    }

    @Test
    void oneThatSaysNothingIsClosedWithoutAWordSoThatItMayDialAgain() {
        SeedMachine fresh = new MeetingSimulation(2, 2).seed;
        fresh.handleConnected(7, "somewhere", 0);
        fresh.handleTick(SeedRules.helloNanosFor(2));
        assertThat(fresh.pollEffect())
                .isEqualTo(new SeedEffect.Close(7, "did not say who it is in time"));
        assertThat(fresh.pollEffect())
                .isEqualTo(
                        new SeedEffect.Tell(
                                new SeedEvent.Refused(
                                        "somewhere", "did not say who it is in time")));
        assertThat(fresh.pollEffect()).isNull();
    }
}
