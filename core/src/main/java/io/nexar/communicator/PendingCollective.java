package io.nexar.communicator;

import io.nexar.OperationContext;
import io.nexar.collective.ClosedMemory;
import io.nexar.collective.CollectiveCall;
import io.nexar.collective.ExecutionListener;
import io.nexar.fabric.Completion;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** A collective under way on this rank. */
final class PendingCollective<T> extends Pending<T> implements ExecutionListener {
    private final Completion completion = new Completion();
    private final Supplier<T> result;
    private final Surround surround;
    private final @Nullable Thread caller;

    /**
     * @param caller the thread that stays in the call until it is over; null if none does
     */
    PendingCollective(
            CommunicatorCore core,
            OperationContext context,
            Duration timeout,
            Supplier<T> result,
            Surround surround,
            @Nullable Thread caller) {
        super(core, context, timeout);
        this.result = result;
        this.surround = surround;
        this.caller = caller;
    }

    @Override
    public @Nullable String callSite() {
        return caller == null ? null : CallSites.of(caller);
    }

    @Override
    public void onEnd(CollectiveCall call, @Nullable RuntimeException failure) {
        RuntimeException cause = failure == null ? finish(call) : failure;
        if (cause == null) {
            completion.succeed();
        } else {
            completion.fail(cause);
        }
    }

    private @Nullable RuntimeException finish(CollectiveCall call) {
        try {
            surround.after();
            return null;
        } catch (IllegalStateException e) {
            RuntimeException reason = ClosedMemory.explain(call, e);
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
        return core().engine().waits().waitingFor(context().sequence());
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
