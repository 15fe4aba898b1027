package io.nexar.transport.tcp;

import io.nexar.MemberId;
import io.nexar.transport.BreakableLink;
import io.nexar.transport.FrameHandler;
import io.nexar.transport.KeptFrames;
import io.nexar.transport.Lane;
import io.nexar.transport.SendListener;
import io.nexar.transport.SendResult;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One end of a TCP connection that the calling thread reads and writes itself.
 *
 * <p>{@link Incoming} is the polling thread's, {@link Outgoing} has a lock of its own, because a
 * close may come from any thread and says goodbye on the same socket. The endpoint's thread watches
 * the socket while nobody reads it, and finishes what a close has begun.
 *
 * <p>The side that closes gets no more frames; the other still gets those that arrived.
 */
final class TcpLink implements BreakableLink {
    /** Who took the link down. */
    private enum By {
        HERE,
        PEER,
        /** The connection broke. */
        NOBODY
    }

    private record Down(By by, String reason) {}

    /** A quiet link, whose socket is watched, is read in one of so many polls. */
    private static final int POLLS_OF_QUIET = 8;

    private final Peers peers;
    private final LinkWatch watch;
    private final Wire wire;
    private final Handled handled;
    private final Incoming incoming;
    private final Outgoing outgoing;
    private final AtomicReference<@Nullable Down> down = new AtomicReference<>();
    private final Silence silence = new Silence();
    private final AtomicLong arrivals = new AtomicLong(); // counted by the polling thread

    // The polling thread's; the volatile ones are read by others.
    private boolean hasUnflushed;
    private boolean isSettled; // the last poll has found nothing, and owed nobody a word
    private int quietPolls;
    private boolean wasSignalled;
    private @Nullable IOException writeFailure;
    private volatile boolean isMoreLeft;
    private volatile boolean hasSeenDown;
    private volatile boolean hasSeenBreak;
    private volatile boolean wantsToWrite;

    /** Whether what a break leaves is kept; cleared by a close, from any thread. */
    private volatile boolean isKeepingWhenBroken;

    /** Set by the endpoint's thread when there is something to do; cleared by the poll. */
    private volatile boolean isSignalled;

    /** Who is at the ends, for messages. */
    record Peers(MemberId self, MemberId peer, String address, String transport) {
        @Override
        public String toString() {
            return transport + " link of " + self + " to " + peer + " at " + address;
        }
    }

    TcpLink(Peers peers, Wire wire, LinkWatch watch, int windowBytes) {
        this.peers = peers;
        this.wire = wire;
        this.watch = watch;
        this.handled = new Handled(windowBytes);
        this.incoming = new Incoming(wire, handled);
        this.outgoing = new Outgoing(wire, handled, windowBytes);
    }

    @Override
    public MemberId peer() {
        return peers.peer();
    }

    @Override
    public String transport() {
        return peers.transport();
    }

    @Override
    public SendResult trySend(
            Lane lane,
            FrameHeader header,
            MemorySegment payload,
            SendListener listener,
            long token) {
        header.requireLengthOf(payload);
        if (down.get() != null) {
            return SendResult.REFUSED;
        }
        SendResult result = outgoing.trySend(lane.ordinal(), header, payload, listener, token);
        hasUnflushed |= result != SendResult.REFUSED;
        isSettled &= result == SendResult.REFUSED;
        return result;
    }

    @Override
    public void flush() {
        if (hasUnflushed) {
            hasUnflushed = false;
            write(false);
        }
    }

    private void write(boolean isAckDue) {
        try {
            noteWritten(isAckDue ? outgoing.writeAcks() : outgoing.write());
        } catch (IOException broken) {
            fail(broken);
        }
    }

    private void noteWritten(boolean isAllWritten) {
        if (wantsToWrite == isAllWritten) {
            wantsToWrite = !isAllWritten;
            if (!isAllWritten && watch.isArmed()) {
                watch.armAgain(); // from now on for room to write as well
            }
        }
    }

    /** What arrived before is still to be read; then the link is down. */
    private void fail(IOException broken) {
        outgoing.stop(null);
        wantsToWrite = false;
        writeFailure = broken;
        isSignalled = true;
    }

    @Override
    public int poll(FrameHandler handler, int frameLimit) {
        if (down.get() != null) {
            return pollDown();
        }
        if (isQuiet()) {
            return 0;
        }
        if (isSignalled) {
            isSignalled = false; // before reading: what comes later is signalled anew
            wasSignalled = true;
        }
        boolean hasWritten = wantsToWrite && writesMore();
        int count;
        try {
            count = deliver(handler, frameLimit);
        } catch (IOException broken) {
            end(By.NOBODY, "the connection broke: " + broken.getMessage());
            return pollDown();
        } catch (Throwable failure) {
            close("the receiver refused a frame: " + failure.getMessage());
            throw failure;
        }
        count += settle(count);
        // Who writes as the peer reads is no idle caller, who would give away his turn.
        int work = Math.max(count, hasWritten ? 1 : 0);
        return down.get() == null ? work : work + pollDown();
    }

    private boolean writesMore() {
        long before = outgoing.unwrittenBytes();
        write(false);
        return outgoing.unwrittenBytes() < before;
    }

    /** Whether the endpoint's thread would have told of anything to read. */
    private boolean isQuiet() {
        return isSettled
                && !isSignalled
                && !isMoreLeft
                && !wantsToWrite
                && watch.isArmed()
                && ++quietPolls % POLLS_OF_QUIET != 0;
    }

    private int deliver(FrameHandler handler, int limit) throws IOException {
        incoming.begin(handler, this);
        if (isMoreLeft) {
            isMoreLeft = false;
        }
        int frames = 0;
        int learned = 0;
        boolean isGettingOn = false;
        while (down.get() == null) {
            if (frames >= limit && incoming.isAtFrame()) {
                isMoreLeft = true;
                break;
            }
            switch (incoming.next(handler, this)) {
                case FRAME -> {
                    learned += pass();
                    show(handler);
                    frames++;
                    if (handled.isDue()) {
                        write(true); // or the peer stands still until all it has sent is read
                    }
                }
                case ACK -> learned += pass();
                case CLOSE -> end(By.PEER, "closed by the peer: " + incoming.closeReason());
                case NOTHING -> {
                    int got = incoming.bring();
                    if (got <= 0) {
                        noteEnd(got);
                        // A part of a frame, or room for another, is worth another pass as well.
                        return Math.max(frames + learned, isGettingOn ? 1 : 0);
                    }
                    isGettingOn = true;
                }
            }
        }
        return frames + learned;
    }

    private void show(FrameHandler handler) {
        handler.onFrame(this, Lane.of(incoming.lane()), incoming.header(), incoming.payload());
        incoming.passed();
    }

    /** Forgets what the peer has handled; returns how many senders were told. */
    private int pass() {
        return outgoing.acknowledge(Lane.of(incoming.lane()), incoming.acknowledged());
    }

    private void noteEnd(int got) {
        IOException failed = writeFailure;
        if (got < 0) {
            end(
                    By.NOBODY,
                    incoming.isInsideFrame()
                            ? "the connection ended in the middle of a frame"
                            : "the connection was closed");
        } else if (failed != null) {
            end(By.NOBODY, "the connection broke: " + failed.getMessage());
        }
    }

    /** Tells the peer what was handled, and a sender that is idle that its memory is free. */
    private int settle(int count) {
        if (count > 0) {
            arrivals.lazySet(arrivals.getPlain() + 1);
        } else if (wasSignalled) {
            wasSignalled = false;
            watch.armSoon();
        }
        if (handled.isDue() || (count == 0 && handled.isAwaited())) {
            write(true);
        }
        int copies = count == 0 && !wantsToWrite && !hasUnflushed ? outgoing.copyOne() : 0;
        isSettled = count + copies == 0;
        return copies;
    }

    private int pollDown() {
        if (!outgoing.isStopped()) {
            return 0; // whoever closes it is still saying so, and may read what was lent
        }
        if (isKept()) {
            hasSeenBreak = true;
            return 0;
        }
        int told = outgoing.passAll();
        hasSeenDown = true;
        return told;
    }

    /** The connection is over, and everything that came by it has been shown. */
    private boolean end(By by, String reason) {
        if (!down.compareAndSet(null, new Down(by, reason))) {
            return false;
        }
        outgoing.stop(null);
        watch.finish();
        watch.wakeUp(); // this poll may have found nothing else
        return true;
    }

    /** Whether a break has left what somebody still needs. */
    private boolean isKept() {
        return isKeepingWhenBroken && isBroken();
    }

    @Override
    public void keepWhenBroken() {
        isKeepingWhenBroken = true;
    }

    @Override
    public boolean isBroken() {
        Down seen = down.get();
        return seen != null && seen.by() == By.NOBODY;
    }

    @Override
    public boolean breakOff(String reason) {
        return end(By.NOBODY, reason) || isBroken();
    }

    @Override
    public KeptFrames kept() {
        return outgoing;
    }

    @Override
    public boolean takeSilence() {
        return silence.take();
    }

    @Override
    public void excuseSilence() {
        silence.excuse(outgoing.sentInVain());
    }

    @Override
    public long queuedBytes() {
        return outgoing.unwrittenBytes();
    }

    @Override
    public boolean isReady() {
        if (down.get() == null) {
            return isMoreLeft || isSignalled || silence.isNoticed();
        }
        return isKept() ? !hasSeenBreak : !hasSeenDown;
    }

    @Override
    public boolean isClosed() {
        return down.get() != null && (hasSeenDown || !outgoing.isLending());
    }

    @Override
    public @Nullable String closeCause() {
        Down seen = down.get();
        return seen == null
                ? null
                : peers + (seen.by() == By.HERE ? ", closed here: " : ": ") + seen.reason();
    }

    @Override
    public void close(String reason) {
        isKeepingWhenBroken = false;
        if (down.compareAndSet(null, new Down(By.HERE, reason))) {
            outgoing.stop(reason);
            watch.linger();
            watch.wakeUp();
        }
    }

    // ---- the endpoint's thread ----

    /** There is something to read, or room to write. */
    void signal() {
        isSignalled = true;
        watch.wakeUp();
    }

    boolean wantsToWrite() {
        return wantsToWrite;
    }

    void lookForSilence() {
        if (isKeepingWhenBroken && silence.look(arrivals.get(), outgoing.sentInVain())) {
            watch.wakeUp();
        }
    }

    /** Changes with every poll that found something. */
    long arrivals() {
        return arrivals.get();
    }

    /** After a close: goes on with what was written only in part; true if nothing is left. */
    boolean writeRest() throws IOException {
        return outgoing.writeRest();
    }

    void dispose() {
        wire.dispose();
    }

    @Override
    public String toString() {
        return peers.toString();
    }
}
