package io.nexar.communicator;

import io.nexar.OperationContext;
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

    PendingCollective(
            CommunicatorCore core, OperationContext context, Duration timeout, Supplier<T> result) {
        super(core, context, timeout);
        this.result = result;
    }

    @Override
    public void onEnd(CollectiveCall call, @Nullable RuntimeException failure) {
        if (failure == null) {
            completion.succeed();
        } else {
            completion.fail(failure);
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
        return List.of();
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
