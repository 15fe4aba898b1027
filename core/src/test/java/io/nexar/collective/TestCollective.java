package io.nexar.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.DataType;
import io.nexar.Partition;
import io.nexar.ReduceOp;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.collective.plan.PlanRequest;
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
    private final long sequence;
    private final TestMemory[] inputs;
    private final TestMemory[] outputs;
    private final MemorySegment[] inputSegments;
    private final MemorySegment[] outputSegments;
    private final byte[][] inputsBefore;
    private final boolean[] ended;
    private final @Nullable RuntimeException[] failures;

    TestCollective(Shape shape, long sequence, Random random) {
        this.shape = shape;
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
        Partition partition = new Partition(shape.count(), shape.size());
        DataType type = shape.type();
        long in = inputElements(rank);
        long out = outputElements(rank);
        boolean isOffHeap = random.nextBoolean();
        TestMemory larger = new TestMemory(type, Math.max(in, out), shape.offset(), isOffHeap);
        MemorySegment own =
                larger.segment()
                        .asSlice(
                                shape.operation().isShared()
                                        ? partition.offset(rank) * type.bytes()
                                        : 0,
                                Math.min(in, out) * type.bytes());
        if (shape.inPlace()) {
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

    private long inputElements(int rank) {
        return switch (shape.operation().input()) {
            case NOTHING -> 0;
            case EVERYTHING -> shape.count();
            case OWN_SHARE -> new Partition(shape.count(), shape.size()).count(rank);
            case EVERYTHING_AT_ROOT -> rank == shape.root() ? shape.count() : 0;
        };
    }

    private long outputElements(int rank) {
        return switch (shape.operation().output()) {
            case NOTHING -> 0;
            case EVERYTHING -> shape.count();
            case OWN_SHARE -> new Partition(shape.count(), shape.size()).count(rank);
            case EVERYTHING_AT_ROOT -> rank == shape.root() ? shape.count() : 0;
        };
    }

    /** Another number in every element of every rank and call; sums of them are exact in F32. */
    private long value(int rank, long index) {
        return ((rank + 1L) << 14) + index + (sequence & 7) * 2;
    }

    private void fill(int rank) {
        long first =
                shape.operation() == Operation.ALL_GATHER
                        ? new Partition(shape.count(), shape.size()).offset(rank)
                        : 0;
        for (long i = 0; i < inputElements(rank); i++) {
            TestMemory.set(inputSegments[rank], shape.type(), i, value(rank, first + i));
        }
    }

    CollectiveCall call(int rank) {
        Plan plan =
                shape.entry()
                        .plan(
                                new PlanRequest(
                                        shape.operation(),
                                        shape.entry().algorithm(),
                                        rank,
                                        shape.size(),
                                        shape.root()));
        CollectiveCall call = new CollectiveCall().reset(plan, sequence);
        if (shape.operation() != Operation.BARRIER) {
            call.elements(shape.type(), shape.count())
                    .memory(inputSegments[rank], outputSegments[rank])
                    .evenShares(shape.count());
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
        long first =
                shape.operation() == Operation.REDUCE_SCATTER
                        ? new Partition(shape.count(), shape.size()).offset(rank)
                        : 0;
        for (long i = 0; i < outputElements(rank); i++) {
            double expected = expected(first + i);
            double actual = TestMemory.get(outputSegments[rank], shape.type(), i);
            if (Double.compare(expected, actual) != 0) {
                throw new AssertionError(
                        "rank %d element %d: %s instead of %s"
                                .formatted(rank, i, actual, expected));
            }
        }
    }

    private double expected(long index) {
        return switch (shape.operation()) {
            case BARRIER -> 0;
            case BROADCAST -> value(shape.root(), index);
            case ALL_GATHER -> value(ownerOf(index), index);
            case ALL_REDUCE, REDUCE_SCATTER -> reduced(index);
        };
    }

    private int ownerOf(long index) {
        Partition partition = new Partition(shape.count(), shape.size());
        int rank = 0;
        while (index >= partition.offset(rank + 1)) {
            rank++;
        }
        return rank;
    }

    private double reduced(long index) {
        long sum = 0;
        long smallest = Long.MAX_VALUE;
        long largest = Long.MIN_VALUE;
        for (int rank = 0; rank < shape.size(); rank++) {
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
