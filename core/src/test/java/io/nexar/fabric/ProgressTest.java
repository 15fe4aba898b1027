package io.nexar.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.transport.Sleeper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting, leading and waking, with threads that come and go. */
class ProgressTest {
    private static final IdleStrategy PARK_AT_ONCE = new IdleStrategy(0, 0);

    /** A rank whose arrivals are completions to end. */
    private static final class Inbox implements Progress.Work {
        final ConcurrentLinkedQueue<Completion> arrived = new ConcurrentLinkedQueue<>();
        final AtomicInteger passes = new AtomicInteger();

        @Override
        public int doWork() {
            passes.incrementAndGet();
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
    void whoeverLooksAtOnceLooksForLongOnlyWhereNothingComes() {
        AtomicInteger passes = new AtomicInteger();
        AtomicInteger found = new AtomicInteger();
        Progress.Work endless =
                new Progress.Work() {
                    @Override
                    public int doWork() {
                        passes.incrementAndGet();
                        return found.get();
                    }

                    @Override
                    public long nextDeadlineNanos() {
                        return Long.MAX_VALUE;
                    }
                };
        Progress progress = new Progress(endless, new IdleStrategy(20, 0), System::nanoTime);

        look(progress, new Completion());
        assertThat(passes.getAndSet(0)).isEqualTo(20);

        found.set(1);
        look(progress, new Completion());
        assertThat(passes.get()).isLessThan(10);
    }

    private static void look(Progress progress, Completion operation) {
        progress.lock();
        try {
            progress.lookAtOnce(operation);
        } finally {
            progress.unlock();
        }
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
        spinUntil(late::isDone);
        // Without a time limit: a rank in which nothing happens looks at nothing.
        spinUntil(() -> background.getState() == Thread.State.WAITING);
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
        spinUntil(() -> background.getState() == Thread.State.WAITING && progress.hasCaller());
        inbox.arrived.add(operation);
        progress.wakeUp();
        caller.join();
        assertThat(ended).hasValue(1);
        stop.succeed();
        background.join();
    }

    /** Whoever waits for a lock parks, and takes the word that there is work for its own. */
    @Test
    @Timeout(30)
    void waitingForTheLockUsesUpNoWakeUp() throws Exception {
        Inbox inbox = new Inbox();
        HookedSleeper sleeper = new HookedSleeper();
        Progress progress = new Progress(inbox, PARK_AT_ONCE, System::nanoTime, sleeper);
        Completion stop = new Completion();
        Thread background = Thread.ofPlatform().start(() -> progress.leadInBackground(stop));
        sleeper.aboutToSleep.await();
        progress.lock();
        int passes = inbox.passes.get();
        sleeper.mayGoOn.countDown();
        awaitParked(background, "ReentrantLock");
        progress.wakeUp(); // Its wait for the lock uses this up.
        awaitParked(background, "ReentrantLock");
        progress.unlock();
        spinUntil(() -> inbox.passes.get() > passes);
        awaitParked(background, "ParkingSleeper");
        Completion operation = new Completion();
        inbox.arrived.add(operation);
        progress.wakeUp();
        spinUntil(operation::isDone);
        stop.succeed();
        background.join();
    }

    /** Seen there often enough in a row not to be on its way to look whether it may go on. */
    private static void awaitParked(Thread thread, String where) {
        int[] seen = new int[1];
        spinUntil(() -> {
            Object blocker = LockSupport.getBlocker(thread);
            boolean isThere =
                    blocker != null
                            && blocker.getClass().getName().contains(where)
                            && thread.getState() == Thread.State.WAITING;
            seen[0] = isThere ? seen[0] + 1 : 0;
            return seen[0] == 10_000;
        });
    }

    private static void spinUntil(BooleanSupplier condition) {
        long until = System.nanoTime() + 20_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("still waiting").isLessThan(until);
            Thread.onSpinWait();
        }
    }

    /** Parks; whoever is about to do so for the first time waits before it looks once more. */
    private static final class HookedSleeper implements Sleeper {
        final CountDownLatch aboutToSleep = new CountDownLatch(1);
        final CountDownLatch mayGoOn = new CountDownLatch(1);
        private final Sleeper parking = new ParkingSleeper();

        @Override
        public long prepare() {
            aboutToSleep.countDown();
            try {
                mayGoOn.await();
            } catch (InterruptedException interrupt) {
                throw new AssertionError(interrupt);
            }
            return parking.prepare();
        }

        @Override
        public void cancel() {
            parking.cancel();
        }

        @Override
        public void sleep(long ticket, long nanos) {
            parking.sleep(ticket, nanos);
        }

        @Override
        public void wake(Thread sleeper) {
            parking.wake(sleeper);
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0, 100000000", "100000000, 0", "3, 5"})
    @Timeout(30)
    void aWaiterGivesUpAtItsDeadlineAndTheOperationGoesOn(int spins, int yields) throws Exception {
        Inbox inbox = new Inbox();
        Progress progress = new Progress(inbox, new IdleStrategy(spins, yields), System::nanoTime);
        Completion operation = new Completion();
        assertThat(progress.await(operation, System.nanoTime() + 20_000_000)).isFalse();
        inbox.arrived.add(operation);
        assertThat(progress.await(operation, System.nanoTime() + 20_000_000_000L)).isTrue();
    }

    @Test
    @Timeout(30)
    void aLeaderThatIsToShareItsCoreAndHasItAloneSleepsUntilItIsWoken() throws Exception {
        Inbox inbox = new Inbox();
        HookedSleeper sleeper = new HookedSleeper();
        IdleStrategy yielding = new IdleStrategy(0, Integer.MAX_VALUE).leavingLoneCore();
        Progress progress = new Progress(inbox, yielding, () -> 0, sleeper); // no turn takes long
        Completion operation = new Completion();
        Thread waiter = Thread.ofPlatform().start(() -> waitFor(progress, operation));
        sleeper.aboutToSleep.await();
        sleeper.mayGoOn.countDown();
        inbox.arrived.add(operation);
        progress.wakeUp();
        waiter.join();
        assertThat(operation.isDone()).isTrue();
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
