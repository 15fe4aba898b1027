package io.nexar.communicator;

import io.nexar.CompressionReport;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.ProtocolException;
import io.nexar.ReduceOp;
import io.nexar.collective.Topic;
import io.nexar.compress.ErrorFeedback;
import io.nexar.reduce.Floats;
import io.nexar.reduce.Kernel;
import io.nexar.reduce.Kernels;
import io.nexar.spi.Compressor;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * One compressed allReduce. This rank compresses its values with what earlier calls left out into
 * its place among all forms: its length, then the form, then nothing up to the most that it could
 * have been. Once all have all forms, each decompresses and adds them up in rank order with the
 * same arithmetic, so that all have the same bits.
 *
 * <p>A rank sends {@code c (P - 1)} bytes, c the most that the compressor makes of the values,
 * where a plain ring sends {@code 2 n (P - 1) / P}: it pays off as long as c is less than {@code 2
 * n / P}. Work and memory beside the buffer: P decompressions, three vectors of F32, and the forms,
 * kept for another call. Nothing of buffer and state is written before every form has been found
 * right.
 *
 * <p>Filled by the calling thread, finished with the progress lock held.
 */
final class CompressedCall implements Surround {
    private static final ValueLayout.OfLong LENGTH =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final CommunicatorCore core;
    private final ReusedMemory converted = new ReusedMemory();
    private final ReusedMemory corrected = new ReusedMemory();
    private final ReusedMemory gathered = new ReusedMemory();
    private final ReusedMemory part = new ReusedMemory();
    private final ReusedMemory sum = new ReusedMemory();
    private @Nullable Filling filling;

    /**
     * @param values what was compressed: with what was left out before
     * @param residual where what does not arrive is kept; null if all arrives
     * @param sentBefore what the links had taken when the call began
     */
    private record Filling(
            DataBuffer buffer,
            ReduceOp op,
            Compressor compressor,
            MemorySegment values,
            @Nullable MemorySegment residual,
            MemorySegment forms,
            long sentBefore,
            Outcome outcome) {
        long count() {
            return buffer.count();
        }
    }

    /** What became of a call, once it has ended well; its own, as this object has other calls. */
    private static final class Outcome implements Supplier<CompressionReport> {
        private @Nullable CompressionReport report;

        @Override
        public CompressionReport get() {
            return Objects.requireNonNull(report);
        }
    }

    CompressedCall(CommunicatorCore core) {
        this.core = core;
    }

    static void requireCompressible(DataBuffer buffer, ReduceOp op) {
        if (!buffer.dataType().isFloatingPoint()) {
            throw new IllegalArgumentException(
                    "a buffer of %s; compressed are F64, F32, F16 and BF16"
                            .formatted(buffer.dataType()));
        }
        if (!Objects.requireNonNull(op, "op").equals(ReduceOp.SUM) && !op.equals(ReduceOp.AVG)) {
            throw new IllegalArgumentException(
                    "%s of a compressed form; it is SUM or AVG".formatted(op.name()));
        }
        Arguments.requireWritable(buffer);
    }

    /**
     * Compresses this rank's values.
     *
     * @param residual what was left out before, in F32; null if all arrives
     */
    void fill(
            DataBuffer buffer,
            ReduceOp op,
            @Nullable MemorySegment residual,
            Compressor compressor) {
        MemorySegment values = inF32(buffer);
        if (residual != null) {
            MemorySegment both = corrected.of(values.byteSize());
            ErrorFeedback.add(values, residual, both);
            values = both;
        }
        long formBytes =
                Math.addExact(compressor.compressedBytesMax(buffer.count()), LENGTH.byteSize());
        MemorySegment forms = gathered.of(Math.multiplyExact(formBytes, core.size()));
        MemorySegment own = forms.asSlice(core.rank() * formBytes, formBytes);
        MemorySegment form = own.asSlice(LENGTH.byteSize());
        long length = compressor.compress(values.asReadOnly(), form);
        own.set(LENGTH, 0, length);
        // What an earlier call left there is nobody else's to see.
        form.asSlice(length).fill((byte) 0);
        filling =
                new Filling(
                        buffer,
                        op,
                        compressor,
                        values,
                        residual,
                        forms,
                        sentBytes(),
                        new Outcome());
    }

    private MemorySegment inF32(DataBuffer buffer) {
        if (buffer.dataType() == DataType.F32) {
            return buffer.segment();
        }
        MemorySegment values = converted.of(buffer.count() * Float.BYTES);
        Floats.toF32(buffer.segment(), buffer.dataType(), values);
        return values;
    }

    /** All forms, of which this rank's is in its place. */
    DataBuffer forms() {
        return DataBuffer.of(filling().forms(), DataType.I8);
    }

    /** What the ranks must agree on. */
    Topic topic() {
        Filling what = filling();
        return new Topic(
                what.buffer().dataType(),
                what.count(),
                what.op().name(),
                "by " + what.compressor().name());
    }

    /** What became of it; to be asked once it has ended well. */
    Supplier<CompressionReport> outcome() {
        return filling().outcome();
    }

    @Override
    public void after() {
        Filling what = filling();
        MemorySegment result = sum.of(what.count() * Float.BYTES);
        double lost = addUp(what, result);
        DataBuffer buffer = what.buffer();
        if (buffer.dataType() == DataType.F32) {
            buffer.segment().copyFrom(result);
        } else {
            Floats.ofF32(result, buffer.segment(), buffer.dataType());
        }
        // Last: the caller may have closed the buffer, which ends the call.
        if (what.residual() != null) {
            what.residual().copyFrom(what.values());
        }
        what.outcome().report =
                new CompressionReport(buffer.byteSize(), sentBytes() - what.sentBefore(), lost);
        filling = null;
    }

    /**
     * Leaves of lossy values what does not arrive.
     *
     * @return the norm of what does not arrive
     */
    private double addUp(Filling what, MemorySegment result) {
        Kernel kernel = Kernels.find(what.op(), DataType.F32);
        double lost = 0;
        for (int rank = 0; rank < core.size(); rank++) {
            MemorySegment target = rank == 0 ? result : part.of(result.byteSize());
            decompress(what, rank, target);
            if (rank == core.rank() && what.residual() != null) {
                lost = ErrorFeedback.subtract(target, what.values());
            }
            if (rank > 0) {
                kernel.reduce(result, 0, target, 0, result, 0, what.count());
            }
        }
        kernel.scale(result, 0, what.count(), core.size());
        return lost;
    }

    private void decompress(Filling what, int rank, MemorySegment target) {
        long slotBytes = what.forms().byteSize() / core.size();
        MemorySegment form = form(what.forms().asSlice(rank * slotBytes, slotBytes), rank);
        try {
            what.compressor().decompress(form.asReadOnly(), target);
        } catch (IllegalArgumentException e) {
            throw new ProtocolException(
                    "rank " + rank,
                    "%d bytes are not of %s: %s"
                            .formatted(form.byteSize(), what.compressor().name(), e.getMessage()));
        }
    }

    /** What a rank's place has, its length checked. */
    static MemorySegment form(MemorySegment slot, int rank) {
        long length = slot.get(LENGTH, 0);
        long bytesMax = slot.byteSize() - LENGTH.byteSize();
        if (length < 0 || length > bytesMax) {
            throw new ProtocolException(
                    "rank " + rank,
                    "%d compressed bytes; these values become at most %d"
                            .formatted(length, bytesMax));
        }
        return slot.asSlice(LENGTH.byteSize(), length);
    }

    private Filling filling() {
        return Objects.requireNonNull(filling);
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
