package io.nexar.transport.tcp;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/**
 * The endpoint's eye on the socket of one link.
 *
 * <p>Armed, it tells the link once that its socket is ready, and is disarmed by that: from then on
 * callers poll, and a selector that woke up with them for every message would take the processor
 * from them. It is armed again when the link has been quiet for a moment, or at once when a caller
 * says that it goes to sleep. Since readiness is a state and not an event, nothing is missed.
 *
 * <p>After a close it finishes: writes the rest, and reads until the peer has closed as well, since
 * a socket that is closed with unread bytes throws away what the peer has not read yet.
 */
final class LinkWatch implements SelectorThread.Watched {
    /** A peer that is polled closes within a round trip; one that computes must not hold us up. */
    private static final long LINGER_NANOS = 1_000_000_000L;

    private final LinkWatches all;
    private final SocketChannel channel;
    private final SelectionKey key;
    private @Nullable TcpLink link;
    private volatile boolean isArmed; // written by the endpoint's thread
    private long arrivalsSeen;
    private boolean isLingering;
    private boolean isOver;

    LinkWatch(LinkWatches all, SocketChannel channel, SelectionKey key) {
        this.all = all;
        this.channel = channel;
        this.key = key;
    }

    /** Called once, before anything else. */
    void start(TcpLink watched) {
        link = watched;
        key.attach(this);
        arm();
        all.add(this);
    }

    private TcpLink link() {
        return java.util.Objects.requireNonNull(link, "started");
    }

    TcpLink watched() {
        return link();
    }

    // ---- any thread ----

    boolean isArmed() {
        return isArmed;
    }

    /** The caller wants to hear of room to write as well. */
    void armAgain() {
        all.execute(this::arm);
    }

    /** The caller found nothing after it had been woken: it is likely to sleep again. */
    void armSoon() {
        if (!isArmed && !all.hasSleeper()) {
            all.execute(this::arm);
        }
    }

    void wakeUp() {
        all.wakeUp();
    }

    void linger() {
        if (!all.execute(this::startLingering)) {
            closeNow();
        }
    }

    void finish() {
        if (!all.execute(this::closeNow)) {
            closeNow();
        }
    }

    // ---- the endpoint's thread ----

    void arm() {
        if (isOver || isLingering || !key.isValid()) {
            return;
        }
        boolean isFull = link().wantsToWrite();
        key.interestOps(SelectionKey.OP_READ | (isFull ? SelectionKey.OP_WRITE : 0));
        isArmed = true;
    }

    /** Whether the link has found nothing since the last call. */
    boolean isQuiet() {
        long arrivals = link().arrivals();
        boolean isSame = arrivals == arrivalsSeen;
        arrivalsSeen = arrivals;
        return isSame;
    }

    @Override
    public void onReady(SelectionKey ready) throws IOException {
        if (isLingering) {
            goOnLingering();
            return;
        }
        key.interestOps(0);
        isArmed = false;
        arrivalsSeen = link().arrivals();
        all.noteDisarmed(this);
        link().signal();
    }

    @Override
    public void onFailure(Exception failure) {
        closeNow();
        link().signal(); // its next poll finds the socket closed
    }

    private void startLingering() {
        if (isOver || isLingering) {
            return;
        }
        isLingering = true;
        all.schedule(LINGER_NANOS, this::closeNow);
        try {
            goOnLingering();
        } catch (IOException e) {
            closeNow();
        }
    }

    private void goOnLingering() throws IOException {
        boolean isWritten = link().writeRest();
        if (isWritten) {
            channel.shutdownOutput();
        }
        ByteBuffer dropped = all.scratch();
        int got = channel.read(dropped.clear());
        while (got > 0) {
            got = channel.read(dropped.clear());
        }
        if (got < 0) {
            closeNow();
        } else {
            key.interestOps(SelectionKey.OP_READ | (isWritten ? 0 : SelectionKey.OP_WRITE));
        }
    }

    void closeNow() {
        if (isOver) {
            return;
        }
        isOver = true;
        isArmed = false;
        all.remove(this);
        key.cancel();
        try {
            channel.close();
        } catch (IOException e) {
            // It is gone either way.
        }
        link().dispose();
    }
}
