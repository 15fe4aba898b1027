package io.nexar.collective;

import io.nexar.CallDescription;
import io.nexar.fabric.PieceLane;
import io.nexar.wire.CallNote;
import io.nexar.wire.CallNote.State;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * What this rank is in, for how long, and whom it waits for. Whoever has waited for a second asks
 * the others what they are in, which finds out calls that differ, and lets an error name the ranks
 * that have not come instead of those that wait themselves.
 */
public final class Waits {
    /** Up to so many ranks, asking all of them is nothing: two small frames for each. */
    private static final int ASK_ALL_SIZE_MAX = 64;

    private final PieceLane lane;
    private final ActiveCalls active;
    private final Comparison comparison;
    private final CallWatch watch = new CallWatch();
    private final @Nullable CallNote[] heard;
    private final long[] heardNanos;

    Waits(PieceLane lane, ActiveCalls active, Comparison comparison) {
        this.lane = lane;
        this.active = active;
        this.comparison = comparison;
        this.heard = new @Nullable CallNote[lane.size()];
        this.heardNanos = new long[lane.size()];
    }

    /**
     * Looks how long the oldest call has been waiting; true if that made something to do.
     *
     * @param moved a count that rises with everything that gets done
     */
    boolean look(long nowNanos, long moved) {
        Execution oldest = oldest();
        if (oldest == null) {
            watch.rest(nowNanos);
            return false;
        }
        watch.look(nowNanos, active.oldest(), moved);
        boolean isTimeToAsk = !comparison.isFrozen() && watch.shouldAsk();
        if (isTimeToAsk) {
            // In a large world only those that this rank waits for: they ask on in turn.
            ask(peer -> lane.size() <= ASK_ALL_SIZE_MAX || Outstanding.isHeldUpBy(oldest, peer));
        }
        return isTimeToAsk;
    }

    /** Asks every other rank what it is in. */
    public void askAll() {
        ask(peer -> true);
    }

    private void ask(IntPredicate whom) {
        for (int peer = 0; peer < lane.size(); peer++) {
            if (peer != lane.rank() && whom.test(peer)) {
                comparison.ask(peer, callNanos());
            }
        }
    }

    /** A peer tells what it is in. */
    void hear(int peer, CallNote note) {
        if (note.state() != State.PAST) {
            heard[peer] = note;
            heardNanos[peer] = watch.lookedNanos();
        }
        comparison.handle(peer, note, callNanos());
    }

    /** What a peer has said about what it is in since then; null if it has not. */
    public @Nullable CallNote heard(int peer, long sinceNanos) {
        return heardNanos[peer] - sinceNanos < 0 ? null : heard[peer];
    }

    /** How long nothing of the oldest call has moved; 0 if there is none. */
    public long stillNanos() {
        return oldest() == null ? 0 : watch.stillNanos(active.oldest());
    }

    /** Whether that is this rank's oldest call. */
    public boolean isOldest(long sequence) {
        return oldest() != null && active.oldest() == sequence;
    }

    /** What this rank is in: its oldest call; null if it is in none. */
    public @Nullable CallDescription call() {
        Execution oldest = oldest();
        return oldest == null ? null : oldest.describe();
    }

    /** How long it has been in that, as far as it has been watched; 0 if it is in none. */
    public long callNanos() {
        return watch.forNanos(active.oldest());
    }

    /** The ranks that have not come to this call, if it is known which; else those next in line. */
    public List<Integer> waitingFor(long sequence) {
        Execution execution = active.find(sequence);
        List<Integer> absent = new ArrayList<>();
        List<Integer> next = new ArrayList<>();
        for (int peer = 0; execution != null && peer < lane.size(); peer++) {
            if (peer != lane.rank() && isAbsent(peer, sequence)) {
                absent.add(peer);
            } else if (peer != lane.rank() && Outstanding.isHeldUpBy(execution, peer)) {
                next.add(peer);
            }
        }
        return absent.isEmpty() ? next : absent;
    }

    private boolean isAbsent(int peer, long sequence) {
        CallNote note = heard(peer, watch.askedNanos());
        if (note == null) {
            return false;
        }
        long behind = sequence - note.sequence();
        return note.state() == State.IDLE ? behind >= 0 : behind > 0;
    }

    private @Nullable Execution oldest() {
        return active.find(active.oldest());
    }
}
