package io.nexar.collective;

import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.Range;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Where the slots of a plan lie in the memory of one call, and how slices and fragments cut them.
 *
 * <p>A piece holds at most B items. Slice j of a slot is its items from {@code jB} to {@code
 * (j+1)B}; there are as many slices as the longest share needs. A step of one slice travels in
 * fragments:
 *
 * <ul>
 *   <li>One slice only: the slots of a range lie next to each other, so the range is cut every B
 *       items, and fragment f begins at item {@code fB}.
 *   <li>More slices: fragment f is the slice's part of the range's slot f; slots without one are
 *       left out.
 * </ul>
 *
 * A message without any item still is one empty fragment in slice 0, so that a count of zero
 * synchronises too. Both sides of a message have the same shares and come to the same list.
 *
 * <p>Scratch memory is the engine's: a slot of it holds one slice's items, once for each of the
 * slices that are active at a time. It only ever grows, and lasts from call to call.
 */
final class Binding {
    /** No further fragment. */
    static final int NONE = -1;

    private final EngineSettings settings;
    private final MemorySegment[] memory = {
        MemorySegment.NULL, MemorySegment.NULL, MemorySegment.NULL
    };

    /** Byte offset of each slot, and of the end: one array a buffer. */
    private final long[][] slotOffsets = {new long[1], new long[1], new long[1]};

    /** Items of each slot. */
    private final long[][] slotItems = {new long[0], new long[0], new long[0]};

    private Plan plan;
    private MemorySegment scratch = MemorySegment.NULL;
    private long itemBytes;
    private long pieceItems;
    private long slices;
    private boolean isInPlace;
    private long outputBehindInputBytes;

    Binding(EngineSettings settings, CollectiveCall call) {
        this.settings = settings;
        this.plan = call.plan();
        bind(call);
    }

    /** Takes up another call. */
    void bind(CollectiveCall call) {
        plan = call.plan();
        itemBytes = call.itemBytes();
        if (itemBytes > settings.pieceBytes()) {
            throw new IllegalArgumentException(
                    "items of %d bytes do not fit into pieces of %d"
                            .formatted(itemBytes, settings.pieceBytes()));
        }
        pieceItems = settings.pieceBytes() / itemBytes;
        slices = Math.max(1, ceilDiv(call.longestShare(), pieceItems));
        bindMemory(BufferRole.INPUT, call.input(), call);
        bindMemory(BufferRole.OUTPUT, call.output(), call);
        bindScratch(call);
        bindOverlap(call.input(), call.output());
    }

    /** Lets go of the caller's memory. */
    void unbind() {
        memory[BufferRole.INPUT.ordinal()] = MemorySegment.NULL;
        memory[BufferRole.OUTPUT.ordinal()] = MemorySegment.NULL;
    }

    long slices() {
        return slices;
    }

    long itemBytes() {
        return itemBytes;
    }

    MemorySegment memory(Range range) {
        return memory[range.buffer().ordinal()];
    }

    /** Whether an offset into the input and one into the output are the same place. */
    boolean isSamePlace(long inputOffset, long outputOffset) {
        return isInPlace && inputOffset == outputOffset + outputBehindInputBytes;
    }

    /**
     * Returns the first fragment of a step of a slice, where a message may be an empty fragment.
     */
    int firstFragment(Range range, long slice, boolean isMessage) {
        int first = nextFragment(range, slice, NONE);
        return first == NONE && isMessage && slice == 0 ? 0 : first;
    }

    /** Returns the fragment after this one, or NONE. */
    int nextFragment(Range range, long slice, int fragment) {
        if (slices == 1) {
            return (fragment + 1) * pieceItems < rangeItems(range) ? fragment + 1 : NONE;
        }
        for (int next = fragment + 1; next < range.slots(); next++) {
            if (slotItems(range, next, slice) > 0) {
                return next;
            }
        }
        return NONE;
    }

    /** Whether a message of this range and slice has this fragment. */
    boolean hasFragment(Range range, long slice, int fragment) {
        return fragment == 0
                ? firstFragment(range, slice, true) == 0
                : nextFragment(range, slice, fragment - 1) == fragment;
    }

    long fragmentItems(Range range, long slice, int fragment) {
        if (slices == 1) {
            return Math.min(pieceItems, rangeItems(range) - fragment * pieceItems);
        }
        return fragment < range.slots() ? slotItems(range, fragment, slice) : 0;
    }

    /** Where in its memory a fragment begins, in bytes. */
    long fragmentOffset(Range range, long slice, int fragment) {
        int buffer = range.buffer().ordinal();
        if (slices == 1) {
            return slotOffsets[buffer][range.firstSlot()] + fragment * pieceItems * itemBytes;
        }
        int slot = range.firstSlot() + fragment;
        if (range.buffer() == BufferRole.SCRATCH) {
            long window = slice % settings.piecesInFlight();
            return (window * plan.slots(BufferRole.SCRATCH) + slot) * pieceItems * itemBytes;
        }
        return slotOffsets[buffer][slot] + slice * pieceItems * itemBytes;
    }

    private long rangeItems(Range range) {
        long[] offsets = slotOffsets[range.buffer().ordinal()];
        return (offsets[range.firstSlot() + range.slots()] - offsets[range.firstSlot()])
                / itemBytes;
    }

    private long slotItems(Range range, int index, long slice) {
        long items = slotItems[range.buffer().ordinal()][range.firstSlot() + index];
        return Math.clamp(items - slice * pieceItems, 0, pieceItems);
    }

    private void bindMemory(BufferRole buffer, MemorySegment segment, CollectiveCall call) {
        long bytes = placeSlots(buffer, call);
        if (segment.byteSize() < bytes) {
            throw new IllegalArgumentException(
                    "%s of %s needs %d bytes and has %d"
                            .formatted(
                                    buffer,
                                    plan.request().operation().methodName(),
                                    bytes,
                                    segment.byteSize()));
        }
        memory[buffer.ordinal()] = segment;
    }

    private void bindOverlap(MemorySegment input, MemorySegment output) {
        // The first test makes no object, and most calls in place pass it.
        isInPlace = input.equals(output) || input.asOverlappingSlice(output).isPresent();
        outputBehindInputBytes = isInPlace ? output.address() - input.address() : 0;
    }

    private void bindScratch(CollectiveCall call) {
        long bytes = placeSlots(BufferRole.SCRATCH, call);
        if (slices > 1) {
            long windows = Math.min(slices, settings.piecesInFlight());
            bytes = windows * plan.slots(BufferRole.SCRATCH) * pieceItems * itemBytes;
        }
        if (scratch.byteSize() < bytes) {
            // Collected, not closed: a transport may still read a failed call's scratch memory.
            scratch = Arena.ofAuto().allocate(bytes, Long.BYTES);
        }
        memory[BufferRole.SCRATCH.ordinal()] = scratch;
    }

    /** Lays the slots one after another and returns the bytes of all. */
    private long placeSlots(BufferRole buffer, CollectiveCall call) {
        int slots = plan.slots(buffer);
        long[] offsets = slotOffsets[buffer.ordinal()];
        if (offsets.length <= slots) {
            offsets = Arrays.copyOf(offsets, slots + 1);
            slotOffsets[buffer.ordinal()] = offsets;
            slotItems[buffer.ordinal()] = new long[slots];
        }
        long[] items = slotItems[buffer.ordinal()];
        long bytes = 0;
        for (int slot = 0; slot < slots; slot++) {
            offsets[slot] = bytes;
            items[slot] = call.itemsOf(plan.slotShare(buffer, slot));
            bytes += items[slot] * itemBytes;
        }
        offsets[slots] = bytes;
        return bytes;
    }

    private static long ceilDiv(long dividend, long divisor) {
        return dividend / divisor + (dividend % divisor == 0 ? 0 : 1);
    }
}
