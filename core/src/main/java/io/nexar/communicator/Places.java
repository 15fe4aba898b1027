package io.nexar.communicator;

import io.nexar.DataBuffer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Where the bytes of one message lie: in one buffer or in several. */
final class Places {
    private final MemorySegment[] segments;
    private final long bytes;

    private Places(MemorySegment... segments) {
        this.segments = segments;
        long sum = 0;
        for (MemorySegment segment : segments) {
            sum = Math.addExact(sum, segment.byteSize());
        }
        this.bytes = sum;
    }

    static Places of(DataBuffer buffer) {
        return new Places(buffer.segment());
    }

    static Places of(List<DataBuffer> buffers) {
        return new Places(buffers.stream().map(DataBuffer::segment).toArray(MemorySegment[]::new));
    }

    static Places toReceive(DataBuffer buffer) {
        Arguments.requireWritable(buffer);
        return of(buffer);
    }

    /** Refuses what can't be written, and two that would be written over each other. */
    static Places toReceive(List<DataBuffer> buffers) {
        buffers.forEach(Arguments::requireWritable);
        requireApart(buffers);
        return of(buffers);
    }

    MemorySegment[] segments() {
        return segments;
    }

    long bytes() {
        return bytes;
    }

    /**
     * By address, in which neighbours overlap if any two do. Addresses on the heap count within
     * their array, so that two of different arrays may come between two of one: hence the arrays
     * first.
     */
    static void requireApart(List<DataBuffer> buffers) {
        List<DataBuffer> inOrder = new ArrayList<>(buffers);
        inOrder.removeIf(buffer -> buffer.byteSize() == 0);
        inOrder.sort(
                Comparator.comparingInt(Places::array)
                        .thenComparingLong(buffer -> buffer.segment().address()));
        for (int i = 1; i < inOrder.size(); i++) {
            if (inOrder.get(i - 1).overlaps(inOrder.get(i))) {
                throw new IllegalArgumentException(
                        "buffers (%s) and (%s) to receive into overlap; they must be apart"
                                .formatted(inOrder.get(i - 1), inOrder.get(i)));
            }
        }
    }

    private static int array(DataBuffer buffer) {
        return buffer.segment().heapBase().map(System::identityHashCode).orElse(0);
    }
}
