package io.nexar.collective;

import io.nexar.DataType;
import io.nexar.ReduceOp;
import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.PlanRequest;
import io.nexar.reduce.Kernel;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/**
 * One rank's part of one collective, as the engine runs it. Mutable, so that a communicator fills
 * the same object for every call: {@link CollectiveEngine#start} copies what is in it.
 *
 * <p>The operation works on a vector of {@link #items()}, cut into the plan's shares. Whatever the
 * plan calls INPUT and OUTPUT lies from the beginning of the memory given here, slot after slot.
 */
public final class CollectiveCall {
    private @Nullable Plan plan;
    private @Nullable String name;
    private long sequence;
    private @Nullable DataType dataType;
    private long count;
    private @Nullable ReduceOp reduction;
    private @Nullable Kernel kernel;
    private MemorySegment input = MemorySegment.NULL;
    private MemorySegment output = MemorySegment.NULL;
    private long items;
    private long @Nullable [] shareItems;
    private long @Nullable [] itemsFrom;
    private MemorySegment @Nullable [] fused;
    private long[] fusedItems = {};
    private long @Nullable [] fusedCounts;
    private @Nullable NeighborParts parts;
    private @Nullable Topic topic;
    private @Nullable String callSite;
    private long revision;

    /** What was bound for it the last time. */
    final RestingExecution resting = new RestingExecution();

    /** Makes this the call of a plan that moves no data yet, such as a barrier's. */
    public CollectiveCall reset(Plan newPlan, long newSequence) {
        return reset(newPlan).numbered(newSequence);
    }

    /** The same, without a number yet. */
    public CollectiveCall reset(Plan newPlan) {
        revision++;
        plan = newPlan;
        name = null;
        dataType = null;
        count = 0;
        reduction = null;
        kernel = null;
        input = MemorySegment.NULL;
        output = MemorySegment.NULL;
        items = 0;
        shareItems = null;
        itemsFrom = null;
        fused = null;
        fusedCounts = null;
        parts = null;
        topic = null;
        callSite = null;
        return this;
    }

    /** The same call once more, or for the first time, with this number. */
    public CollectiveCall numbered(long newSequence) {
        sequence = newSequence;
        return this;
    }

    /** Notes where in the program the call was made. */
    public CollectiveCall callSite(@Nullable String site) {
        callSite = site;
        return this;
    }

    /** Says what the caller called, if that is not the plan's operation for its own sake. */
    public CollectiveCall calledAs(String methodName) {
        name = methodName;
        return this;
    }

    /** Says what it is about, if that is not what the plan moves. */
    public CollectiveCall about(@Nullable Topic newTopic) {
        topic = newTopic;
        return this;
    }

    /**
     * Says what the elements are.
     *
     * @param callerCount elements as the caller gave them, for people to read
     */
    public CollectiveCall elements(DataType type, long callerCount) {
        dataType = type;
        count = callerCount;
        return this;
    }

    /** Says how items are combined. */
    public CollectiveCall reduction(ReduceOp op, Kernel opKernel) {
        reduction = op;
        kernel = opKernel;
        return this;
    }

    /** Gives the memory; an {@code input} that is the {@code output} means in place. */
    public CollectiveCall memory(MemorySegment newInput, MemorySegment newOutput) {
        revision++;
        input = newInput;
        output = newOutput;
        return this;
    }

    /** Cuts a vector of so many items as evenly as {@link io.nexar.Partition} does. */
    public CollectiveCall evenShares(long vectorItems) {
        items = vectorItems;
        shareItems = null;
        itemsFrom = null;
        return this;
    }

    /** Gives every share its own number of items; the array must not change during the call. */
    public CollectiveCall shares(long[] itemsOfShare) {
        long sum = 0;
        for (long share : itemsOfShare) {
            sum = Math.addExact(sum, share);
        }
        items = sum;
        shareItems = itemsOfShare;
        itemsFrom = null;
        return this;
    }

    /**
     * Gives the shares as far as this rank knows them: what it has for each rank, and what it gets
     * from each. The arrays must not change any more. What others have for others is not known
     * here, so the plan must not pass it through this rank. Two ranks that disagree on what one has
     * for the other have made different calls.
     */
    public CollectiveCall pairShares(long[] itemsTo, long[] itemsFromEach) {
        items = 0;
        shareItems = itemsTo;
        itemsFrom = itemsFromEach;
        return this;
    }

    /**
     * Makes this a call of several vectors, each in place and cut into shares by itself. The arrays
     * must not change any more.
     *
     * @param places the memory of each
     * @param itemsOfEach how many items each has
     * @param counts how many elements each of the caller's buffers has, on which the ranks must
     *     agree besides
     */
    public CollectiveCall fused(MemorySegment[] places, long[] itemsOfEach, long[] counts) {
        fused = places;
        fusedItems = itemsOfEach;
        fusedCounts = counts;
        items = 0;
        for (long each : itemsOfEach) {
            items = Math.addExact(items, each);
        }
        return this;
    }

    /** Gives what this rank has for its neighbours, and where it gets theirs. */
    public CollectiveCall parts(NeighborParts newParts) {
        parts = newParts;
        return this;
    }

    @Nullable NeighborParts parts() {
        return parts;
    }

    /** How many vectors this is about, each cut by itself. */
    int vectors() {
        return fused == null ? 1 : fused.length;
    }

    /** How many items lie in this slot of a vector. */
    long itemsOf(BufferRole buffer, int slot, int vector) {
        return parts == null
                ? itemsOf(plan().slotShare(buffer, slot), vector)
                : parts.items(buffer, slot);
    }

    private long itemsOf(int share, int vector) {
        if (shareItems != null && itemsFrom != null) {
            return itemsOfPair(shareItems, itemsFrom, share);
        }
        if (shareItems != null) {
            return shareItems[share];
        }
        int shares = plan().shares();
        long all = itemsOfVector(vector);
        return all / shares + (share < all % shares ? 1 : 0);
    }

    private long itemsOfVector(int vector) {
        return fused == null ? items : fusedItems[vector];
    }

    private long itemsOfPair(long[] itemsTo, long[] itemsFromEach, int share) {
        PlanRequest request = plan().request();
        int rank = request.rank();
        int from = request.operation().sender(share, request.size(), request.root());
        int to = request.operation().receiver(share, request.size(), request.root());
        if (from == rank || to == rank) {
            return from == rank ? itemsTo[to] : itemsFromEach[from];
        }
        throw new IllegalArgumentException(
                "%s does not work with uneven counts: rank %d does not know what rank %d has for %d"
                        .formatted(plan().request().algorithm(), rank, from, to));
    }

    /** How many items lie in the longest share of a vector, as far as known here. */
    long longestShare(int vector) {
        if (parts != null) {
            return parts.longest();
        }
        if (shareItems == null) {
            return Math.ceilDiv(itemsOfVector(vector), plan().shares());
        }
        long longest = 0;
        for (long share : shareItems) {
            longest = Math.max(longest, share);
        }
        if (itemsFrom != null) {
            for (long share : itemsFrom) {
                longest = Math.max(longest, share);
            }
        }
        return longest;
    }

    /** What the two have for each other, where only they know; 0 for an operation of all ranks. */
    long pairItems(int from, int to) {
        if (shareItems == null || itemsFrom == null) {
            return 0;
        }
        return from == plan().request().rank() ? shareItems[to] : itemsFrom[from];
    }

    /** What the two must agree on about that, as one number. */
    long pairCode(int from, int to) {
        return parts == null ? pairItems(from, to) : parts.code(plan(), from, to);
    }

    String spellPair(int from, int to) {
        return parts == null ? Long.toString(pairItems(from, to)) : parts.spell(plan(), from, to);
    }

    boolean isInPairs() {
        return itemsFrom != null || parts != null;
    }

    CollectiveCall copyFrom(CollectiveCall other) {
        plan = other.plan;
        name = other.name;
        sequence = other.sequence;
        dataType = other.dataType;
        count = other.count;
        reduction = other.reduction;
        kernel = other.kernel;
        input = other.input;
        output = other.output;
        items = other.items;
        shareItems = other.shareItems;
        itemsFrom = other.itemsFrom;
        fused = other.fused;
        fusedItems = other.fusedItems;
        fusedCounts = other.fusedCounts;
        parts = other.parts;
        topic = other.topic;
        callSite = other.callSite;
        return this;
    }

    /** Lets go of the caller's memory, which a pooled call would keep alive. */
    CollectiveCall forgetMemory() {
        input = MemorySegment.NULL;
        output = MemorySegment.NULL;
        fused = null;
        parts = parts == null ? null : parts.withoutMemory();
        return this;
    }

    /** Rises whenever this becomes another call than the one before with another number. */
    long revision() {
        return revision;
    }

    public Plan plan() {
        if (plan == null) {
            throw new IllegalStateException("a call without a plan");
        }
        return plan;
    }

    public long sequence() {
        return sequence;
    }

    public long items() {
        return items;
    }

    /** Bytes of one item; 1 where there are no elements. */
    public long itemBytes() {
        if (dataType == null) {
            return 1;
        }
        return (long) dataType.bytes() * (reduction == null ? 1 : reduction.itemWidth());
    }

    @Nullable DataType dataType() {
        return dataType;
    }

    /** What the caller called. */
    String name() {
        return name == null ? plan().request().operation().methodName() : name;
    }

    @Nullable String reductionName() {
        return reduction == null ? null : reduction.name();
    }

    /** The shares given one by one, if all ranks have been given the same. */
    long @Nullable [] shareItems() {
        return itemsFrom == null ? shareItems : null;
    }

    long[] fusedItems() {
        return fusedItems;
    }

    /** What the caller's buffers have, where it gave a list of them. */
    long @Nullable [] fusedCounts() {
        return fusedCounts;
    }

    /** A plan that reduces needs a kernel, and explicit shares must be as many as the plan has. */
    void requireComplete() {
        if (plan().request().operation().isReducing() && kernel == null) {
            throw new IllegalArgumentException(
                    "a plan that reduces, in a call without a reduction");
        }
        requireShares(shareItems);
        requireShares(itemsFrom);
        if (parts != null) {
            parts.requireFit(plan());
        }
    }

    private void requireShares(long @Nullable [] given) {
        int expected = itemsFrom == null ? plan().shares() : plan().request().size();
        if (given != null && given.length != expected) {
            throw new IllegalArgumentException(
                    "%d shares given to a plan of %d".formatted(given.length, expected));
        }
    }

    Kernel kernel() {
        if (kernel == null) {
            throw new IllegalStateException("a plan that reduces, in a call without a reduction");
        }
        return kernel;
    }

    MemorySegment input(int vector) {
        return fused == null ? input : fused[vector];
    }

    MemorySegment output(int vector) {
        return fused == null ? output : fused[vector];
    }

    @Nullable Topic topic() {
        return topic;
    }

    @Nullable String callSite() {
        return callSite;
    }

    long count() {
        return count;
    }
}
