package io.nexar.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.DataType;
import io.nexar.ReduceOp;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.collective.plan.PlanRequest;
import io.nexar.collective.plan.TestPlacements;
import io.nexar.reduce.Kernels;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;

/**
 * One collective on all ranks of a simulated fabric: fills the memory, starts it, and compares what
 * came out with plain loops over what went in. The loops know nothing of plans and kernels.
 */
final class TestCollective {
    /** What to run. */
    record Shape(
            PlanCatalog.Entry entry,
            int size,
            int root,
            long count,
            DataType type,
            ReduceOp op,
            int offset,
            boolean inPlace) {
        /** There is no AVG in a scan. */
        Shape {
            if (entry.operation().isScan() && op == ReduceOp.AVG) {
                op = ReduceOp.SUM;
            }
        }

        Operation operation() {
            return entry.operation();
        }

        @Override
        public String toString() {
            return "%s %s size %d root %d count %d %s %s offset %d in place %b"
                    .formatted(
                            operation(),
                            entry.algorithm(),
                            size,
                            root,
                            count,
                            type,
                            op.name(),
                            offset,
                            inPlace);
        }
    }

    private final Shape shape;
    private final TestLayout layout;
    private final long sequence;
    private final TestMemory[] inputs;
    private final TestMemory[] outputs;
    private final MemorySegment[] inputSegments;
    private final MemorySegment[] outputSegments;
    private final byte[][] inputsBefore;
    private final boolean[] ended;
    private final @Nullable RuntimeException[] failures;

    TestCollective(Shape shape, long sequence, Random random) {
        this(shape, TestLayout.even(shape), sequence, random);
    }

    /** With shares as the layout says. */
    TestCollective(Shape shape, TestLayout layout, long sequence, Random random) {
        this.shape = shape;
        this.layout = layout;
        this.sequence = sequence;
        int size = shape.size();
        inputs = new TestMemory[size];
        outputs = new TestMemory[size];
        inputSegments = new MemorySegment[size];
        outputSegments = new MemorySegment[size];
        inputsBefore = new byte[size][];
        ended = new boolean[size];
        failures = new @Nullable RuntimeException[size];
        for (int rank = 0; rank < size; rank++) {
            makeMemory(rank, random);
            fill(rank);
            inputsBefore[rank] = inputs[rank].bytes();
        }
    }

    private void makeMemory(int rank, Random random) {
        DataType type = shape.type();
        long in = layout.input(rank).length;
        long out = layout.output(rank).length;
        boolean isOffHeap = random.nextBoolean();
        TestMemory larger = new TestMemory(type, Math.max(in, out), shape.offset(), isOffHeap);
        if (isInPlace()) {
            long first = Math.min(in, out) == 0 ? 0 : layout.ownShareOffset(rank);
            MemorySegment own =
                    larger.segment()
                            .asSlice(first * type.bytes(), Math.min(in, out) * type.bytes());
            inputs[rank] = larger;
            outputs[rank] = larger;
            inputSegments[rank] = in >= out ? larger.segment() : own;
            outputSegments[rank] = out >= in ? larger.segment() : own;
        } else {
            inputs[rank] = new TestMemory(type, in, shape.offset(), isOffHeap);
            outputs[rank] = new TestMemory(type, out, shape.offset(), random.nextBoolean());
            inputSegments[rank] = inputs[rank].segment();
            outputSegments[rank] = outputs[rank].segment();
        }
    }

    private boolean isInPlace() {
        return shape.inPlace() && shape.operation() != Operation.ALL_TO_ALL;
    }

    /** Another number in every element of every rank and call; sums of them are exact in F32. */
    private long value(int rank, long index) {
        return ((rank + 1L) << 14) + index + (sequence & 7) * 2;
    }

    private void fill(int rank) {
        long[] elements = layout.input(rank);
        for (int i = 0; i < elements.length; i++) {
            TestMemory.set(inputSegments[rank], shape.type(), i, value(rank, elements[i]));
        }
    }

    CollectiveCall call(int rank) {
        Plan plan =
                shape.entry()
                        .plan(
                                PlanRequest.of(
                                        shape.operation(),
                                        shape.entry().algorithm(),
                                        rank,
                                        shape.root(),
                                        TestPlacements.uneven(shape.size())));
        CollectiveCall call = new CollectiveCall().reset(plan, sequence);
        if (shape.operation() != Operation.BARRIER) {
            call.elements(shape.type(), shape.count())
                    .memory(inputSegments[rank], outputSegments[rank]);
            layout.giveShares(call, rank);
        }
        if (shape.operation().isReducing()) {
            call.reduction(shape.op(), Kernels.find(shape.op(), shape.type()));
        }
        return call;
    }

    void start(SimulatedFabric fabric, int rank) {
        fabric.engine(rank)
                .start(
                        call(rank),
                        (call, failure) -> {
                            assertThat(ended[rank]).as("ended twice").isFalse();
                            assertThat(call.sequence()).isEqualTo(sequence);
                            ended[rank] = true;
                            failures[rank] = failure;
                        });
    }

    void startAll(SimulatedFabric fabric) {
        for (int rank = 0; rank < shape.size(); rank++) {
            start(fabric, rank);
        }
    }

    boolean isOver(int rank) {
        return ended[rank];
    }

    boolean isOver() {
        for (boolean end : ended) {
            if (!end) {
                return false;
            }
        }
        return true;
    }

    @Nullable RuntimeException failure(int rank) {
        return failures[rank];
    }

    MemorySegment output(int rank) {
        return outputSegments[rank];
    }

    MemorySegment input(int rank) {
        return inputSegments[rank];
    }

    void verify() {
        for (int rank = 0; rank < shape.size(); rank++) {
            verify(rank);
        }
    }

    void verify(int rank) {
        assertThat(ended[rank]).as("rank %d is over", rank).isTrue();
        assertThat(failures[rank]).as("failure of rank %d", rank).isNull();
        assertThat(inputs[rank].areGuardsUntouched() && outputs[rank].areGuardsUntouched())
                .as("guards of rank %d", rank)
                .isTrue();
        if (!shape.inPlace()) {
            assertThat(Arrays.equals(inputs[rank].bytes(), inputsBefore[rank]))
                    .as("input of rank %d is unchanged", rank)
                    .isTrue();
        }
        long[] elements = layout.output(rank);
        for (int i = 0; i < elements.length; i++) {
            double expected = expected(rank, elements[i]);
            double actual = TestMemory.get(outputSegments[rank], shape.type(), i);
            if (Double.compare(expected, actual) != 0) {
                throw new AssertionError(
                        "rank %d element %d: %s instead of %s"
                                .formatted(rank, i, actual, expected));
            }
        }
    }

    private double expected(int rank, long index) {
        return switch (shape.operation()) {
            case BARRIER -> 0;
            case BROADCAST, SCATTER -> value(shape.root(), index);
            case ALL_GATHER, GATHER, ALL_TO_ALL -> value(layout.ownerOf(index), index);
            case ALL_REDUCE, REDUCE_SCATTER, REDUCE -> reduced(index, shape.size());
            case SCAN -> reduced(index, rank + 1);
            case EXCLUSIVE_SCAN -> reduced(index, rank);
            case NEIGHBOR_EXCHANGE -> throw new IllegalArgumentException("a vector of its own");
        };
    }

    private double reduced(long index, int ranks) {
        long sum = 0;
        long smallest = Long.MAX_VALUE;
        long largest = Long.MIN_VALUE;
        for (int rank = 0; rank < ranks; rank++) {
            sum += value(rank, index);
            smallest = Math.min(smallest, value(rank, index));
            largest = Math.max(largest, value(rank, index));
        }
        long truncated = sum / shape.size();
        return switch (shape.op().name()) {
            case "SUM" -> sum;
            case "MIN" -> smallest;
            case "MAX" -> largest;
            case "AVG" ->
                    switch (shape.type()) {
                        case F32 -> (float) sum / shape.size();
                        case F64 -> (double) sum / shape.size();
                        default -> truncated;
                    };
            default -> throw new IllegalArgumentException(shape.op().name());
        };
    }
}
