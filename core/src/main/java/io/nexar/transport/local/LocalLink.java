package io.nexar.transport.local;

import io.nexar.MemberId;
import io.nexar.transport.FrameHandler;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.SendListener;
import io.nexar.transport.SendResult;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * One end of a link inside this JVM: a {@link LocalRing} for each lane and direction, made when it
 * is first sent on. A large payload is read where it lies in the sender's memory, so the only
 * copies are the operation's own.
 *
 * <p>The side that closes gets no more frames; the other still gets those sent before.
 */
final class LocalLink implements Link {
    private final LocalPair pair;
    private final LocalEndpoint self;
    private final LocalEndpoint other;
    private final AtomicReferenceArray<@Nullable LocalRing> outgoing;
    private final AtomicReferenceArray<@Nullable LocalRing> incoming;
    private boolean hasUnflushed; // the sending thread's
    private volatile boolean hasSeenClose;

    LocalLink(
            LocalPair pair,
            LocalEndpoint self,
            LocalEndpoint other,
            AtomicReferenceArray<@Nullable LocalRing> outgoing,
            AtomicReferenceArray<@Nullable LocalRing> incoming) {
        this.pair = pair;
        this.self = self;
        this.other = other;
        this.outgoing = outgoing;
        this.incoming = incoming;
    }

    @Override
    public MemberId peer() {
        return other.self();
    }

    @Override
    public String transport() {
        return LocalHub.NAME;
    }

    @Override
    public SendResult trySend(
            Lane lane,
            FrameHeader header,
            MemorySegment payload,
            SendListener listener,
            long token) {
        header.requireLengthOf(payload);
        if (pair.close() != null) {
            return SendResult.REFUSED;
        }
        SendResult result = ring(lane).offer(header, payload, listener, token);
        hasUnflushed |= result != SendResult.REFUSED;
        return result;
    }

    private LocalRing ring(Lane lane) {
        LocalRing ring = outgoing.getPlain(lane.ordinal());
        if (ring == null) {
            ring = new LocalRing();
            outgoing.setRelease(lane.ordinal(), ring); // pairs with the acquires of incoming
        }
        return ring;
    }

    @Override
    public void flush() {
        if (hasUnflushed) {
            hasUnflushed = false;
            other.wakeUp();
        }
    }

    @Override
    public int poll(FrameHandler handler, int frameLimit) {
        LocalPair.Close close = pair.close();
        int count = reap(close);
        for (int lane = 0; lane < Lane.COUNT; lane++) {
            LocalRing ring = incoming.getAcquire(lane);
            if (ring != null && count < frameLimit) {
                count += deliver(Lane.of(lane), ring, handler, frameLimit - count);
            }
        }
        hasSeenClose |= close != null;
        return count;
    }

    private int reap(LocalPair.@Nullable Close close) {
        int told = 0;
        for (int lane = 0; lane < Lane.COUNT; lane++) {
            LocalRing ring = outgoing.getAcquire(lane);
            if (ring != null && ring.isLending()) {
                told += ring.reap();
                if (close != null) {
                    told += ring.withdraw(close.by().equals(self.self()));
                }
            }
        }
        if (told > 0 && close != null) {
            other.wakeUp();
        }
        return told;
    }

    private int deliver(Lane lane, LocalRing ring, FrameHandler handler, int limit) {
        int count = 0;
        boolean isLong = false;
        boolean isSenderWaiting = false;
        try {
            while (count < limit && !isLong && !isClosedHere() && ring.tryTake()) {
                count++;
                isLong = ring.header().payloadBytes() >= LONG_BYTES;
                try {
                    handler.onFrame(this, lane, ring.header(), ring.payload());
                } finally {
                    isSenderWaiting |= ring.pass();
                }
            }
        } catch (Throwable failure) {
            close("the receiver refused a frame: " + failure.getMessage());
            throw failure;
        } finally {
            if (count > 0 && (ring.takeStarved() || isSenderWaiting)) {
                other.wakeUp();
            }
        }
        return count;
    }

    private boolean isClosedHere() {
        LocalPair.Close close = pair.close();
        return close != null && close.by().equals(self.self());
    }

    @Override
    public long queuedBytes() {
        long bytes = 0;
        for (int lane = 0; lane < Lane.COUNT; lane++) {
            LocalRing ring = outgoing.getAcquire(lane);
            bytes += ring == null ? 0 : ring.queuedBytes();
        }
        return bytes;
    }

    @Override
    public boolean isReady() {
        LocalPair.Close close = pair.close();
        if (close != null && !hasSeenClose) {
            return true;
        }
        for (int lane = 0; lane < Lane.COUNT; lane++) {
            LocalRing in = incoming.getAcquire(lane);
            LocalRing out = outgoing.getAcquire(lane);
            if ((in != null && !in.isEmpty() && !isClosedHere())
                    || (out != null && out.hasReapable())) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean isClosed() {
        return pair.close() != null && isDrained();
    }

    private boolean isDrained() {
        for (int lane = 0; lane < Lane.COUNT; lane++) {
            LocalRing in = incoming.getAcquire(lane);
            LocalRing out = outgoing.getAcquire(lane);
            if ((in != null && !in.isEmpty() && !isClosedHere())
                    || (out != null && out.isLending())) {
                return false;
            }
        }
        return true;
    }

    @Override
    public @Nullable String closeCause() {
        LocalPair.Close close = pair.close();
        if (close == null) {
            return null;
        }
        return "local link of %s to %s, closed by %s: %s"
                .formatted(self.self(), peer(), close.by(), close.reason());
    }

    @Override
    public void close(String reason) {
        pair.close(self.self(), reason);
    }

    @Override
    public String toString() {
        return "local link of " + self.self() + " to " + peer();
    }
}
