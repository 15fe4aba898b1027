package io.nexar.cli.chaos;

import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * Datagrams that are on their way, by the time of their arrival; those of one moment in the order
 * in which they came. Bounded in bytes: a network that is full drops. The relay's thread's.
 */
final class Underway {

    /** 64 MiB: half a second at a gigabit. */
    private static final long BYTES_MAX = 64L << 20;

    /** Where a datagram leaves the relay. */
    interface Exit {
        void send(ByteBuffer datagram);
    }

    private record Item(long atNanos, long number, byte[] bytes, Exit exit) {}

    // Times are compared by their difference from the first one: nano clocks may overflow.
    private final long originNanos;
    private final PriorityQueue<Item> items =
            new PriorityQueue<>(
                    Comparator.comparingLong((Item item) -> item.atNanos() - origin())
                            .thenComparingLong(Item::number));
    private long bytes;
    private long number;

    Underway(long originNanos) {
        this.originNanos = originNanos;
    }

    private long origin() {
        return originNanos;
    }

    /** Copies the datagram; false if there is no room. */
    boolean tryAdd(long atNanos, ByteBuffer datagram, Exit exit) {
        if (bytes + datagram.remaining() > BYTES_MAX) {
            return false;
        }
        byte[] copy = new byte[datagram.remaining()];
        datagram.get(datagram.position(), copy);
        bytes += copy.length;
        items.add(new Item(atNanos, number++, copy, exit));
        return true;
    }

    /** Sends what has arrived by now. */
    void deliver(long nowNanos) {
        for (Item first = items.peek();
                first != null && first.atNanos() - nowNanos <= 0;
                first = items.peek()) {
            items.poll();
            bytes -= first.bytes().length;
            first.exit().send(ByteBuffer.wrap(first.bytes()));
        }
    }

    /** How long nothing arrives; Long.MAX_VALUE for ever. */
    long nanosToNext(long nowNanos) {
        Item first = items.peek();
        return first == null ? Long.MAX_VALUE : Math.max(0, first.atNanos() - nowNanos);
    }
}
