package io.nexar.collective;

import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.Range;
import io.nexar.collective.plan.StepKind;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/**
 * One step of a plan, bound to the memory of a call: which fragments it has, and where they lie.
 * All of it is worked out when the call is bound if the call has one slice, as small ones do; of
 * many slices each asks the {@link Binding}. Lasts from call to call.
 */
final class BoundStep {
    private final Binding binding;
    private final Place source;
    private final Place second;
    private final Place target;
    private Plan.@Nullable Step step;
    private StepKind kind = StepKind.COPY;
    private Range cut = Range.scratch(0, 0);
    private int peer;
    private int ordinal;
    private boolean isIdle;
    private boolean isOneSlice;
    private int fragments;
    private long lastItems;

    /** Of the only fragment, made when first asked for. */
    private @Nullable MemorySegment view;

    /** Where a range of the step lies. */
    final class Place {
        private @Nullable Range range;
        private MemorySegment memory = MemorySegment.NULL;
        private long offset;

        private void bind(@Nullable Range newRange) {
            range = newRange;
            if (newRange != null && newRange.slots() > 0 && isOneSlice) {
                memory = binding.memory(newRange, 0);
                offset = binding.fragmentOffset(newRange, 0, 0);
            }
        }

        private void unbind() {
            memory = MemorySegment.NULL;
        }

        MemorySegment memory(long slice) {
            return isOneSlice ? memory : binding.memory(range(), slice);
        }

        /** Where in that a fragment begins, in bytes. */
        long offset(long slice, int fragment) {
            return isOneSlice
                    ? offset + fragment * binding.pieceBytes()
                    : binding.fragmentOffset(range(), slice, fragment);
        }

        Range range() {
            if (range == null) {
                throw new IllegalStateException("no such range in " + step);
            }
            return range;
        }
    }

    BoundStep(Binding binding) {
        this.binding = binding;
        this.source = new Place();
        this.second = new Place();
        this.target = new Place();
    }

    /** Takes up a step of the binding's plan and call. */
    void bind(Plan plan, int index, CollectiveCall call) {
        Plan.Step newStep = plan.step(index);
        step = newStep;
        kind = newStep.kind();
        peer = newStep.peer();
        ordinal = plan.ordinal(index);
        isOneSlice = binding.slices() == 1;
        view = null;
        source.bind(newStep.source());
        second.bind(newStep.second());
        target.bind(newStep.target());
        cut = kind == StepKind.SEND ? source.range() : target.range();
        if (isOneSlice) {
            cutOnce();
        }
        isIdle = isIdle(call);
    }

    private boolean isIdle(CollectiveCall call) {
        return switch (kind) {
            case SCALE -> !call.kernel().finishes();
            case COPY -> isOneSlice && (fragments == 0 || isInPlace(0, 0));
            default -> isOneSlice && isLocal() && fragments == 0;
        };
    }

    /** Both sides of a message have the same shares, and cut them alike. */
    private void cutOnce() {
        long items = binding.rangeItems(cut);
        long pieceItems = binding.pieceItems();
        long count = Math.ceilDiv(items, pieceItems);
        fragments = (int) (isLocal() ? count : Math.max(1, count));
        lastItems = items - Math.max(0, count - 1) * pieceItems;
    }

    /** Lets go of the caller's memory. */
    void unbind() {
        source.unbind();
        second.unbind();
        target.unbind();
        view = null;
    }

    StepKind kind() {
        return kind;
    }

    boolean isLocal() {
        return kind != StepKind.SEND && !isReceive();
    }

    boolean isReceive() {
        return kind == StepKind.RECEIVE || kind == StepKind.RECEIVE_REDUCE;
    }

    /** Whether there is nothing to do, in any slice. */
    boolean isIdle() {
        return isIdle;
    }

    int peer() {
        return peer;
    }

    int ordinal() {
        return ordinal;
    }

    int round() {
        return step().round();
    }

    boolean arrivingIsLeft() {
        return step().arrivingIsLeft();
    }

    Place source() {
        return source;
    }

    Place second() {
        return second;
    }

    Place target() {
        return target;
    }

    /** The first fragment of a slice, or NONE. A message may be one empty fragment, in slice 0. */
    int firstFragment(long slice) {
        if (isOneSlice) {
            return fragments > 0 ? 0 : Binding.NONE;
        }
        return binding.firstFragment(cut, slice, !isLocal());
    }

    /** The fragment after this one, or NONE. */
    int nextFragment(long slice, int fragment) {
        if (isOneSlice) {
            return fragment + 1 < fragments ? fragment + 1 : Binding.NONE;
        }
        return binding.nextFragment(cut, slice, fragment);
    }

    boolean hasFragment(long slice, int fragment) {
        return isOneSlice
                ? fragment >= 0 && fragment < fragments
                : binding.hasFragment(cut, slice, fragment);
    }

    long items(long slice, int fragment) {
        if (isOneSlice) {
            return fragment + 1 < fragments ? binding.pieceItems() : lastItems;
        }
        return binding.fragmentItems(cut, slice, fragment);
    }

    long bytes(long slice, int fragment) {
        return items(slice, fragment) * binding.itemBytes();
    }

    /** The memory of a fragment of that place, exactly: no new object for a small call's. */
    MemorySegment view(Place place, long slice, int fragment) {
        MemorySegment known = view;
        if (known != null) {
            return known;
        }
        MemorySegment made = slice(place, slice, fragment);
        if (isOneSlice && fragments == 1) {
            view = made;
        }
        return made;
    }

    private MemorySegment slice(Place place, long slice, int fragment) {
        long bytes = bytes(slice, fragment);
        if (bytes == 0) {
            return MemorySegment.NULL;
        }
        MemorySegment whole = place.memory(slice);
        return bytes == whole.byteSize()
                ? whole
                : whole.asSlice(place.offset(slice, fragment), bytes);
    }

    /** Whether a COPY of this slice's fragment would write what is there. */
    boolean isInPlace(long slice, int fragment) {
        return source.range().buffer() == BufferRole.INPUT
                && target.range().buffer() == BufferRole.OUTPUT
                && binding.isSamePlace(
                        slice, source.offset(slice, fragment), target.offset(slice, fragment));
    }

    private Plan.Step step() {
        if (step == null) {
            throw new IllegalStateException("a step that is not bound");
        }
        return step;
    }
}
