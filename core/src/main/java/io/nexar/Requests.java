package io.nexar;

import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Waiting for several requests, whoever made them: only the interface is used. */
final class Requests {

    private Requests() {}

    @SuppressWarnings("ReferenceEquality") // One exception can't suppress itself.
    static void awaitAll(Collection<? extends Request<?>> requests) {
        RuntimeException first = null;
        for (Request<?> request : requests) {
            RuntimeException failure = failureOf(request);
            if (first == null) {
                first = failure;
            } else if (failure != null && failure != first) {
                first.addSuppressed(failure);
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private static @Nullable RuntimeException failureOf(Request<?> request) {
        try {
            request.await();
            return null;
        } catch (RuntimeException failure) {
            return failure;
        }
    }

    /**
     * Asks all, then sleeps until the first future completes, then asks again. A future may
     * complete a moment before its request says that it is over, hence the answer from the future
     * itself.
     */
    static int awaitAny(List<? extends Request<?>> requests) {
        if (requests.isEmpty()) {
            throw new IllegalArgumentException("no requests: there is nothing to wait for");
        }
        for (int i = 0; i < requests.size(); i++) {
            if (requests.get(i).isDone()) {
                return i;
            }
        }
        List<? extends CompletableFuture<?>> futures =
                requests.stream().map(Request::toCompletableFuture).toList();
        awaitFirst(CompletableFuture.anyOf(futures.toArray(CompletableFuture[]::new)));
        for (int i = 0; i < futures.size(); i++) {
            if (futures.get(i).isDone()) {
                return i;
            }
        }
        throw new AssertionError("one of " + futures.size() + " futures completed, then none had");
    }

    private static void awaitFirst(CompletableFuture<?> any) {
        try {
            any.get();
        } catch (ExecutionException _) {
            // Over is over: the error belongs to whoever awaits that request.
            return;
        } catch (java.util.concurrent.CancellationException _) {
            return;
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            throw new InterruptedOperationException(null, interrupt);
        }
    }
}
