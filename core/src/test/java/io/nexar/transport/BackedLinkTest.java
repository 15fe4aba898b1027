package io.nexar.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.MemberId;
import io.nexar.ProtocolException;
import io.nexar.transport.local.LocalMembers;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;
import io.nexar.wire.LaneCounts;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/** Two links that act as one keep every promise of one. */
class BackedLinkTest extends LinkContractTest {
    private static final MemberId LEFT = new MemberId(3);
    private static final MemberId RIGHT = new MemberId(5);

    private final AtomicInteger leftSignals = new AtomicInteger();
    private final AtomicInteger rightSignals = new AtomicInteger();
    private final AtomicInteger seconds = new AtomicInteger();
    private @Nullable LinkPair base;
    private @Nullable LinkPair fast;

    @Override
    protected LinkPair open(Runnable leftWakeUp, Runnable rightWakeUp) throws Exception {
        LinkPair twins = unbacked(leftWakeUp, rightWakeUp);
        offerLeft(twins);
        offerRight(twins);
        return twins;
    }

    private LinkPair unbacked(Runnable leftWakeUp, Runnable rightWakeUp) throws Exception {
        LinkPair slow =
                LocalMembers.pair(
                        LEFT,
                        () -> signal(leftSignals, leftWakeUp),
                        RIGHT,
                        () -> signal(rightSignals, rightWakeUp));
        LinkPair quick = LocalMembers.pair(LEFT, leftWakeUp, RIGHT, rightWakeUp);
        base = slow;
        fast = quick;
        return new LinkPair(
                new BackedLink(slow.left(), leftSignals::get, this::later, cause -> {}),
                new BackedLink(slow.right(), rightSignals::get, this::later, cause -> {}),
                () -> {
                    slow.close();
                    quick.close();
                });
    }

    /** A second passes with each look at the clock. */
    private long later() {
        return seconds.incrementAndGet() * 1_000_000_000L;
    }

    private void offerLeft(LinkPair backed) {
        ((BackedLink) backed.left()).offer(Objects.requireNonNull(fast).left());
    }

    private void offerRight(LinkPair backed) {
        ((BackedLink) backed.right()).offer(Objects.requireNonNull(fast).right());
    }

    @Override
    protected long unpolledBytesMax() {
        return 64 * 64L * 1024;
    }

    @Test
    void theBasesEndIsTheEndOfBothAfterWhatHadArrived() {
        sendWhileBothPoll(Lane.BULK, header(0), pattern(40, 6));
        LinkDriver.drive(() -> right.arrived().size() == 1, left, right);
        left.trySend(Lane.BULK, header(1), pattern(40, 7), 1);
        left.link().flush();
        Objects.requireNonNull(base).left().close("its process died");
        LinkDriver.drive(() -> right.link().isClosed(), right);
        assertThat(right.arrived()).hasSize(2);
        assertFrame(right.arrived().getLast(), header(1), 7);
        assertThat(right.link().closeCause()).contains("its process died");
        assertThat(right.trySend(Lane.CONTROL, header(2), pattern(0, 0), 2))
                .isEqualTo(SendResult.REFUSED);
    }

    @Test
    void theEndOfTheFastLinkAloneEndsBothAndSaysWhy() {
        sendWhileBothPoll(Lane.BULK, header(0), pattern(40, 6));
        LinkDriver.drive(() -> right.arrived().size() == 1, left, right);
        Objects.requireNonNull(fast).left().close("its connection broke");
        LinkDriver.drive(() -> left.link().isClosed() && right.link().isClosed(), left, right);
        assertThat(left.link().closeCause()).contains("its connection broke");
        assertThat(right.link().closeCause()).contains("its connection broke");
    }

    @Test
    void lanesKeepTheirOrderWhereverAndWheneverTheFastLinkComes() throws Exception {
        for (long seed = SEED; seed < SEED + 200; seed++) {
            Random random = new Random(seed);
            Waker waker = new Waker();
            try (LinkPair twins = unbacked(waker, waker)) {
                LinkDriver one = new LinkDriver(twins.left(), waker);
                LinkDriver other = new LinkDriver(twins.right(), waker);
                int leftAt = random.nextInt(60);
                int rightAt = random.nextInt(60);
                for (int i = 0; i < 60; i++) {
                    if (i == leftAt) {
                        offerLeft(twins);
                    }
                    if (i == rightAt) {
                        offerRight(twins);
                    }
                    int number = i;
                    LinkDriver sender = random.nextBoolean() ? one : other;
                    Lane lane = Lane.of(random.nextInt(Lane.COUNT));
                    MemorySegment payload = pattern(random.nextInt(600), i);
                    LinkDriver.drive(
                            () ->
                                    sender.trySend(lane, header(number), payload, number)
                                            != SendResult.REFUSED,
                            one,
                            other);
                }
                LinkDriver.drive(
                        () -> one.arrived().size() + other.arrived().size() == 60, one, other);
                requireOrder(one, seed);
                requireOrder(other, seed);
                assertThat(twins.left().isClosed()).as("seed %d", seed).isFalse();
            }
        }
    }

    @Test
    void aFastLinkThatCantBreakIsNotResumed() {
        sendWhileBothPoll(Lane.BULK, header(0), pattern(40, 6));
        LinkDriver.drive(() -> right.arrived().size() == 1, left, right);
        MemorySegment counts = LaneCounts.encode(new int[Lane.COUNT]);
        FrameHeader resume = new FrameHeader().reset(FrameKind.RESUME);
        Link rogue = Objects.requireNonNull(base).left();
        rogue.trySend(Lane.CONTROL, resume.payloadBytes(counts.byteSize()), counts, token -> {}, 0);
        rogue.flush();
        assertThatThrownBy(() -> LinkDriver.drive(() -> false, right))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("not broken");
        LinkDriver.drive(() -> left.link().isClosed(), left);
    }

    private static void requireOrder(LinkDriver receiver, long seed) {
        for (Lane lane : Lane.values()) {
            assertThat(receiver.arrived(lane))
                    .as("seed %d, %s", seed, lane)
                    .extracting(frame -> frame.header().sequence())
                    .isSorted();
        }
    }

    private static void signal(AtomicInteger signals, Runnable wakeUp) {
        signals.incrementAndGet();
        wakeUp.run();
    }
}
