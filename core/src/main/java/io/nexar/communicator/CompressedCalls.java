package io.nexar.communicator;

import io.nexar.CompressionReport;
import io.nexar.CompressionState;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.ProtocolException;
import io.nexar.ReduceOp;
import io.nexar.collective.Topic;
import io.nexar.compress.Compressors;
import io.nexar.compress.ErrorFeedback;
import io.nexar.reduce.Kernel;
import io.nexar.reduce.Kernels;
import io.nexar.spi.Compressor;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * The compressed allReduce. Each rank compresses its values with what earlier calls left out; all
 * get all compressed forms, and each decompresses and adds them up in rank order with the same
 * arithmetic, so that all have the same bits. It is two collectives of its own name: how many bytes
 * each rank has, then the bytes.
 *
 * <p>A rank sends {@code c (P - 1)} bytes, c the compressed size, where a plain ring sends {@code 2
 * n (P - 1) / P}: it pays off as long as c is less than {@code 2 n / P}. Work and memory beside the
 * buffer: P decompressions, three vectors of its size, and the compressed forms, kept for the next
 * call. Nothing of the buffer is written before every form has been found right.
 */
final class CompressedCalls {
    static final String NAME = "allReduceCompressed";

    private final CommunicatorCore core;
    private final Collectives collectives;
    private final ReusedMemory corrected = new ReusedMemory();
    private final ReusedMemory own = new ReusedMemory();
    private final ReusedMemory all = new ReusedMemory();
    private final ReusedMemory part = new ReusedMemory();
    private final ReusedMemory sum = new ReusedMemory();

    CompressedCalls(CommunicatorCore core, Collectives collectives) {
        this.core = core;
        this.collectives = collectives;
    }

    CompressionReport allReduce(DataBuffer buffer, ReduceOp op, CompressionState state) {
        requireCompressible(buffer, op);
        Objects.requireNonNull(state, "state").claim();
        try {
            long before = sentBytes();
            Reduction reduction =
                    new Reduction(
                            Compressors.of(state.method(), nextSequence()),
                            values(buffer, state),
                            op,
                            isLossy(state));
            double lost = addUp(reduction, exchange(reduction));
            if (reduction.isLossy()) {
                residual(buffer, state).copyFrom(reduction.values());
            }
            buffer.segment().copyFrom(sum.of(buffer.byteSize()));
            return new CompressionReport(buffer.byteSize(), sentBytes() - before, lost);
        } finally {
            state.release();
        }
    }

    private static void requireCompressible(DataBuffer buffer, ReduceOp op) {
        if (buffer.dataType() != DataType.F32) {
            throw new IllegalArgumentException(
                    "a buffer of %s; compressed are F32".formatted(buffer.dataType()));
        }
        if (!Objects.requireNonNull(op, "op").equals(ReduceOp.SUM) && !op.equals(ReduceOp.AVG)) {
            throw new IllegalArgumentException(
                    "%s of a compressed form; it is SUM or AVG".formatted(op.name()));
        }
        Arguments.requireWritable(buffer);
    }

    /** What is to be compressed: with what was left out before. */
    private MemorySegment values(DataBuffer buffer, CompressionState state) {
        if (!isLossy(state)) {
            return buffer.segment();
        }
        MemorySegment values = corrected.of(buffer.byteSize());
        ErrorFeedback.add(buffer.segment(), residual(buffer, state), values);
        return values;
    }

    private static boolean isLossy(CompressionState state) {
        return !(state.method() instanceof CompressionState.Method.None);
    }

    private static MemorySegment residual(DataBuffer buffer, CompressionState state) {
        return state.residual(buffer.count()).segment();
    }

    /** What is to be done, once all is known to be as it must be. */
    private record Reduction(
            Compressor compressor, MemorySegment values, ReduceOp op, boolean isLossy) {
        long count() {
            return values.byteSize() / DataType.F32.bytes();
        }

        Topic topic() {
            return new Topic(DataType.F32, count(), op.name(), "by " + compressor.name());
        }
    }

    /** What all ranks have sent, one after the other. */
    private record Parts(MemorySegment bytes, long[] lengths) {}

    private Parts exchange(Reduction reduction) {
        Compressor compressor = reduction.compressor();
        long bytesMax = compressor.compressedBytesMax(reduction.count());
        MemorySegment target = own.of(bytesMax);
        long length = compressor.compress(reduction.values().asReadOnly(), target);
        long[] lengths = new long[core.size()];
        DataBuffer mine = DataBuffer.of(new long[] {length});
        run(collectives.spec().allGather(mine, DataBuffer.of(lengths)), reduction);
        requireLengths(lengths, bytesMax);
        MemorySegment gathered = all.of(Arguments.sum(lengths));
        DataBuffer compressed = bytes(target.asSlice(0, length));
        run(collectives.spec().allGather(compressed, bytes(gathered), lengths), reduction);
        return new Parts(gathered, lengths);
    }

    private void run(CollectiveSpec spec, Reduction reduction) {
        collectives.run(spec.calledAs(NAME).about(reduction.topic()));
    }

    /**
     * Leaves the result in {@link #sum}, and of lossy values what does not arrive.
     *
     * @return the norm of what does not arrive
     */
    private double addUp(Reduction reduction, Parts parts) {
        Kernel kernel = Kernels.find(reduction.op(), DataType.F32);
        MemorySegment values = reduction.values();
        MemorySegment result = sum.of(values.byteSize());
        double lost = 0;
        long offset = 0;
        for (int rank = 0; rank < core.size(); rank++) {
            long length = parts.lengths()[rank];
            MemorySegment target = rank == 0 ? result : part.of(values.byteSize());
            MemorySegment source = parts.bytes().asSlice(offset, length);
            decompress(reduction.compressor(), source, target, rank);
            if (rank == core.rank() && reduction.isLossy()) {
                lost = ErrorFeedback.subtract(target, values);
            }
            if (rank > 0) {
                kernel.reduce(result, 0, target, 0, result, 0, reduction.count());
            }
            offset += length;
        }
        kernel.scale(result, 0, reduction.count(), core.size());
        return lost;
    }

    private void decompress(
            Compressor compressor, MemorySegment source, MemorySegment target, int rank) {
        try {
            compressor.decompress(source.asReadOnly(), target);
        } catch (IllegalArgumentException e) {
            throw broken(
                    rank,
                    "%d bytes are not of %s: %s"
                            .formatted(source.byteSize(), compressor.name(), e.getMessage()));
        }
    }

    private void requireLengths(long[] lengths, long bytesMax) {
        for (int rank = 0; rank < lengths.length; rank++) {
            if (lengths[rank] < 0 || lengths[rank] > bytesMax) {
                throw broken(
                        rank,
                        "%d compressed bytes; these values become at most %d"
                                .formatted(lengths[rank], bytesMax));
            }
        }
    }

    /** The others are told: they may have got other bytes, or wait for this rank's. */
    private ProtocolException broken(int rank, String problem) {
        ProtocolException failure = new ProtocolException("rank " + rank, problem);
        core.breakDown(failure);
        return failure.at(core.context(NAME));
    }

    private static DataBuffer bytes(MemorySegment memory) {
        return DataBuffer.of(memory, DataType.I8);
    }

    /** The number of this call, which is the same on all ranks. */
    private long nextSequence() {
        core.progress().lock();
        try {
            return core.engine().nextSequence();
        } finally {
            core.progress().unlock();
        }
    }

    private long sentBytes() {
        core.progress().lock();
        try {
            return core.channel().pieceBytesSent();
        } finally {
            core.progress().unlock();
        }
    }
}
