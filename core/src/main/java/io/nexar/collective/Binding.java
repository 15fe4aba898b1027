package io.nexar.collective;

import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.Range;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Where the slots of a plan lie in the memory of one call, and how slices and fragments cut them.
 *
 * <p>A piece holds at most B items. Slice j of a slot is its items from {@code jB} to {@code
 * (j+1)B}; there are as many slices as the longest share needs. A call of several vectors has the
 * slices of all of them, one vector after the other. A step of one slice travels in fragments:
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
    private Plan plan;
    private BoundStep[] steps = {};
    private int stepCount;
    private BoundVector[] vectors = {new BoundVector()};
    private int vectorCount;
    private MemorySegment scratch = MemorySegment.NULL;
    private long itemBytes;
    private long pieceItems;
    private long slices;

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
        bindVectors(call);
        if (vectorCount == 1 && vectors[0].isApart()) {
            plan = plan.apart();
        }
        bindScratch();
        bindSteps(call);
    }

    private void bindSteps(CollectiveCall call) {
        int known = steps.length;
        stepCount = plan.stepCount();
        if (known < stepCount) {
            steps = Arrays.copyOf(steps, stepCount);
            Arrays.setAll(steps, i -> i < known ? steps[i] : new BoundStep(this));
        }
        for (int i = 0; i < stepCount; i++) {
            steps[i].bind(plan, i, call);
        }
    }

    private void bindVectors(CollectiveCall call) {
        int known = vectors.length;
        vectorCount = call.vectors();
        if (known < vectorCount) {
            vectors = Arrays.copyOf(vectors, vectorCount);
            Arrays.setAll(vectors, i -> i < known ? vectors[i] : new BoundVector());
        }
        long sum = 0;
        for (int i = 0; i < vectorCount; i++) {
            vectors[i].bind(call, i, pieceItems, sum);
            sum += vectors[i].slices();
        }
        slices = Math.max(1, sum);
    }

    /** Lets go of the caller's memory. */
    void unbind() {
        for (int i = 0; i < vectorCount; i++) {
            vectors[i].unbind();
        }
        for (int i = 0; i < stepCount; i++) {
            steps[i].unbind();
        }
    }

    /** A step of the plan. */
    BoundStep step(int index) {
        return steps[index];
    }

    /** The call's plan, or what is left of it where the memory allows. */
    Plan plan() {
        return plan;
    }

    long slices() {
        return slices;
    }

    long itemBytes() {
        return itemBytes;
    }

    /** How many items a piece holds. */
    long pieceItems() {
        return pieceItems;
    }

    /** What those take. */
    long pieceBytes() {
        return pieceItems * itemBytes;
    }

    /** The memory that a range of a slice lies in. */
    MemorySegment memory(Range range, long slice) {
        return switch (range.buffer()) {
            case INPUT, OUTPUT -> vector(slice).memory(range.buffer(), range.firstSlot());
            case SCRATCH -> scratch;
        };
    }

    /** Whether an offset into a slice's input and one into its output are the same place. */
    boolean isSamePlace(long slice, long inputOffset, long outputOffset) {
        return vector(slice).isSamePlace(inputOffset, outputOffset);
    }

    /** Whose slice it is: of the last vector that begins there or before, and has slices. */
    private BoundVector vector(long slice) {
        if (vectorCount == 1) {
            return vectors[0];
        }
        int first = 0;
        int last = vectorCount - 1;
        while (first < last) {
            int middle = (first + last + 1) >>> 1;
            if (vectors[middle].firstSlice() <= slice) {
                first = middle;
            } else {
                last = middle - 1;
            }
        }
        return vectors[first];
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
        return fragmentOffset(range.buffer(), range.firstSlot(), slice, fragment);
    }

    /** The same of a range that begins with that slot. */
    long fragmentOffset(BufferRole buffer, int firstSlot, long slice, int fragment) {
        BoundVector vector = vector(slice);
        long pieceBytes = pieceItems * itemBytes;
        if (slices == 1) {
            return vector.slotOffset(buffer, firstSlot) + fragment * pieceBytes;
        }
        int slot = firstSlot + fragment;
        if (buffer == BufferRole.SCRATCH) {
            long window = slice % settings.piecesInFlight();
            return (window * plan.slots(BufferRole.SCRATCH) + slot) * pieceBytes;
        }
        return vector.slotOffset(buffer, slot) + (slice - vector.firstSlice()) * pieceBytes;
    }

    /** Of a call of one slice: how many items lie in a range. */
    long rangeItems(Range range) {
        return vector(0).rangeItems(range);
    }

    private long slotItems(Range range, int index, long slice) {
        BoundVector vector = vector(slice);
        long items = vector.slotItems(range.buffer(), range.firstSlot() + index);
        return Math.clamp(items - (slice - vector.firstSlice()) * pieceItems, 0, pieceItems);
    }

    private void bindScratch() {
        long bytes;
        if (slices > 1) {
            long windows = Math.min(slices, settings.piecesInFlight());
            bytes = windows * plan.slots(BufferRole.SCRATCH) * pieceItems * itemBytes;
        } else {
            bytes = vector(0).bytes(BufferRole.SCRATCH, plan);
        }
        if (scratch.byteSize() < bytes) {
            // Collected, not closed: a transport may still read a failed call's scratch memory.
            scratch = DataBuffer.allocate(DataType.I8, bytes).segment();
        }
    }
}
