package io.nexar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.transport.LinkDriver.Arrived;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Two ends of one new link for each test, and how tests drive them from one thread. */
abstract class LinkFixture {
    protected static final long SEED = 20_260_101;

    private final Waker waker = newWaker();
    private LinkPair pair;

    /** How many sends of the left end are to be told that they are done. */
    protected long pending;

    protected LinkDriver left;
    protected LinkDriver right;

    /** Two ends of one new link, each with the wake-up of whoever polls it. */
    protected abstract LinkPair open(Runnable leftWakeUp, Runnable rightWakeUp) throws Exception;

    /** How the driving thread waits for either end. */
    protected Waker newWaker() {
        return new Waker();
    }

    /** No more than this may be taken from a sender on one lane whose receiver does not poll. */
    protected abstract long unpolledBytesMax();

    /**
     * Whether a peer whose sockets are full hears of a close in any case. Where that is one
     * datagram it may get lost with the others, and a rank learns it from elsewhere.
     */
    protected boolean isCloseSure() {
        return true;
    }

    @BeforeEach
    void connect() throws Exception {
        pair = open(waker, waker);
        left = new LinkDriver(pair.left(), waker);
        right = new LinkDriver(pair.right(), waker);
    }

    @AfterEach
    void disconnect() throws Exception {
        pair.close();
    }

    /** Sends until the lane stays full although the sender polls; returns what was taken. */
    protected final List<MemorySegment> fill(Lane lane, int bytes) throws InterruptedException {
        List<MemorySegment> sent = new ArrayList<>();
        long quietDeadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
        while (System.nanoTime() < quietDeadline) {
            MemorySegment payload = pattern(bytes, sent.size());
            SendResult result = left.trySend(lane, header(sent.size()), payload, sent.size());
            if (result == SendResult.REFUSED) {
                left.link().flush();
                left.poll();
                waker.await(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20));
                continue;
            }
            pending += result == SendResult.PENDING ? 1 : 0;
            sent.add(payload);
            assertThat((long) sent.size() * bytes).isLessThanOrEqualTo(unpolledBytesMax());
            quietDeadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(300);
        }
        return sent;
    }

    protected final SendResult sendWhileBothPoll(
            Lane lane, FrameHeader header, MemorySegment payload) {
        while (true) {
            SendResult result = left.trySend(lane, header, payload, header.sequence());
            if (result != SendResult.REFUSED) {
                pending += result == SendResult.PENDING ? 1 : 0;
                return result;
            }
            LinkDriver.driveOnce(left, right);
        }
    }

    protected final void awaitReady(LinkDriver driver) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LinkDriver.DEADLINE_SECONDS);
        try {
            while (!driver.link().isReady()) {
                assertThat(waker.await(deadline)).as("woken before the deadline").isTrue();
            }
        } catch (InterruptedException e) {
            throw new AssertionError("the test was interrupted", e);
        }
    }

    /** Of a link whose poller takes in long payloads itself: others wait for what answers them. */
    protected final void assertThatAPollEndsBehindALongPayload() {
        int[] bytes = {40, Link.LONG_BYTES, 40, Link.LONG_BYTES - 1, Link.LONG_BYTES};
        for (int i = 0; i < bytes.length; i++) {
            assertThat(left.trySend(Lane.COLLECTIVE, header(i), pattern(bytes[i], i), i))
                    .isNotEqualTo(SendResult.REFUSED);
        }
        left.link().flush();
        for (int frames : new int[] {2, 3}) { // a poll may end sooner, but goes no further
            int seen = 0;
            for (int polls = 0; polls < bytes.length && seen < frames; polls++) {
                seen += right.poll();
            }
            assertThat(seen).as("frames up to a long one").isEqualTo(frames);
        }
    }

    protected static void assertFrame(Arrived frame, FrameHeader header, int patternSeed) {
        byte[] payload = frame.payload();
        header.payloadBytes(payload.length);
        assertThat(frame.header()).isEqualTo(header);
        MemorySegment expected = pattern(payload.length, patternSeed);
        assertThat(MemorySegment.ofArray(payload).mismatch(expected))
                .as("first different byte of %s", header)
                .isEqualTo(-1);
    }

    protected static FrameHeader header(int number) {
        return new FrameHeader()
                .reset(FrameKind.MESSAGE)
                .channel(number * 3)
                .tag(~number)
                .sequence(number)
                .fragment(number & 0xFFFF);
    }

    /**
     * Bytes that differ in every place and for every seed; by turns on the heap and off it, where a
     * link may lend them.
     */
    protected static MemorySegment pattern(int bytes, int seed) {
        byte[] pattern = new byte[bytes];
        new Random(SEED + seed).nextBytes(pattern);
        return seed % 2 == 0 ? MemorySegment.ofArray(pattern) : offHeap(pattern);
    }

    private static MemorySegment offHeap(byte[] bytes) {
        MemorySegment memory = Arena.ofAuto().allocate(Math.max(1, bytes.length), 64);
        return memory.asSlice(0, bytes.length).copyFrom(MemorySegment.ofArray(bytes));
    }
}
