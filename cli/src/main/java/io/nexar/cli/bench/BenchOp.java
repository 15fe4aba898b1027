package io.nexar.cli.bench;

import io.nexar.collective.plan.Operation;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What can be measured. What a size means follows MPI's benchmarks: the whole buffer of a rank
 * where all ranks have the same one, else what one rank has for one other.
 *
 * <p>{@code algbw} is S / t and {@code busbw} corrects it by what has to pass each rank's link at
 * least, both as nccl-tests define them (doc/PERFORMANCE.md there): S is the size of the whole
 * vector, so {@code ranks} times a size that belongs to one other rank. What nccl-tests do not have
 * (the scan, messages) has no correction.
 */
public enum BenchOp {
    /** Half of a round trip between ranks 0 and 1. */
    PINGPONG(null, Size.WHOLE, Bus.LINK),
    /** A window of messages from rank 0 to rank 1, under way together; the time of one. */
    BANDWIDTH(null, Size.WHOLE, Bus.LINK),
    /** A row of small messages from the lower half of the ranks to the upper; the time of one. */
    MESSAGERATE(null, Size.PAIRS, Bus.LINK),
    BARRIER(Operation.BARRIER, Size.NOTHING, Bus.LINK),
    BROADCAST(Operation.BROADCAST, Size.WHOLE, Bus.LINK),
    REDUCE(Operation.REDUCE, Size.WHOLE, Bus.LINK),
    ALLREDUCE(Operation.ALL_REDUCE, Size.WHOLE, Bus.OTHERS_TWICE),
    GATHER(Operation.GATHER, Size.OF_RANK, Bus.OTHERS),
    SCATTER(Operation.SCATTER, Size.OF_RANK, Bus.OTHERS),
    ALLGATHER(Operation.ALL_GATHER, Size.OF_RANK, Bus.OTHERS),
    ALLTOALL(Operation.ALL_TO_ALL, Size.OF_RANK, Bus.OTHERS),
    REDUCESCATTER(Operation.REDUCE_SCATTER, Size.OF_RANK, Bus.OTHERS),
    SCAN(Operation.SCAN, Size.WHOLE, Bus.LINK);

    private enum Size {
        NOTHING,
        WHOLE,
        OF_RANK,
        PAIRS
    }

    private enum Bus {
        LINK,
        OTHERS,
        OTHERS_TWICE
    }

    private final @Nullable Operation operation;
    private final Size size;
    private final Bus bus;

    BenchOp(@Nullable Operation operation, Size size, Bus bus) {
        this.operation = operation;
        this.size = size;
        this.bus = bus;
    }

    public static Optional<BenchOp> byWord(String word) {
        return Arrays.stream(values()).filter(op -> op.word().equals(word)).findFirst();
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(BenchOp::word).toList();
    }

    /** What a person types. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The collective that it is; none for messages. */
    public Optional<Operation> operation() {
        return Optional.ofNullable(operation);
    }

    public boolean isCollective() {
        return operation != null;
    }

    /** Whether it has a size at all. */
    public boolean hasSize() {
        return size != Size.NOTHING;
    }

    /** Messages go between two ranks, or between two halves of them. */
    public boolean takesRanks(int ranks) {
        return isCollective() || ranks >= 2 && (this != MESSAGERATE || ranks % 2 == 0);
    }

    /** What is wrong with a number of ranks that it does not take. */
    public String ranksRule() {
        return this == MESSAGERATE ? "messagerate needs pairs of ranks" : word() + " needs 2 ranks";
    }

    /** How many elements the longest buffer of a rank has. */
    public long elementsMax(long count, int ranks) {
        return size == Size.OF_RANK ? Math.multiplyExact(count, ranks) : count;
    }

    /** Whether elements are combined, so that {@code --op} says something. */
    public boolean isReducing() {
        return operation != null && operation.isReducing();
    }

    /** Gigabytes, of 10^9 bytes, in a second. */
    public double algorithmBandwidth(long bytes, int ranks, double micros) {
        double whole =
                switch (size) {
                    case NOTHING -> 0;
                    case WHOLE -> bytes;
                    case OF_RANK -> (double) bytes * ranks;
                    case PAIRS -> bytes * (ranks / 2.0);
                };
        return micros > 0 ? whole / micros / 1e3 : 0;
    }

    /** What each rank's link carries, in the same unit. */
    public double busBandwidth(long bytes, int ranks, double micros) {
        double others = (ranks - 1.0) / ranks;
        return algorithmBandwidth(bytes, ranks, micros)
                * switch (bus) {
                    case LINK -> 1;
                    case OTHERS -> others;
                    case OTHERS_TWICE -> 2 * others;
                };
    }
}
