package io.nexar.communicator;

import io.nexar.OperationContext;
import io.nexar.ProtocolException;
import io.nexar.collective.CollectiveCall;
import io.nexar.collective.ExecutionListener;
import io.nexar.fabric.Completion;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/**
 * A collective under way on this rank. The one of a blocking caller is used again for its next
 * call, so that a call makes no object.
 */
final class PendingCollective<T> extends Pending<T> implements ExecutionListener {
    private final Completion completion = new Completion();
    private final Supplier<T> result;
    private final boolean isBlocking;
    private @Nullable Thread caller;
    private Surround surround = Surround.NOTHING;
    private String operation = "";
    private long sequence;

    /**
     * @param isBlocking whether the calling thread stays in the call until it is over
     */
    PendingCollective(
            CommunicatorCore core, Duration timeout, Supplier<T> result, boolean isBlocking) {
        super(core, timeout);
        this.result = result;
        this.isBlocking = isBlocking;
    }

    /** Takes up a call of this thread; the one before, if there was one, must be over. */
    void begin(String newOperation, long newSequence, Surround newSurround) {
        operation = newOperation;
        sequence = newSequence;
        surround = newSurround;
        caller = isBlocking ? Thread.currentThread() : null;
        completion.reset();
        begin();
    }

    /** Whether the calling thread stays in the call until it is over. */
    boolean isBlocking() {
        return isBlocking;
    }

    @Override
    OperationContext context() {
        return core().context(operation, sequence);
    }

    @Override
    public @Nullable String callSite() {
        Thread thread = caller;
        return thread == null ? null : CallSites.of(thread);
    }

    @Override
    public void onEnd(CollectiveCall call, @Nullable RuntimeException failure) {
        RuntimeException cause = failure == null ? finish() : failure;
        if (cause == null) {
            completion.succeed();
        } else {
            completion.fail(cause);
        }
    }

    /**
     * What is left to do: it looks at what the others sent, which may be wrong, and touches the
     * caller's receive buffer and nothing else.
     */
    private @Nullable RuntimeException finish() {
        try {
            surround.after();
            return null;
        } catch (ProtocolException e) {
            core().engine().fail(e);
            return e;
        } catch (IllegalStateException e) {
            RuntimeException reason =
                    new IllegalStateException(
                            operation
                                    + " #"
                                    + Long.toUnsignedString(sequence)
                                    + ": a receive buffer was closed before the call was over",
                            e);
            core().engine().fail(reason);
            return reason;
        }
    }

    @Override
    Completion completion() {
        return completion;
    }

    @Override
    T result() {
        return result.get();
    }

    @Override
    String missing() {
        return "the others' part";
    }

    @Override
    List<Integer> waitingFor() {
        return core().engine().waits().waitingFor(sequence);
    }

    /** A collective that one rank leaves is over for all: the communicator breaks. */
    @Override
    void giveUp(RuntimeException failure) {
        if (!completion.isDone()) {
            core().engine().fail(failure);
        }
    }

    /** The others count on it. */
    @Override
    boolean withdraw() {
        return false;
    }
}
