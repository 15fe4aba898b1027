package io.nexar.transport.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Callers and the keeper's thread take turns in one event loop. */
@Timeout(60)
class TurnKeeperTest {
    private static final int CALLERS = 4;
    private static final int TASKS_OF_EACH = 5_000;

    private final CompletableFuture<Thread> keeping = new CompletableFuture<>();
    private final SocketLoop sockets =
            new SocketLoop(task -> {
                Thread thread = new Thread(task, "keeper");
                keeping.complete(thread);
                return thread;
            });
    private final EventLoop loop = sockets.loop();
    private final TurnKeeper keeper = sockets.keeper();

    @AfterEach
    void close() {
        sockets.close();
    }

    @Test
    void aCallerThatWaitsInsideRunsWhatIsAskedOfTheLoop() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        Thread caller = new Thread(() -> waitUntil(isOver), "caller");
        caller.start();
        Thread ranIn = keeping.join();
        while (ranIn != caller) { // until it has taken over from the keeper
            ranIn = loop.submit(Thread::currentThread).get(10, TimeUnit.SECONDS);
            assertThat(ranIn).isIn(caller, keeping.join());
        }
        isOver.set(true);
        keeper.wake(caller);
        assertThat(caller.join(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void aWakeUpBetweenPrepareAndSleepEndsTheSleep() {
        long ticket = keeper.prepare();
        keeper.wake(Thread.currentThread());
        keeper.sleep(ticket, Long.MAX_VALUE);
        assertThat(keeper.prepare()).isNotEqualTo(ticket);
    }

    @Test
    void anInterruptedCallerReturnsSoonAndStaysInterrupted() throws Exception {
        CompletableFuture<Boolean> wasInterrupted = new CompletableFuture<>();
        Thread caller =
                new Thread(
                        () -> {
                            while (!Thread.currentThread().isInterrupted()) {
                                keeper.sleep(keeper.prepare(), Long.MAX_VALUE);
                            }
                            wasInterrupted.complete(Thread.currentThread().isInterrupted());
                        },
                        "caller");
        caller.start();
        caller.interrupt();
        assertThat(wasInterrupted.get(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void timersGoOnWhenTheCallerThatDroveIsAboutSomethingElse() throws Exception {
        takeTheTurnOnce();
        Thread timersIn =
                loop.schedule(Thread::currentThread, 1, TimeUnit.MILLISECONDS)
                        .get(10, TimeUnit.SECONDS);
        assertThat(timersIn).isSameAs(keeping.join());
    }

    @Test
    void nobodyDrivesBeforeACallerHasPreparedToSleepNorInAVirtualThread() throws Exception {
        assertThat(keeper.tryPass()).isFalse();
        takeTheTurnOnce();
        CompletableFuture<Boolean> drove = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> drove.complete(keeper.tryPass()));
        assertThat(drove.get(10, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void whatACallerPutsOffIsDoneBeforeAnythingElse() throws Exception {
        takeTheTurnOnce();
        List<String> order = new ArrayList<>(); // the loop's, then read after it
        putOff(() -> order.add("put off"));
        loop.submit(() -> order.add("next")).get(10, TimeUnit.SECONDS);
        assertThat(order).containsExactly("put off", "next");
    }

    @Test
    void theKeeperDoesWhatACallerPutsOffThatDoesNotComeBack() throws Exception {
        takeTheTurnOnce();
        CompletableFuture<Thread> ranIn = new CompletableFuture<>();
        putOff(() -> ranIn.complete(Thread.currentThread()));
        assertThat(ranIn.get(10, TimeUnit.SECONDS)).isSameAs(keeping.join());
    }

    @Test
    void theKeeperPutsNothingOff() throws Exception {
        assertThat(loop.submit(() -> keeper.isPutOff(() -> {})).get(10, TimeUnit.SECONDS))
                .isFalse();
    }

    @Test
    void theLoopEndsWhileACallerWaitsInside() throws Exception {
        AtomicBoolean isOver = new AtomicBoolean();
        Thread caller = new Thread(() -> waitUntil(isOver), "caller");
        caller.start();
        Future<?> timer = loop.schedule(() -> {}, 1, TimeUnit.HOURS);
        sockets.close();
        assertThat(timer.isCancelled()).isTrue();
        assertThat(keeping.join().join(Duration.ofSeconds(10))).isTrue();
        isOver.set(true);
        keeper.wake(caller);
        assertThat(caller.join(Duration.ofSeconds(10))).isTrue();
    }

    @Test
    void oneThreadAtATimeIsTheLoopAndNoTaskIsLost() throws Exception {
        int[] ran = new int[2]; // tasks and turns: the loop's, without any lock of their own
        int[] turns = new int[CALLERS];
        CountDownLatch done = new CountDownLatch(CALLERS * TASKS_OF_EACH);
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            int number = i;
            callers.add(new Thread(() -> drive(number, ran, turns, done), "caller-" + i));
        }
        callers.forEach(Thread::start);
        assertThat(done.await(40, TimeUnit.SECONDS)).as("left: %s", done.getCount()).isTrue();
        for (Thread caller : callers) {
            assertThat(caller.join(Duration.ofSeconds(10))).isTrue();
        }
        loop.submit(() -> assertThat(ran).containsExactly(CALLERS * TASKS_OF_EACH, sum(turns)))
                .get(10, TimeUnit.SECONDS);
    }

    private void drive(int number, int[] ran, int[] turns, CountDownLatch done) {
        for (int i = 0; i < TASKS_OF_EACH; i++) {
            loop.execute(() -> {
                assertThat(loop.inEventLoop()).isTrue();
                ran[0]++;
                done.countDown();
            });
            if (keeper.tryRun(() -> ran[1]++)) {
                turns[number]++;
            }
            if (i % 100 == 0) {
                keeper.sleep(keeper.prepare(), 10_000);
            }
        }
    }

    private static int sum(int[] counts) {
        int sum = 0;
        for (int count : counts) {
            sum += count;
        }
        return sum;
    }

    private void waitUntil(AtomicBoolean isOver) {
        while (!isOver.get()) {
            keeper.sleep(keeper.prepare(), Long.MAX_VALUE);
        }
    }

    /** Tries until it is asked for in a pass of this thread and not of the keeper. */
    private void putOff(Runnable task) {
        AtomicBoolean isDone = new AtomicBoolean();
        while (!isDone.get()) {
            loop.execute(() -> isDone.compareAndSet(false, !isDone.get() && keeper.isPutOff(task)));
            keeper.tryPass();
        }
    }

    /** The keeper gives it when it is asked. */
    private void takeTheTurnOnce() {
        keeper.prepare();
        while (!keeper.tryPass()) {
            Thread.onSpinWait();
        }
    }
}
