package io.nexar.collective;

import io.nexar.CallDescription;
import io.nexar.MismatchException;
import io.nexar.fabric.PieceLane;
import io.nexar.wire.CallNote;
import io.nexar.wire.CallNote.Purpose;
import io.nexar.wire.CallNote.State;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.Consumer;

/**
 * Compares this rank's calls with the other ranks', so that whoever learns of a mismatch learns
 * both calls.
 *
 * <p>A piece shows by its fingerprint that its sender has made another call, but not which. Its
 * receiver stops everything, so that nothing ends well that should not, and sends its own call as
 * evidence; the sender of the piece then knows both and aborts all ranks with them. If it is gone
 * before that, the receiver ends with what it knows.
 *
 * <p>Where each rank waits for the other there is no piece: so whoever has waited for a while sends
 * its call as a question. Who is asked compares, and answers with what it is in. See
 * docs/adr/0017-calls-compared.md for why this finds every mismatch that holds anybody up.
 */
final class Comparison {
    private static final int NOBODY = -1;
    private static final String UNKNOWN = "something else (not known here)";

    private final PieceLane lane;
    private final ActiveCalls active;
    private final PastCalls past;
    private final Consumer<RuntimeException> breakDown;
    private int suspect = NOBODY;
    private @Nullable CallNote evidence;

    Comparison(
            PieceLane lane,
            ActiveCalls active,
            PastCalls past,
            Consumer<RuntimeException> breakDown) {
        this.lane = lane;
        this.active = active;
        this.past = past;
        this.breakDown = breakDown;
    }

    /** Whether a peer's piece has shown a mismatch, so that nothing may move any more. */
    boolean isFrozen() {
        return suspect != NOBODY;
    }

    /** A piece of this peer does not belong to the call that this rank has made. */
    void suspect(int peer, CallNote mine, boolean isPeerLost) {
        suspect = peer;
        evidence = mine.withPurpose(Purpose.EVIDENCE);
        if (isPeerLost) {
            handleLost(peer);
        } else {
            lane.tell(peer, evidence);
        }
    }

    /** A suspect that is gone can't say what it called. */
    void handleLost(int peer) {
        if (peer == suspect) {
            giveUp();
        }
    }

    /** Ends with what is known, if a mismatch is. */
    void giveUp() {
        CallNote mine = evidence;
        if (mine != null) {
            breakDown.accept(mismatch(mine.call(), unknown(suspect, mine.sequence())));
        }
    }

    /** A peer tells what it is in. */
    void handle(int peer, CallNote theirs, long forNanos) {
        CallNote mine = theirs.state() == State.IDLE ? null : find(theirs.sequence(), peer);
        if (mine != null && mine.fingerprint() != theirs.fingerprint()) {
            breakDown.accept(mismatch(mine.call(), theirs.call()));
        } else if (theirs.purpose() == Purpose.EVIDENCE) {
            // Honest, unless it is about a call that is forgotten here.
            breakDown.accept(mismatch(unknown(lane.rank(), theirs.sequence()), theirs.call()));
        } else if (theirs.purpose() == Purpose.QUESTION) {
            lane.tell(peer, current(peer, Purpose.ANSWER, forNanos));
        }
    }

    /** Tells a peer what this rank is in, and asks for the same. */
    void ask(int peer, long forNanos) {
        lane.tell(peer, current(peer, Purpose.QUESTION, forNanos));
    }

    private CallNote current(int peer, Purpose purpose, long forNanos) {
        Execution oldest = active.find(active.oldest());
        return oldest == null
                ? new CallNote(State.IDLE, purpose, active.next(), 0, 0, null)
                : oldest.note(peer).withPurpose(purpose).lasting(forNanos);
    }

    private @Nullable CallNote find(long sequence, int peer) {
        Execution execution = active.find(sequence);
        return execution == null ? past.find(sequence, peer) : execution.note(peer);
    }

    private static CallDescription unknown(int rank, long sequence) {
        return new CallDescription(rank, UNKNOWN, 0, null, null, CallDescription.NO_ROOT, sequence);
    }

    private static MismatchException mismatch(
            @Nullable CallDescription one, @Nullable CallDescription other) {
        return new MismatchException(
                null, one == null || other == null ? List.of() : List.of(one, other));
    }
}
