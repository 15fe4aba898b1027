package io.nexar.chaos;

import io.nexar.Communicator;
import io.nexar.DataBuffer;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A transfer from rank 1 to rank 0 in messages of 256 KiB, until it is stopped. Each message is
 * compared with what it must hold; it measures the longest time between two.
 */
final class Transfer {

    static final int MESSAGE_BYTES = 256 << 10;

    private static final int ELEMENTS = MESSAGE_BYTES / Long.BYTES;
    private static final int TAG = 9;
    private static final long GOES_ON = 1;

    private final AtomicInteger arrived = new AtomicInteger();
    private volatile long longestNanos;
    private volatile boolean isStopped;

    /** How many messages have arrived so far. */
    int arrived() {
        return arrived.get();
    }

    Duration longestGap() {
        return Duration.ofNanos(longestNanos);
    }

    /** The next message is the last. */
    void stop() {
        isStopped = true;
    }

    void run(Communicator world) {
        if (world.rank() == 1) {
            send(world);
        } else {
            receive(world);
        }
    }

    private void send(Communicator world) {
        long[] message = new long[ELEMENTS];
        for (int number = 0; message[0] == GOES_ON || number == 0; number++) {
            message[0] = isStopped ? 0 : GOES_ON;
            for (int i = 1; i < ELEMENTS; i++) {
                message[i] = element(number, i);
            }
            world.send(DataBuffer.of(message), 0, TAG);
        }
    }

    private void receive(Communicator world) {
        long[] message = new long[ELEMENTS];
        long last = System.nanoTime();
        for (int number = 0; message[0] == GOES_ON || number == 0; number++) {
            world.receive(DataBuffer.of(message), 1, TAG);
            long now = System.nanoTime();
            longestNanos = Math.max(longestNanos, now - last);
            last = now;
            for (int i = 1; i < ELEMENTS; i++) {
                if (message[i] != element(number, i)) {
                    throw new AssertionError(
                            "message %d: element %d is %d".formatted(number, i, message[i]));
                }
            }
            arrived.incrementAndGet();
        }
    }

    private static long element(int number, int i) {
        return (((long) number << 32) | i) * 0x9E3779B97F4A7C15L;
    }
}
