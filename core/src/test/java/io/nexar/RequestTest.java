package io.nexar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

class RequestTest {

    @AfterEach
    @SuppressWarnings("ReturnValueIgnored") // The next test starts without a flag.
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void awaitAllWaitsForTheLateOnesAfterAFailure() throws Exception {
        FakeRequest failed = new FakeRequest();
        FakeRequest late = new FakeRequest();
        failed.future.completeExceptionally(new IllegalStateException("first"));
        FutureTask<Void> waiter = start(() -> Request.awaitAll(failed, late));
        assertThat(late.waited.join()).isTrue();
        assertThat(waiter.isDone()).isFalse();
        late.future.complete("late");
        assertThatThrownBy(waiter::get).cause().hasMessage("first").hasNoSuppressedExceptions();
    }

    @Test
    void awaitAllThrowsTheFirstFailureWithTheOthersSuppressed() {
        FakeRequest good = new FakeRequest();
        FakeRequest second = new FakeRequest();
        FakeRequest third = new FakeRequest();
        good.future.complete("good");
        third.future.completeExceptionally(new IllegalStateException("third"));
        IllegalStateException first = new IllegalStateException("second");
        second.future.completeExceptionally(first);
        FakeRequest same = new FakeRequest();
        same.future.completeExceptionally(first);
        assertThatThrownBy(() -> Request.awaitAll(List.of(good, second, third, same)))
                .hasMessage("second")
                .satisfies(failure ->
                        assertThat(failure.getSuppressed())
                                .singleElement()
                                .hasFieldOrPropertyWithValue("message", "third"));
    }

    @Test
    void awaitAllOfNothingReturns() {
        Request.awaitAll();
        Request.awaitAll(List.of());
    }

    @Test
    void awaitAnyTellsTheFirstThatIsOver() throws Exception {
        FakeRequest never = new FakeRequest();
        FakeRequest done = new FakeRequest();
        done.future.complete("done");
        assertThat(Request.awaitAny(never, done, done)).isEqualTo(1);
        FakeRequest soon = new FakeRequest();
        FutureTask<Integer> waiter =
                new FutureTask<>(() -> Request.awaitAny(List.of(never, never, soon)));
        Thread thread = Thread.ofPlatform().daemon().start(waiter);
        awaitParked(thread);
        soon.future.complete("soon");
        assertThat(waiter.get()).isEqualTo(2);
    }

    @Test
    void awaitAnyTakesAFailureForOver() throws Exception {
        FakeRequest never = new FakeRequest();
        FakeRequest failing = new FakeRequest();
        FutureTask<Integer> waiter = new FutureTask<>(() -> Request.awaitAny(never, failing));
        awaitParked(Thread.ofPlatform().daemon().start(waiter));
        failing.future.completeExceptionally(new IllegalStateException("broken"));
        assertThat(waiter.get()).isEqualTo(1);
    }

    @Test
    void awaitAnyOfNothingIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(Request::awaitAny);
    }

    @Test
    void anInterruptEndsAwaitAnyAndKeepsTheFlag() {
        FakeRequest never = new FakeRequest();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Request.awaitAny(never))
                .isInstanceOfSatisfying(
                        InterruptedOperationException.class,
                        failure -> assertThat(failure.scope()).isEqualTo(Scope.OPERATION));
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        assertThat(never.future).isNotDone();
    }

    private static FutureTask<Void> start(Runnable task) {
        FutureTask<Void> waiter = new FutureTask<>(task, null);
        Thread.ofPlatform().daemon().start(waiter);
        return waiter;
    }

    private static void awaitParked(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    /** An operation that is over when the test says so. */
    private static final class FakeRequest implements Request<String> {
        final CompletableFuture<String> future = new CompletableFuture<>();
        final CompletableFuture<Boolean> waited = new CompletableFuture<>();

        @Override
        public String await() {
            waited.complete(true);
            try {
                return future.get();
            } catch (ExecutionException failure) {
                throw (RuntimeException) failure.getCause();
            } catch (InterruptedException interrupt) {
                throw new AssertionError(interrupt);
            }
        }

        @Override
        public String await(Duration timeout) {
            return await();
        }

        @Override
        public boolean isDone() {
            return future.isDone();
        }

        @Override
        public void cancel() {
            future.cancel(false);
        }

        @Override
        public CompletableFuture<String> toCompletableFuture() {
            return future.copy();
        }
    }
}
