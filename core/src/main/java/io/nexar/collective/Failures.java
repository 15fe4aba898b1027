package io.nexar.collective;

import io.nexar.PeerLeftException;
import io.nexar.PeerLostException;

import org.jspecify.annotations.Nullable;

import java.util.function.Consumer;

/**
 * How calls end that cannot end well, and who knows why. Whatever breaks one call breaks the
 * engine: the first reason ends all that is under way and refuses all that comes later. Only a lost
 * peer spares the calls that need nothing more of it. Who leaves after a peer was lost may well do
 * so because of it, and a call that needed whoever left ends with the loss.
 *
 * <p>The reason is told twice: to the other ranks, and to this rank's caller. Where no call was
 * under way nobody has heard it yet; it then is untold until the next call, or the close.
 */
final class Failures {
    private final ActiveCalls active;
    private final Schedule schedule;
    private final Sender sender;
    private final Receiver receiver;
    private final @Nullable RuntimeException[] lostPeers;
    private boolean areAllThere = true;
    private @Nullable PeerLostException firstLoss;
    private Consumer<RuntimeException> breakListener = reason -> {};
    private @Nullable RuntimeException reason;
    private boolean areRanksTold;
    private boolean isCallerTold;

    Failures(ActiveCalls active, Schedule schedule, Sender sender, Receiver receiver, int size) {
        this.active = active;
        this.schedule = schedule;
        this.sender = sender;
        this.receiver = receiver;
        this.lostPeers = new @Nullable RuntimeException[size];
    }

    void onBreak(Consumer<RuntimeException> listener) {
        breakListener = listener;
    }

    /** Why no further call can start; null while the engine works. */
    @Nullable RuntimeException reason() {
        return reason;
    }

    /** The reason, if no call of this rank has ended or been refused with it. */
    @Nullable RuntimeException untold() {
        return isCallerTold ? null : reason;
    }

    /** The reason for a caller, who thereby knows it. */
    @Nullable RuntimeException tell() {
        isCallerTold |= reason != null;
        return reason;
    }

    boolean isLost(int peer) {
        return lostPeers[peer] != null;
    }

    /** Notes that nothing more comes from this peer; no call ends by that alone. */
    void lose(int peer, RuntimeException failure) {
        boolean hasLeft = failure instanceof PeerLeftException;
        areAllThere = false;
        lostPeers[peer] = hasLeft && firstLoss != null ? firstLoss : failure;
        if (firstLoss == null && failure instanceof PeerLostException loss) {
            firstLoss = loss;
        }
    }

    /** Ends the calls that need more of a lost peer; the others go on. */
    void endUnreachable() {
        for (long sequence = active.oldest(); sequence != active.next(); sequence++) {
            Execution execution = active.find(sequence);
            if (execution != null) {
                reachesPeers(execution);
            }
        }
    }

    /** Fails a call that needs more of a lost peer than has come already; false if it did. */
    boolean reachesPeers(Execution execution) {
        for (int peer = 0; !areAllThere && peer < lostPeers.length; peer++) {
            RuntimeException failure = lostPeers[peer];
            if (failure != null
                    && (Outstanding.hasSend(execution, peer)
                            || receiver.needsMore(execution, peer))) {
                end(execution, failure);
                refuseFurther(failure);
                return false;
            }
        }
        return true;
    }

    /** Ends everything. */
    void breakDown(RuntimeException cause) {
        for (long sequence = active.oldest(); sequence != active.next(); sequence++) {
            Execution execution = active.find(sequence);
            if (execution != null) {
                end(execution, cause);
            }
        }
        refuseFurther(cause);
    }

    /** Tells the other ranks, once: before the callers, who may then do anything. */
    void tellRanks() {
        if (reason != null && !areRanksTold) {
            areRanksTold = true;
            breakListener.accept(reason);
        }
    }

    /** The first reason stays; pieces of calls that will never start give their credit back. */
    private void refuseFurther(RuntimeException cause) {
        if (reason == null) {
            reason = cause;
            receiver.drop(active.next(), true);
        }
    }

    private void end(Execution execution, RuntimeException failure) {
        isCallerTold = true;
        schedule.end(execution, failure);
        sender.forget(execution);
        receiver.drop(execution.sequence(), false);
    }
}
