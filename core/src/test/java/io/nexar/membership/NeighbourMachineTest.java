package io.nexar.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.MemberId;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;

class NeighbourMachineTest {
    private static final long TICK_NANOS = 500_000_000L;

    private static final List<MemberId> MEMBERS =
            LongStream.of(10, 11, 12, 13, 14).mapToObj(MemberId::new).toList();

    private long now;

    private static MemberId member(int rank) {
        return MEMBERS.get(rank);
    }

    private static NeighbourEffect dial(int rank) {
        return new NeighbourEffect.Dial(member(rank));
    }

    private static List<NeighbourEffect> drain(NeighbourMachine machine) {
        List<NeighbourEffect> effects = new ArrayList<>();
        for (NeighbourEffect effect = machine.pollEffect();
                effect != null;
                effect = machine.pollEffect()) {
            effects.add(effect);
        }
        return effects;
    }

    private List<NeighbourEffect> tick(NeighbourMachine machine) {
        now += TICK_NANOS;
        machine.handleTick(now);
        return drain(machine);
    }

    /** Rank 3 with its two tethers: to 4 and, round the end, to 0. */
    private NeighbourMachine linked() {
        NeighbourMachine machine = new NeighbourMachine(MEMBERS, member(3), now);
        assertThat(tick(machine)).containsExactly(dial(4), dial(0));
        machine.handleOpened(member(4), true);
        machine.handleOpened(member(0), true);
        assertThat(tick(machine)).isEmpty();
        return machine;
    }

    @Test
    void aNeighbourWhoseTetherBreaksAndWhoListensNoMoreIsGivenUpWithinTwoSeconds() {
        NeighbourMachine machine = linked();
        long closedAt = now;
        machine.handleClosed(member(4), true, now);
        assertThat(drain(machine)).containsExactly(dial(4));
        machine.handleRefused(member(4), now);
        assertThat(drain(machine)).isEmpty();
        assertThat(tick(machine)).containsExactly(dial(4));
        machine.handleRefused(member(4), now);
        assertThat(tick(machine)).containsExactly(dial(4));
        machine.handleRefused(member(4), now);
        assertThat(drain(machine))
                .singleElement()
                .isInstanceOfSatisfying(
                        NeighbourEffect.GiveUp.class,
                        lost -> {
                            assertThat(lost.member()).isEqualTo(member(4));
                            assertThat(lost.reason()).contains("nobody listens");
                        });
        assertThat(now - closedAt).isLessThan(2_000_000_000L);
        assertThat(tick(machine)).as("the next one takes its place").containsExactly(dial(1));
    }

    @Test
    void aTetherThatANetworkBreaksIsMadeAnewAndNobodyIsGivenUp() {
        NeighbourMachine machine = linked();
        machine.handleClosed(member(0), true, now);
        assertThat(drain(machine)).containsExactly(dial(0));
        machine.handleRefused(member(0), now); // a full queue
        assertThat(tick(machine)).containsExactly(dial(0));
        machine.handleOpened(member(0), true);
        for (int i = 0; i < 20; i++) {
            assertThat(tick(machine)).isEmpty();
        }
    }

    @Test
    void silenceProvesNothingAndOnlyRefusalsInARowDo() {
        NeighbourMachine machine = linked();
        machine.handleClosed(member(4), true, now);
        assertThat(drain(machine)).containsExactly(dial(4));
        for (int i = 0; i < 20; i++) {
            machine.handleRefused(member(4), now);
            assertThat(tick(machine)).containsExactly(dial(4));
            machine.handleDialFailed(member(4), now);
            assertThat(tick(machine)).containsExactly(dial(4));
        }
        machine.handleOpened(member(4), true);
        machine.handleGone(member(4));
        machine.handleClosed(member(4), true, now);
        assertThat(tick(machine)).containsExactly(dial(1));
        machine.handleDialFailed(member(1), now);
        for (int i = 0; i < 9; i++) {
            assertThat(tick(machine)).as("no doubt, no hurry").isEmpty();
        }
        assertThat(tick(machine)).containsExactly(dial(1));
    }

    @Test
    void aFirewallThatRefusesFromTheStartKillsNobody() {
        NeighbourMachine machine = new NeighbourMachine(MEMBERS, member(3), now);
        for (int i = 0; i < 200; i++) {
            for (NeighbourEffect effect : tick(machine)) {
                assertThat(effect).isInstanceOf(NeighbourEffect.Dial.class);
                machine.handleRefused(((NeighbourEffect.Dial) effect).member(), now);
            }
        }
    }

    @Test
    void oneThatDialledUsIsWatchedAsWellUnlessItSaysGoodbye() {
        NeighbourMachine machine = linked();
        machine.handleOpened(member(1), false);
        machine.handleOpened(member(2), false);
        machine.handleGone(member(1));
        machine.handleClosed(member(1), false, now);
        assertThat(drain(machine)).isEmpty();
        machine.handleClosed(member(2), false, now);
        assertThat(drain(machine)).containsExactly(dial(2));
    }

    @Test
    void whileAnotherTetherToItStandsABrokenOneIsNoDoubt() {
        NeighbourMachine machine = linked();
        machine.handleOpened(member(4), false);
        machine.handleClosed(member(4), false, now);
        assertThat(drain(machine)).isEmpty();
        assertThat(tick(machine)).isEmpty();
    }

    @Test
    void inAnyOrderOfEventsOnlyThoseThatListenNoMoreAreGivenUpAndEachOnce() {
        for (long randomSeed = 0; randomSeed < 2_000; randomSeed++) {
            Random random = new Random(randomSeed);
            Set<MemberId> dead = new HashSet<>();
            Set<MemberId> givenUp = new HashSet<>();
            Set<MemberId> open = new HashSet<>();
            NeighbourMachine machine = new NeighbourMachine(MEMBERS, member(2), now);
            for (int step = 0; step < 200; step++) {
                MemberId about = member(random.nextInt(MEMBERS.size()));
                if (random.nextInt(60) == 0 && !about.equals(member(2))) {
                    dead.add(about);
                    if (open.remove(about)) {
                        machine.handleClosed(about, true, now);
                    }
                } else if (random.nextInt(20) == 0 && open.remove(about)) {
                    machine.handleClosed(about, true, now); // the network
                }
                now += TICK_NANOS;
                machine.handleTick(now);
                for (NeighbourEffect effect : drain(machine)) {
                    switch (effect) {
                        case NeighbourEffect.Dial it when dead.contains(it.member()) ->
                                machine.handleRefused(it.member(), now);
                        case NeighbourEffect.Dial it when random.nextInt(5) == 0 ->
                                machine.handleDialFailed(it.member(), now);
                        case NeighbourEffect.Dial it -> {
                            machine.handleOpened(it.member(), true);
                            open.add(it.member());
                        }
                        case NeighbourEffect.GiveUp it ->
                                assertThat(givenUp.add(it.member()) && dead.contains(it.member()))
                                        .as("random seed %d: %s", randomSeed, it)
                                        .isTrue();
                    }
                }
            }
        }
    }

    @Test
    void whoIsNoMemberHasNoNeighbours() {
        assertThatThrownBy(() -> new NeighbourMachine(MEMBERS, new MemberId(9), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("member 9");
    }
}
