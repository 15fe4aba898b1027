package io.nexar.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Callers that come and go in any way, on a rank whose peers answer at any time: whatever is begun
 * ends, by whoever leads just then. A lost wake-up shows as a wait that does not end.
 */
@Timeout(120)
class ProgressStressTest {
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    private static final int STEPS = 1500;

    /** A pass leaves something over now and then, as one that polls a full link does. */
    private static final int PASS_MAX = 2;

    /** Requests that a peer answers; the answers are taken in by passes. */
    private static final class World implements Progress.Work {
        final ConcurrentLinkedQueue<Completion> asked = new ConcurrentLinkedQueue<>();
        final ConcurrentLinkedQueue<Completion> answered = new ConcurrentLinkedQueue<>();
        final AtomicInteger inPass = new AtomicInteger();

        @Override
        public int doWork() {
            assertThat(inPass.incrementAndGet()).as("threads in a pass").isEqualTo(1);
            int work = 0;
            Completion next = answered.poll();
            while (next != null) {
                next.succeed();
                work++;
                next = work == PASS_MAX ? null : answered.poll();
            }
            inPass.decrementAndGet();
            return work;
        }

        @Override
        public long nextDeadlineNanos() {
            return Long.MAX_VALUE;
        }
    }

    @ParameterizedTest(name = "seed {0}, {1} callers, spinning {2}")
    @CsvSource({"1,1,false", "2,1,true", "3,3,false", "4,3,true", "5,6,false", "6,6,true"})
    void whateverIsBegunEnds(long seed, int callers, boolean isSpinning) throws Exception {
        World world = new World();
        IdleStrategy idle = isSpinning ? new IdleStrategy(20, 5) : new IdleStrategy(0, 0);
        Progress progress = new Progress(world, idle, System::nanoTime, new TicketSleeper());
        Completion stop = new Completion();
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread background = start(false, failure, () -> progress.leadInBackground(stop));
        AtomicInteger running = new AtomicInteger(callers);
        Thread peer = start(false, failure, () -> answer(world, progress, seed, running));
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            Random random = new Random(seed * 31 + i);
            threads.add(
                    start(
                            i % 3 == 2,
                            failure,
                            () -> {
                                try {
                                    call(world, progress, random);
                                } finally {
                                    running.decrementAndGet();
                                }
                            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        peer.join();
        stop.succeed();
        background.join();
        assertThat(failure.get()).as("seed %d", seed).isNull();
        assertThat(world.asked).isEmpty();
    }

    /** One caller: waits, polls, gives up early, or leaves its work to others. */
    private static void call(World world, Progress progress, Random random) {
        List<Completion> unattended = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            Completion operation = new Completion();
            world.asked.add(operation);
            switch (random.nextInt(12)) {
                case 0 -> {
                    progress.wakeUpUnattended();
                    unattended.add(operation);
                }
                case 1 -> progress.poll();
                case 2 -> await(progress, operation, System.nanoTime() + random.nextInt(50_000));
                default -> mustEnd(progress, operation, "step " + step);
            }
            if (random.nextInt(100) == 0) {
                spinUntilDone(unattended);
            }
        }
        spinUntilDone(unattended);
    }

    private static void mustEnd(Progress progress, Completion operation, String what) {
        if (!await(progress, operation, System.nanoTime() + PATIENCE_NANOS)) {
            throw new AssertionError(what + ": a wake-up was lost");
        }
    }

    /** Nobody waits for these in a call: the background thread ends them. */
    private static void spinUntilDone(List<Completion> operations) {
        long until = System.nanoTime() + PATIENCE_NANOS;
        for (Completion operation : operations) {
            while (!operation.isDone()) {
                if (System.nanoTime() - until > 0) {
                    throw new AssertionError("nobody went on with what nobody waits for");
                }
                Thread.yield();
            }
        }
        operations.clear();
    }

    private static boolean await(Progress progress, Completion operation, long deadlineNanos) {
        try {
            return progress.await(operation, deadlineNanos);
        } catch (InterruptedException interrupt) {
            throw new AssertionError(interrupt);
        }
    }

    private static void answer(World world, Progress progress, long seed, AtomicInteger running) {
        Random random = new Random(seed);
        while (running.get() > 0 || !world.asked.isEmpty()) {
            Completion next = world.asked.poll();
            if (next == null) {
                Thread.yield();
                continue;
            }
            if (random.nextInt(8) == 0) {
                for (int i = random.nextInt(300); i > 0; i--) {
                    Thread.onSpinWait();
                }
            }
            if (random.nextInt(16) == 0) {
                progress.lock(); // Ended by somebody else than the leader.
                try {
                    next.succeed();
                } finally {
                    progress.unlock();
                }
            } else {
                world.answered.add(next);
                progress.wakeUp();
            }
        }
    }

    private static Thread start(
            boolean isVirtual, AtomicReference<Throwable> failure, Runnable life) {
        Runnable caught =
                () -> {
                    try {
                        life.run();
                    } catch (Throwable thrown) {
                        failure.compareAndSet(null, thrown);
                    }
                };
        return isVirtual ? Thread.ofVirtual().start(caught) : Thread.ofPlatform().start(caught);
    }
}
