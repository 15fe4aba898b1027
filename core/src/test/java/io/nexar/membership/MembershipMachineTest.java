package io.nexar.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.MemberId;
import io.nexar.MembershipEvent;
import io.nexar.membership.MembershipMachine.State;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

class MembershipMachineTest {

    private static final List<MemberId> MEMBERS =
            LongStream.of(4, 0, 7, 2).mapToObj(MemberId::new).toList();

    private static List<MembershipEvent> drain(MembershipMachine machine) {
        List<MembershipEvent> events = new ArrayList<>();
        for (MembershipEvent event = machine.pollEffect();
                event != null;
                event = machine.pollEffect()) {
            events.add(event);
        }
        return events;
    }

    @Test
    void theFirstWordAboutAMemberStandsWhateverFollows() {
        MembershipMachine machine = new MembershipMachine(3, MEMBERS);
        machine.handleGoodbye(MEMBERS.get(1));
        machine.handleLinkClosed(MEMBERS.get(1), "closed");
        machine.handleDeparted(MEMBERS.get(1), false, "killed");
        machine.handleLinkClosed(MEMBERS.get(2), "reset");
        machine.handleDeparted(MEMBERS.get(2), true, "done");
        assertThat(drain(machine))
                .containsExactly(
                        new MembershipEvent.Left(MEMBERS.get(1), 3),
                        new MembershipEvent.Lost(MEMBERS.get(2), "reset", 3));
        assertThat(machine.alive()).containsExactly(MEMBERS.get(0), MEMBERS.get(3));
        assertThat(machine.state(MEMBERS.get(1))).isEqualTo(State.LEFT);
        assertThat(machine.state(MEMBERS.get(2))).isEqualTo(State.LOST);
    }

    @Test
    void everyMemberEndsAtMostOnceUnderAnyOrderOfWitnesses() {
        for (long randomSeed = 0; randomSeed < 500; randomSeed++) {
            Random random = new Random(randomSeed);
            MembershipMachine machine = new MembershipMachine(0, MEMBERS);
            for (int word = 0; word < 20; word++) {
                MemberId about = MEMBERS.get(random.nextInt(MEMBERS.size()));
                switch (random.nextInt(3)) {
                    case 0 -> machine.handleGoodbye(about);
                    case 1 -> machine.handleLinkClosed(about, "closed");
                    default -> machine.handleDeparted(about, random.nextBoolean(), "told");
                }
            }
            List<MembershipEvent> events = drain(machine);
            assertThat(events)
                    .as("random seed %d", randomSeed)
                    .hasSize(MEMBERS.size() - machine.alive().size());
        }
    }

    @Test
    void strangersToTheEpochAreRefusedOrIgnored() {
        MembershipMachine machine = new MembershipMachine(0, MEMBERS);
        machine.handleLinkClosed(new MemberId(99), "closed");
        assertThat(drain(machine)).isEmpty();
        assertThatThrownBy(() -> machine.state(new MemberId(99)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("member 99 is no member of epoch 0");
    }
}
