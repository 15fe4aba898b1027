package io.nexar.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.MemberId;
import io.nexar.MembershipEvent;

import org.junit.jupiter.api.Test;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

class RosterMembershipTest {
    private static final MemberId A = new MemberId(0);
    private static final MemberId B = new MemberId(1);
    private static final MemberId C = new MemberId(2);

    private final ArrayDeque<Runnable> callbacks = new ArrayDeque<>();
    private final RosterMembership membership =
            new RosterMembership(List.of(A, B, C), 4, callbacks::add);

    @Test
    void eachFateIsToldOnceInOrderWhoeverWitnessesIt() throws Exception {
        List<MembershipEvent> heard = new ArrayList<>();
        membership.subscribe(event -> {
            throw new IllegalStateException("planted");
        });
        try (AutoCloseable subscription = membership.subscribe(heard::add)) {
            membership.onGone(B, false, "process exited");
            membership.onGone(B, true, "a late goodbye");
            membership.onGone(C, true, "closed");
            assertThat(heard).as("told in another thread").isEmpty();
            runCallbacks();
            assertThat(heard)
                    .containsExactly(
                            new MembershipEvent.Lost(B, "process exited", 4),
                            new MembershipEvent.Left(C, 4));
        }
        membership.onGone(A, false, "after the subscription ended");
        runCallbacks();
        assertThat(heard).hasSize(2);
        assertThat(membership.members()).containsExactly(A, B, C);
    }

    private void runCallbacks() {
        for (Runnable next = callbacks.poll(); next != null; next = callbacks.poll()) {
            next.run();
        }
    }
}
