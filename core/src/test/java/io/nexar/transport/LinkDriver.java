package io.nexar.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.wire.FrameHeader;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Drives ends of links from one thread as a rank does: poll, and wait for the wake-up where there
 * was nothing. A wait that a lost wake-up would make endless fails at the deadline.
 */
public final class LinkDriver {
    /** Ten times what the slowest case takes on a busy machine. */
    static final long DEADLINE_SECONDS = 30;

    /** A frame as it arrived. */
    public record Arrived(Lane lane, FrameHeader header, byte[] payload) {}

    private final Link link;
    private final Waker waker;
    private final List<Arrived> arrived = new ArrayList<>();
    private final List<Long> told = new ArrayList<>();
    private FrameHandler handler = this::keep;

    public LinkDriver(Link link, Waker waker) {
        this.link = link;
        this.waker = waker;
    }

    public Link link() {
        return link;
    }

    public List<Arrived> arrived() {
        return arrived;
    }

    public List<Arrived> arrived(Lane lane) {
        return arrived.stream().filter(frame -> frame.lane() == lane).toList();
    }

    /** Tokens of pending sends that are done. */
    public List<Long> told() {
        return told;
    }

    public LinkDriver handler(FrameHandler newHandler) {
        handler = newHandler;
        return this;
    }

    public SendResult trySend(Lane lane, FrameHeader header, MemorySegment payload, long token) {
        header.payloadBytes(payload.byteSize());
        return link.trySend(lane, header, payload, told::add, token);
    }

    /** Sends in spite of back-pressure. */
    public SendResult send(Lane lane, FrameHeader header, MemorySegment payload, long token) {
        long deadline = deadline();
        while (true) {
            SendResult result = trySend(lane, header, payload, token);
            if (result != SendResult.REFUSED) {
                return result;
            }
            link.flush();
            pollOrWait(deadline, this);
        }
    }

    public int poll() {
        return link.poll(handler, 64);
    }

    /** Polls these ends, all given the same waker, until the condition holds. */
    public static void drive(BooleanSupplier until, LinkDriver... drivers) {
        long deadline = deadline();
        while (!until.getAsBoolean()) {
            pollOrWait(deadline, drivers);
        }
    }

    /** Polls each once; waits for a wake-up if there was nothing. */
    public static void driveOnce(LinkDriver... drivers) {
        pollOrWait(deadline(), drivers);
    }

    private static void pollOrWait(long deadline, LinkDriver... drivers) {
        int count = 0;
        for (LinkDriver driver : drivers) {
            driver.link.flush();
            count += driver.poll();
        }
        if (count == 0 && !isAnyReady(drivers)) {
            assertThat(await(drivers[0].waker, deadline))
                    .as("woken up before the deadline; closed: %s", drivers[0].link.closeCause())
                    .isTrue();
        }
    }

    private static boolean isAnyReady(LinkDriver... drivers) {
        for (LinkDriver driver : drivers) {
            if (driver.link.isReady()) {
                return true;
            }
        }
        return false;
    }

    private static boolean await(Waker waker, long deadline) {
        try {
            return waker.await(deadline);
        } catch (InterruptedException e) {
            throw new AssertionError("the test was interrupted", e);
        }
    }

    private static long deadline() {
        return System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
    }

    private void keep(Link from, Lane lane, FrameHeader header, MemorySegment payload) {
        assertThat(from).isSameAs(link);
        assertThat(payload.byteSize()).isEqualTo(header.payloadBytes());
        arrived.add(
                new Arrived(
                        lane,
                        new FrameHeader().copyFrom(header),
                        payload.toArray(ValueLayout.JAVA_BYTE)));
    }
}
