package io.nexar.fabric;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The memory of one message, in one place or in several, as if they lay one after the other.
 * Immutable.
 */
final class MessageMemory {
    private final MemorySegment[] places;

    /** Where in the message each place begins, and where the last one ends. */
    private final long[] starts;

    private MessageMemory(MemorySegment[] places, long[] starts) {
        this.places = places;
        this.starts = starts;
    }

    static MessageMemory of(MemorySegment... given) {
        MemorySegment[] places = given.length == 1 ? given : filled(given);
        long[] starts = new long[places.length + 1];
        for (int i = 0; i < places.length; i++) {
            starts[i + 1] = Math.addExact(starts[i], places[i].byteSize());
        }
        return new MessageMemory(places, starts);
    }

    private static MemorySegment[] filled(MemorySegment[] given) {
        return Arrays.stream(given)
                .filter(place -> place.byteSize() > 0)
                .toArray(MemorySegment[]::new);
    }

    long byteSize() {
        return starts[places.length];
    }

    /** Whether nobody has closed any of it. */
    boolean isOpen() {
        return Arrays.stream(places).allMatch(place -> place.scope().isAlive());
    }

    /** The rest of the place that this byte of the message lies in; at the end it is empty. */
    MemorySegment rest(long at) {
        if (at == byteSize()) {
            return MemorySegment.NULL;
        }
        int place = placeOf(at);
        return places[place].asSlice(at - starts[place]);
    }

    /** Copies bytes of the message, from this one on, out into the target. */
    void read(long at, MemorySegment target) {
        long done = 0;
        while (done < target.byteSize()) {
            MemorySegment here = rest(at + done);
            long bytes = Math.min(here.byteSize(), target.byteSize() - done);
            MemorySegment.copy(here, 0, target, done, bytes);
            done += bytes;
        }
    }

    /** Copies the source in, from this byte of the message on. */
    void write(MemorySegment source, long at) {
        long done = 0;
        while (done < source.byteSize()) {
            MemorySegment here = rest(at + done);
            long bytes = Math.min(here.byteSize(), source.byteSize() - done);
            MemorySegment.copy(source, done, here, 0, bytes);
            done += bytes;
        }
    }

    /** By halving: a message of many places is written from its beginning to its end. */
    private int placeOf(long at) {
        int low = 0;
        int high = places.length - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (starts[middle] <= at) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }
}
