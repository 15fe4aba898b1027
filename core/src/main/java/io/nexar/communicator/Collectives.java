package io.nexar.communicator;

import io.nexar.Algorithm;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;

/**
 * Collectives of one view, blocking and as requests. Used by one thread at a time, which {@link
 * CommunicatorCore#enterCollective} sees to, so that calls can use the same objects one after the
 * other.
 *
 * <p>A program makes the same few calls again and again, in the same order: of those with little
 * memory the last few stay bound, and besides them the one before, whatever it was.
 */
final class Collectives {
    /** More than a loop has, as a rule; to look through them all takes some ten nanoseconds. */
    private static final int KEPT_MAX = 8;

    private final CommunicatorCore core;
    private final ViewOptions options;
    private final CollectiveSpec spec = new CollectiveSpec();
    private final List<BoundCollective> kept = new ArrayList<>();

    /** Which of them have been called again since {@link #hand} came past. */
    private final BitSet called = new BitSet();

    /** The next of them to make room. */
    private int hand;

    /** Where a call is looked for first. */
    private int recent;

    /** What a new call is bound by. */
    private BoundCollective spare;

    private BoundCollective last;

    Collectives(CommunicatorCore core, ViewOptions options) {
        this.core = core;
        this.options = options;
        this.spare = new BoundCollective(core, options);
        this.last = spare;
    }

    /** What the next call is to be filled into. */
    CollectiveSpec spec() {
        return spec;
    }

    /** Runs it and waits for its end. */
    void run(CollectiveSpec what) {
        bind(what).run();
    }

    /** How the last call moves its data; null before the first. */
    @Nullable Algorithm lastAlgorithm() {
        return last.lastAlgorithm();
    }

    /** Starts it. What can be refused is refused before a byte moves. */
    <T> PendingCollective<T> start(CollectiveSpec what, Supplier<T> result) {
        return start(what, result, false);
    }

    /** The same for a caller who may stay until it is over. */
    <T> PendingCollective<T> start(CollectiveSpec what, Supplier<T> result, boolean isBlocking) {
        return bind(what).start(result, isBlocking);
    }

    private BoundCollective bind(CollectiveSpec what) {
        BoundCollective bound = find(what);
        if (bound == null) {
            bound = spare.bind(what);
            if (bound.isWorthKeeping()) {
                spare = keep(bound);
            }
        }
        last = bound;
        return bound;
    }

    /** The call before, or the one that came after it the last time, or any that is still bound. */
    private @Nullable BoundCollective find(CollectiveSpec what) {
        int place = recent;
        for (int i = 0; i < kept.size(); i++) {
            BoundCollective bound = kept.get(place);
            if (bound.isBoundTo(what)) {
                recent = place;
                called.set(place);
                return bound;
            }
            place = next(place);
        }
        return spare.isBoundTo(what) ? spare : null;
    }

    /**
     * Keeps one more. Returns the one that makes room: of those that were not called again since
     * the hand came past, the next (the clock algorithm of paging).
     */
    private BoundCollective keep(BoundCollective bound) {
        if (kept.size() < KEPT_MAX) {
            recent = kept.size();
            kept.add(bound);
            return new BoundCollective(core, options);
        }
        while (called.get(hand)) {
            called.clear(hand);
            hand = next(hand);
        }
        recent = hand;
        hand = next(hand);
        return kept.set(recent, bound);
    }

    private int next(int place) {
        return place + 1 < kept.size() ? place + 1 : 0;
    }
}
