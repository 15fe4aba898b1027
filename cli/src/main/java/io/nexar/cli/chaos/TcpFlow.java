package io.nexar.cli.chaos;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One direction of a connection. What was read waits until it is due, and for as long as the path
 * is cut; the end is the last thing that waits. Bounded: above that nothing more is read, and TCP
 * holds the sender back. The relay's thread's.
 */
final class TcpFlow {

    private static final int HELD_BYTES_MAX = 1 << 20;

    /** How soon the end of a cut is noticed. */
    private static final long CUT_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private record Held(long atNanos, ByteBuffer bytes, boolean isEnd) {}

    private final SocketChannel from;
    private final SocketChannel to;
    private final Supplier<Faults> faults;
    private final Queue<Held> held = new ArrayDeque<>();
    private int heldBytes;
    private boolean hasEnded;
    private boolean isBlocked;
    private boolean isOver;

    TcpFlow(SocketChannel from, SocketChannel to, Supplier<Faults> faults) {
        this.from = from;
        this.to = to;
        this.faults = faults;
    }

    boolean wantsMore() {
        return !hasEnded && heldBytes < HELD_BYTES_MAX;
    }

    /** True while the receiver takes no more. */
    boolean isBlocked() {
        return isBlocked;
    }

    /** True once the end has been passed on. */
    boolean isOver() {
        return isOver;
    }

    /** Takes what has come, and says how many bytes that was. */
    int read(ByteBuffer scratch, long nowNanos) throws IOException {
        int bytes = from.read(scratch.clear());
        if (bytes == 0 || hasEnded) {
            return 0;
        }
        long at = nowNanos + faults.get().delay().toNanos();
        if (bytes < 0) {
            hasEnded = true;
            held.add(new Held(at, ByteBuffer.allocate(0), true));
            return 0;
        }
        ByteBuffer copy = ByteBuffer.allocate(bytes).put(scratch.flip()).flip();
        held.add(new Held(at, copy, false));
        heldBytes += bytes;
        return bytes;
    }

    /** Passes on what is due; returns how long nothing will be, Long.MAX_VALUE for ever. */
    long write(long nowNanos) throws IOException {
        isBlocked = false;
        for (Held first = held.peek(); first != null; first = held.peek()) {
            if (faults.get().isCut()) {
                return CUT_LOOK_NANOS;
            }
            if (first.atNanos() - nowNanos > 0) {
                return first.atNanos() - nowNanos;
            }
            if (first.isEnd()) {
                to.shutdownOutput();
                isOver = true;
            } else {
                heldBytes -= to.write(first.bytes());
                if (first.bytes().hasRemaining()) {
                    isBlocked = true;
                    return Long.MAX_VALUE;
                }
            }
            held.poll();
        }
        return Long.MAX_VALUE;
    }
}
