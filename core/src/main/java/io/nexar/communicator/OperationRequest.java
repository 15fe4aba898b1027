package io.nexar.communicator;

import io.nexar.Request;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A request: its operation goes on in the runtime's thread, or in whoever waits. */
final class OperationRequest<T> implements Request<T> {
    private final Pending<T> pending;

    OperationRequest(Pending<T> pending) {
        this.pending = pending;
    }

    /**
     * Of an operation that nobody waits for yet: lets it end at its deadline by itself, and whoever
     * drives the rank know of it.
     */
    static <T> Request<T> unattended(Pending<T> pending) {
        CommunicatorCore core = pending.core();
        core.progress().lock();
        try {
            pending.expireUnattended();
        } finally {
            core.progress().unlock();
        }
        core.progress().wakeUpUnattended();
        return new OperationRequest<>(pending);
    }

    @Override
    public T await() {
        return pending.await();
    }

    @Override
    public T await(Duration timeout) {
        return pending.await(timeout);
    }

    @Override
    public boolean isDone() {
        return pending.completion().isDone();
    }

    @Override
    public void cancel() {
        pending.cancel();
    }

    @Override
    public CompletableFuture<T> toCompletableFuture() {
        CompletableFuture<T> future = new CompletableFuture<>();
        pending.completion()
                .onDone(() -> pending.core().settings().callbacks().execute(() -> settle(future)));
        return future;
    }

    private void settle(CompletableFuture<T> future) {
        try {
            future.complete(pending.outcome());
        } catch (RuntimeException failure) {
            future.completeExceptionally(failure);
        }
    }
}
