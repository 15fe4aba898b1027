package io.nexar.fabric;

import io.nexar.memory.InPlace;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * The memory of one message, in one place or in several, as if they lay one after the other.
 * Immutable.
 */
final class MessageMemory {
    private static final long[] NO_STARTS = {};

    private final MemorySegment[] places;

    /** Where in the message each place begins, and where the last one ends; empty of one place. */
    private final long[] starts;

    private final long bytes;

    private MessageMemory(MemorySegment[] places, long[] starts, long bytes) {
        this.places = places;
        this.starts = starts;
        this.bytes = bytes;
    }

    static MessageMemory of(MemorySegment... given) {
        if (given.length == 1) {
            return new MessageMemory(given, NO_STARTS, given[0].byteSize());
        }
        MemorySegment[] places = filled(given);
        long[] starts = new long[places.length + 1];
        for (int i = 0; i < places.length; i++) {
            starts[i + 1] = Math.addExact(starts[i], places[i].byteSize());
        }
        return new MessageMemory(places, starts, starts[places.length]);
    }

    private static MemorySegment[] filled(MemorySegment[] given) {
        return Arrays.stream(given)
                .filter(place -> place.byteSize() > 0)
                .toArray(MemorySegment[]::new);
    }

    long byteSize() {
        return bytes;
    }

    /** Whether nobody has closed any of it. */
    boolean isOpen() {
        return Arrays.stream(places).allMatch(place -> place.scope().isAlive());
    }

    /** The rest of the place that this byte of the message lies in; at the end it is empty. */
    MemorySegment rest(long at) {
        if (at == bytes) {
            return MemorySegment.NULL;
        }
        if (at == 0) {
            return places[0];
        }
        int place = placeOf(at);
        return places[place].asSlice(at - startOf(place));
    }

    /**
     * Where so many bytes of the message lie; null if not in one place, or not outside the heap.
     */
    @Nullable MemorySegment place(long at, long length) {
        int place = placeOf(at);
        long from = at - startOf(place);
        MemorySegment memory = places[place];
        return memory.isNative() && length <= memory.byteSize() - from && memory.scope().isAlive()
                ? memory.asSlice(from, length)
                : null;
    }

    /** Copies bytes of the message, from this one on, out into the target. */
    void read(long at, MemorySegment target) {
        long done = 0;
        while (done < target.byteSize()) {
            int place = placeOf(at + done);
            long from = at + done - startOf(place);
            long part = Math.min(places[place].byteSize() - from, target.byteSize() - done);
            MemorySegment.copy(places[place], from, target, done, part);
            done += part;
        }
    }

    /** Copies so many bytes of the source in, from this byte of the message on. */
    void write(MemorySegment source, long sourceBytes, long at) {
        long done = 0;
        while (done < sourceBytes) {
            int place = placeOf(at + done);
            long to = at + done - startOf(place);
            long part = Math.min(places[place].byteSize() - to, sourceBytes - done);
            if (done > 0 || !InPlace.isAt(source, places[place], to)) {
                MemorySegment.copy(source, done, places[place], to, part);
            }
            done += part;
        }
    }

    private long startOf(int place) {
        return place == 0 ? 0 : starts[place];
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
