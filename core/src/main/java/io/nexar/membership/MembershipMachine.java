package io.nexar.membership;

import io.nexar.MemberId;
import io.nexar.MembershipEvent;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who of the members is here: events in, effects out; no clock, no socket, no thread.
 *
 * <p>A member is ALIVE until the first word about it: a goodbye means LEFT; a connection that
 * closed without one, or somebody who saw it die, means LOST. Both are for ever, for a member id is
 * never used again; later words about the same member change nothing. Several witnesses may tell of
 * one death, in any order.
 *
 * <p>Confined to one thread at a time.
 */
public final class MembershipMachine {

    /** What is known of a member. */
    public enum State {
        ALIVE,
        LEFT,
        LOST
    }

    private final long epoch;
    private final Map<MemberId, State> states = new LinkedHashMap<>();
    private final Deque<MembershipEvent> effects = new ArrayDeque<>();

    /**
     * @param members in the order of their ranks, this one included
     */
    public MembershipMachine(long epoch, List<MemberId> members) {
        this.epoch = epoch;
        for (MemberId member : members) {
            if (states.put(member, State.ALIVE) != null) {
                throw new IllegalArgumentException(member + " stands twice among the members");
            }
        }
    }

    /** What is known of that member. */
    public State state(MemberId member) {
        State state = states.get(member);
        if (state == null) {
            throw new IllegalArgumentException(member + " is no member of epoch " + epoch);
        }
        return state;
    }

    /** Those that are neither left nor lost, in the order of their ranks. */
    public List<MemberId> alive() {
        return states.keySet().stream().filter(it -> states.get(it) == State.ALIVE).toList();
    }

    /** The next thing that happened, or null; take them all after each event. */
    public @Nullable MembershipEvent pollEffect() {
        return effects.poll();
    }

    /** It said that it leaves. */
    public void handleGoodbye(MemberId member) {
        if (end(member, State.LEFT)) {
            effects.add(new MembershipEvent.Left(member, epoch));
        }
    }

    /** It is silent. It may come back, so that this is no fate. */
    public void handleSuspected(MemberId member) {
        if (state(member) == State.ALIVE) {
            effects.add(new MembershipEvent.Suspected(member, epoch));
        }
    }

    /** A link to it closed without a goodbye. */
    public void handleLinkClosed(MemberId member, String reason) {
        lose(member, reason);
    }

    /** The seed, which holds its tether, tells that it is gone. */
    public void handleDeparted(MemberId member, boolean orderly, String reason) {
        if (orderly) {
            handleGoodbye(member);
        } else {
            lose(member, reason);
        }
    }

    private void lose(MemberId member, String reason) {
        if (end(member, State.LOST)) {
            effects.add(new MembershipEvent.Lost(member, reason, epoch));
        }
    }

    /** Whether this is the first word; one about a stranger to this epoch is none. */
    private boolean end(MemberId member, State state) {
        return states.replace(member, State.ALIVE, state);
    }
}
