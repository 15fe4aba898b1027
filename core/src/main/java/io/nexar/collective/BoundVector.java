package io.nexar.collective;

import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.Range;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * One vector of a call: where the plan's slots lie in the caller's memory, how many items each has,
 * and which of the call's slices are this vector's. Its arrays only ever grow, and last from call
 * to call.
 */
final class BoundVector {
    private static final int ROLES = BufferRole.values().length;

    private MemorySegment input = MemorySegment.NULL;
    private MemorySegment output = MemorySegment.NULL;
    private @Nullable NeighborParts parts;

    /** The item with which each slot begins, and the end: one array a buffer. */
    private final long[][] slotStarts = new long[ROLES][1];

    /** Items of each slot. */
    private final long[][] slotItems = new long[ROLES][0];

    private long itemBytes;
    private long firstSlice;
    private long slices;
    private boolean isInPlace;
    private long outputBehindInputBytes;

    /**
     * Takes up a vector of a call.
     *
     * @param part which one
     * @param newFirstSlice how many slices the vectors before it have
     */
    void bind(CollectiveCall call, int part, long pieceItems, long newFirstSlice) {
        itemBytes = call.itemBytes();
        firstSlice = newFirstSlice;
        parts = call.parts();
        slices = Math.ceilDiv(call.longestShare(part), pieceItems);
        input = bindMemory(BufferRole.INPUT, call.input(part), call, part);
        output = bindMemory(BufferRole.OUTPUT, call.output(part), call, part);
        placeSlots(BufferRole.SCRATCH, call, part);
        // The first test makes no object, and most calls in place pass it.
        isInPlace =
                parts == null
                        && (input.equals(output) || input.asOverlappingSlice(output).isPresent());
        outputBehindInputBytes = isInPlace ? output.address() - input.address() : 0;
    }

    /** Lets go of the caller's memory. */
    void unbind() {
        input = MemorySegment.NULL;
        output = MemorySegment.NULL;
        parts = null;
    }

    long firstSlice() {
        return firstSlice;
    }

    /** How many slices it has; none if it has no items. */
    long slices() {
        return slices;
    }

    /** The memory that a slot of the caller's lies in. */
    MemorySegment memory(BufferRole buffer, int slot) {
        if (parts != null) {
            return parts.memory(buffer, slot);
        }
        return buffer == BufferRole.INPUT ? input : output;
    }

    /** Whether what is written to the output changes nothing of the input. */
    boolean isApart() {
        return parts == null && !isInPlace;
    }

    /** Whether an offset into the input and one into the output are the same place. */
    boolean isSamePlace(long inputOffset, long outputOffset) {
        return isInPlace && inputOffset == outputOffset + outputBehindInputBytes;
    }

    long slotItems(BufferRole buffer, int slot) {
        return slotItems[buffer.ordinal()][slot];
    }

    /** Where in its memory a slot begins. */
    long slotOffset(BufferRole buffer, int slot) {
        return parts == null ? slotStarts[buffer.ordinal()][slot] * itemBytes : 0;
    }

    long rangeItems(Range range) {
        long[] starts = slotStarts[range.buffer().ordinal()];
        return starts[range.firstSlot() + range.slots()] - starts[range.firstSlot()];
    }

    /** What all slots of a buffer take. */
    long bytes(BufferRole buffer, Plan plan) {
        return slotStarts[buffer.ordinal()][plan.slots(buffer)] * itemBytes;
    }

    private MemorySegment bindMemory(
            BufferRole buffer, MemorySegment segment, CollectiveCall call, int part) {
        placeSlots(buffer, call, part);
        long bytes = bytes(buffer, call.plan());
        if (parts == null && segment.byteSize() < bytes) {
            throw new IllegalArgumentException(
                    "%s of %s needs %d bytes and has %d"
                            .formatted(buffer, call.name(), bytes, segment.byteSize()));
        }
        return segment;
    }

    /** Lays the slots one after another. */
    private void placeSlots(BufferRole buffer, CollectiveCall call, int part) {
        int slots = call.plan().slots(buffer);
        long[] starts = slotStarts[buffer.ordinal()];
        if (starts.length <= slots) {
            starts = Arrays.copyOf(starts, slots + 1);
            slotStarts[buffer.ordinal()] = starts;
            slotItems[buffer.ordinal()] = new long[slots];
        }
        long[] items = slotItems[buffer.ordinal()];
        long sum = 0;
        for (int slot = 0; slot < slots; slot++) {
            starts[slot] = sum;
            items[slot] = call.itemsOf(buffer, slot, part);
            sum += items[slot];
        }
        starts[slots] = sum;
    }
}
