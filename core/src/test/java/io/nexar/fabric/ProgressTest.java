package io.nexar.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Waiting, leading and waking, with threads that come and go. */
class ProgressTest {
    private static final IdleStrategy PARK_AT_ONCE = new IdleStrategy(0, 0);

    /** A rank whose arrivals are completions to end. */
    private static final class Inbox implements Progress.Work {
        final ConcurrentLinkedQueue<Completion> arrived = new ConcurrentLinkedQueue<>();

        @Override
        public int doWork() {
            int work = 0;
            for (Completion next = arrived.poll(); next != null; next = arrived.poll()) {
                next.succeed();
                work++;
            }
            return work;
        }

        @Override
        public long nextDeadlineNanos() {
            return Long.MAX_VALUE;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void noWakeUpIsLostWhoeverLeads(boolean hasBackground) throws Exception {
        Inbox inbox = new Inbox();
        Progress progress = new Progress(inbox, PARK_AT_ONCE, System::nanoTime);
        Completion stop = new Completion();
        Thread background = Thread.ofPlatform().unstarted(() -> progress.leadInBackground(stop));
        if (hasBackground) {
            background.start();
        }
        int waiters = 4;
        int rounds = 2000;
        ConcurrentLinkedQueue<Completion> requested = new ConcurrentLinkedQueue<>();
        AtomicInteger done = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < waiters; i++) {
            threads.add(
                    Thread.ofPlatform().start(() -> waitOften(progress, requested, rounds, done)));
        }
        while (done.get() < waiters * rounds) {
            Completion next = requested.poll();
            if (next != null) {
                inbox.arrived.add(next);
                progress.wakeUp();
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        stop.succeed();
        progress.wakeUp();
        background.join();
        assertThat(done).hasValue(waiters * rounds);
    }

    @Test
    void theBackgroundThreadEndsWhatNobodyWaitsFor() throws Exception {
        Inbox inbox = new Inbox();
        Progress progress = new Progress(inbox, PARK_AT_ONCE, System::nanoTime);
        Completion stop = new Completion();
        Thread background = Thread.ofPlatform().start(() -> progress.leadInBackground(stop));
        for (int i = 0; i < 1000; i++) {
            Completion operation = new Completion();
            inbox.arrived.add(operation);
            progress.wakeUp();
            while (!operation.isDone()) {
                Thread.onSpinWait();
            }
        }
        stop.succeed();
        background.join();
        assertThat(background.isAlive()).isFalse();
    }

    @Test
    @Timeout(30)
    void theBackgroundThreadTakesOverOnceCallersStopAndSleepsWhenNothingIsLeft() throws Exception {
        Inbox inbox = new Inbox();
        Progress progress = new Progress(inbox, PARK_AT_ONCE, System::nanoTime);
        Completion stop = new Completion();
        Thread background = Thread.ofPlatform().start(() -> progress.leadInBackground(stop));
        for (int i = 0; i < 1000; i++) {
            Completion operation = new Completion();
            inbox.arrived.add(operation);
            assertThat(progress.await(operation, System.nanoTime() + 20_000_000_000L)).isTrue();
        }
        Completion late = new Completion();
        inbox.arrived.add(late);
        progress.wakeUp();
        while (!late.isDone()) {
            Thread.onSpinWait();
        }
        // Without a time limit: a rank in which nothing happens looks at nothing.
        while (background.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        stop.succeed();
        background.join();
    }

    @Test
    @Timeout(30)
    void theBackgroundThreadSleepsAsWellWhileACallerWaitsForLong() throws Exception {
        Inbox inbox = new Inbox();
        Progress progress = new Progress(inbox, PARK_AT_ONCE, System::nanoTime);
        Completion stop = new Completion();
        Thread background = Thread.ofPlatform().start(() -> progress.leadInBackground(stop));
        Completion operation = new Completion();
        AtomicInteger ended = new AtomicInteger();
        Thread caller =
                Thread.ofPlatform()
                        .start(() -> {
                            waitFor(progress, operation);
                            ended.incrementAndGet();
                        });
        while (background.getState() != Thread.State.WAITING || !progress.hasCaller()) {
            Thread.onSpinWait();
        }
        inbox.arrived.add(operation);
        progress.wakeUp();
        caller.join();
        assertThat(ended).hasValue(1);
        stop.succeed();
        background.join();
    }

    @Test
    void aWaiterGivesUpAtItsDeadlineAndTheOperationGoesOn() throws Exception {
        Inbox inbox = new Inbox();
        Progress progress = new Progress(inbox, PARK_AT_ONCE, System::nanoTime);
        Completion operation = new Completion();
        assertThat(progress.await(operation, System.nanoTime() + 20_000_000)).isFalse();
        inbox.arrived.add(operation);
        assertThat(progress.await(operation, System.nanoTime() + 20_000_000_000L)).isTrue();
    }

    private static void waitFor(Progress progress, Completion operation) {
        try {
            assertThat(progress.await(operation, System.nanoTime() + 30_000_000_000L)).isTrue();
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }

    private static void waitOften(
            Progress progress,
            ConcurrentLinkedQueue<Completion> requested,
            int rounds,
            AtomicInteger done) {
        try {
            for (int i = 0; i < rounds; i++) {
                Completion operation = new Completion();
                requested.add(operation);
                if (!progress.await(operation, System.nanoTime() + 30_000_000_000L)) {
                    throw new AssertionError("a wake-up was lost in round " + i);
                }
                done.incrementAndGet();
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        }
    }
}
