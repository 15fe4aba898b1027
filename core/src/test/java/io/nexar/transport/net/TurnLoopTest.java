package io.nexar.transport.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

@Timeout(30)
class TurnLoopTest {
    private final SocketLoop sockets = new SocketLoop(Thread::new);
    private final EventLoop loop = sockets.loop();

    @AfterEach
    void close() {
        sockets.close();
    }

    @Test
    void aTimerThatIsDueNeverLooksSoAndRunsWhenTheLoopIsFree() throws Exception {
        List<String> order = new ArrayList<>(); // the loop's, then read after it
        ScheduledFuture<?> timer =
                loop.submit(
                                () -> {
                                    ScheduledFuture<?> made =
                                            loop.schedule(
                                                    () -> order.add("timer"),
                                                    1,
                                                    TimeUnit.NANOSECONDS);
                                    long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(5);
                                    while (System.nanoTime() < due) {
                                        Thread.onSpinWait();
                                    }
                                    order.add("still " + made.getDelay(TimeUnit.NANOSECONDS));
                                    return made;
                                })
                        .get(10, TimeUnit.SECONDS);
        assertThat(timer.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(timer.isSuccess()).isTrue();
        assertThat(order).containsExactly("still 1", "timer");
    }

    @Test
    void aTimerThatIsNotDueSaysHowLongItHas() {
        ScheduledFuture<?> timer = loop.schedule(() -> {}, 1, TimeUnit.HOURS);
        assertThat(timer.getDelay(TimeUnit.MINUTES)).isBetween(58L, 60L);
        assertThat(timer.compareTo(loop.schedule(() -> {}, 2, TimeUnit.HOURS))).isNegative();
    }

    @Test
    void aCancelledTimerDoesNotRun() throws Exception {
        List<String> ran = new ArrayList<>();
        ScheduledFuture<?> timer =
                loop.schedule(() -> ran.add("cancelled"), 20, TimeUnit.MILLISECONDS);
        assertThat(timer.cancel(false)).isTrue();
        assertThat(timer.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(timer.isCancelled()).isTrue();
        loop.schedule(() -> ran.add("next"), 40, TimeUnit.MILLISECONDS).get(10, TimeUnit.SECONDS);
        assertThat(ran).containsExactly("next");
    }

    @Test
    void aTimerThatFailsSaysWhy() {
        ScheduledFuture<?> timer =
                loop.schedule(
                        () -> {
                            throw new IllegalStateException("broken");
                        },
                        1,
                        TimeUnit.NANOSECONDS);
        assertThatThrownBy(() -> timer.get(10, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasRootCauseMessage("broken");
    }

    @Test
    void noTimerOutlivesItsLoop() {
        ScheduledFuture<?> timer = loop.schedule(() -> {}, 1, TimeUnit.HOURS);
        sockets.close();
        assertThat(timer.isCancelled()).isTrue();
        assertThatThrownBy(timer::get).isInstanceOf(CancellationException.class);
    }
}
