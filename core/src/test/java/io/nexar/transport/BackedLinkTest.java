package io.nexar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.MemberId;
import io.nexar.transport.local.LocalMembers;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** Two links that act as one keep every promise of one. */
class BackedLinkTest extends LinkContractTest {
    private static final MemberId LEFT = new MemberId(3);
    private static final MemberId RIGHT = new MemberId(5);

    private final AtomicInteger leftSignals = new AtomicInteger();
    private final AtomicInteger rightSignals = new AtomicInteger();
    private @Nullable Link leftBase;

    @Override
    protected LinkPair open(Runnable leftWakeUp, Runnable rightWakeUp) throws Exception {
        LinkPair fast = LocalMembers.pair(LEFT, leftWakeUp, RIGHT, rightWakeUp);
        LinkPair base =
                LocalMembers.pair(
                        LEFT,
                        () -> signal(leftSignals, leftWakeUp),
                        RIGHT,
                        () -> signal(rightSignals, rightWakeUp));
        leftBase = base.left();
        return new LinkPair(
                new BackedLink(fast.left(), base.left(), leftSignals::get),
                new BackedLink(fast.right(), base.right(), rightSignals::get),
                () -> {
                    base.close();
                    fast.close();
                });
    }

    @Override
    protected long unpolledBytesMax() {
        return 64 * 64L * 1024;
    }

    @Test
    void theBasesEndIsTheEndOfBothAfterWhatHadArrived() {
        left.trySend(Lane.BULK, header(1), pattern(40, 7), 1);
        left.link().flush();
        Objects.requireNonNull(leftBase).close("its process died");
        LinkDriver.drive(() -> right.link().isClosed(), right);
        assertThat(right.arrived()).hasSize(1);
        assertFrame(right.arrived().getFirst(), header(1), 7);
        assertThat(right.link().closeCause()).contains("its process died");
        assertThat(right.trySend(Lane.CONTROL, header(2), pattern(0, 0), 2))
                .isEqualTo(SendResult.REFUSED);
    }

    private static void signal(AtomicInteger signals, Runnable wakeUp) {
        signals.incrementAndGet();
        wakeUp.run();
    }
}
