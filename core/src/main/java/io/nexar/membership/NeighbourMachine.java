package io.nexar.membership;

import io.nexar.MemberId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Neighbours as witnesses of death, for when the seed is gone: events and time in, effects out; no
 * clock, no socket, no thread.
 *
 * <p>Each member holds a connection to each of the two members that follow it in the order of
 * ranks, round the end, among those that are left. The kernel closes the connections of a process
 * that dies. But a network may break a connection of one that lives, so that a close without a
 * goodbye is only a doubt: the neighbour is dialled again. If nobody listens there any more, three
 * times in a row, its process is gone, for a process listens as long as it lives. Silence proves
 * nothing and is left to the heartbeats. Before a first tether has stood, a refusal proves nothing
 * either: there may be a firewall.
 *
 * <p>Four witnesses for each member: two that it dialled, two that dialled it. Confined to one
 * thread at a time.
 */
public final class NeighbourMachine {

    /** How many are dialled: the next one may die at the same moment. */
    private static final int DIALLED = 2;

    /** One refusal may be a listener's full queue. Three, a tick apart, take about a second. */
    private static final int REFUSALS = 3;

    /** Between dials of a member that can't be reached: a try costs little, and helps seldom. */
    private static final long RETRY_NANOS = 5_000_000_000L;

    private final int self;
    private final List<Neighbour> order;
    private final Map<MemberId, Neighbour> ring = new LinkedHashMap<>();
    private final Deque<NeighbourEffect> effects = new ArrayDeque<>();

    /**
     * @param members in the order of their ranks, this one included
     */
    public NeighbourMachine(List<MemberId> members, MemberId self, long nowNanos) {
        this.self = members.indexOf(self);
        if (this.self < 0) {
            throw new IllegalArgumentException(self + " is none of " + members);
        }
        members.forEach(member -> ring.put(member, new Neighbour(member, nowNanos)));
        this.order = List.copyOf(ring.values());
    }

    /** The next thing to do, or null; take them all after each event. */
    public @Nullable NeighbourEffect pollEffect() {
        return effects.poll();
    }

    /** A tether to that member stands; {@code isDialled} by us, or by it. */
    public void handleOpened(MemberId member, boolean isDialled) {
        Neighbour opened = ring.get(member);
        if (opened != null) {
            opened.tethers++;
            opened.isInDoubt = false;
            if (isDialled) {
                opened.isDialling = false;
                opened.isDialled = true;
            }
        }
    }

    /** A tether to that member closed, without a goodbye as far as is known. */
    public void handleClosed(MemberId member, boolean wasDialled, long nowNanos) {
        Neighbour closed = ring.get(member);
        if (closed == null) {
            return;
        }
        closed.tethers--;
        closed.isDialled &= !wasDialled;
        if (closed.tethers == 0 && !closed.isGone) {
            closed.isInDoubt = true;
            closed.refusals = 0;
            closed.nextDialNanos = nowNanos;
            dialIfDue(closed, nowNanos);
        }
    }

    /** Nobody listens there, or somebody else does. */
    public void handleRefused(MemberId member, long nowNanos) {
        Neighbour refused = ring.get(member);
        if (refused == null) {
            return;
        }
        refused.isDialling = false;
        if (!refused.isInDoubt || refused.isGone) {
            refused.nextDialNanos = nowNanos + RETRY_NANOS;
        } else if (++refused.refusals >= REFUSALS) {
            refused.isGone = true;
            effects.add(
                    new NeighbourEffect.GiveUp(
                            member,
                            "its process is gone: its connections closed, and nobody listens at"
                                    + " its address any more"));
        }
    }

    /** No answer, or one that broke off: this proves nothing, and a doubt remains one. */
    public void handleDialFailed(MemberId member, long nowNanos) {
        Neighbour failed = ring.get(member);
        if (failed != null) {
            failed.isDialling = false;
            failed.refusals = 0;
            failed.nextDialNanos = nowNanos + (failed.isInDoubt ? 0 : RETRY_NANOS);
        }
    }

    /** It said goodbye, or is lost: what becomes of its tethers means nothing any more. */
    public void handleGone(MemberId member) {
        Neighbour gone = ring.get(member);
        if (gone != null) {
            gone.isGone = true;
        }
    }

    /** Time has passed. */
    public void handleTick(long nowNanos) {
        for (Neighbour neighbour : ring.values()) {
            if (neighbour.isInDoubt) {
                dialIfDue(neighbour, nowNanos);
            }
        }
        int found = 0;
        for (int i = 1; i < order.size() && found < DIALLED; i++) {
            Neighbour next = order.get((self + i) % order.size());
            if (!next.isGone) {
                found++;
                if (!next.isDialled) {
                    dialIfDue(next, nowNanos);
                }
            }
        }
    }

    private void dialIfDue(Neighbour neighbour, long nowNanos) {
        boolean isDue = nowNanos - neighbour.nextDialNanos >= 0;
        if (isDue && !neighbour.isDialling && !neighbour.isGone) {
            neighbour.isDialling = true;
            effects.add(new NeighbourEffect.Dial(neighbour.member));
        }
    }
}
