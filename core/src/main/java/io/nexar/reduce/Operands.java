package io.nexar.reduce;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * What a kernel combines at once: the operands' places, in order. Filled anew for each use, because
 * a small call must make no garbage.
 */
public final class Operands {
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;

    private MemorySegment[] memories = {};
    private long[] offsets = {};
    private int count;

    /** Forgets all; {@code most} will be added. */
    public Operands reset(int most) {
        if (memories.length < most) {
            memories = new MemorySegment[most];
            offsets = new long[most];
        }
        Arrays.fill(memories, MemorySegment.NULL);
        count = 0;
        return this;
    }

    /** The next operand, from that byte on. */
    public void add(MemorySegment memory, long offset) {
        memories[count] = memory;
        offsets[count] = offset;
        count++;
    }

    int count() {
        return count;
    }

    MemorySegment memory(int index) {
        return memories[index];
    }

    long offset(int index) {
        return offsets[index];
    }

    /** The 16 bits of an element of an operand. */
    short half(int index, long element) {
        return memories[index].get(SHORT, offsets[index] + element * Short.BYTES);
    }
}
