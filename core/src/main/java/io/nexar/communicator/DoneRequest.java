package io.nexar.communicator;

import io.nexar.Request;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The request of a call that had nothing to do. */
record DoneRequest<T>(Supplier<T> result) implements Request<T> {
    @Override
    public T await() {
        return result.get();
    }

    @Override
    public T await(Duration timeout) {
        return result.get();
    }

    @Override
    public boolean isDone() {
        return true;
    }

    @Override
    public void cancel() {}

    @Override
    public CompletableFuture<T> toCompletableFuture() {
        return CompletableFuture.completedFuture(result.get());
    }
}
