package io.nexar.cli.bench;

import io.nexar.DataBuffer;
import io.nexar.DataType;

/** Makes a rank's buffers, where and of what type it was asked for. */
final class Buffers {
    private final BenchSpec spec;
    private final Oracle oracle;
    private final int rank;

    Buffers(BenchSpec spec, Oracle oracle, int rank) {
        this.spec = spec;
        this.oracle = oracle;
        this.rank = rank;
    }

    /** With this rank's data. */
    DataBuffer filled(long count) {
        DataBuffer buffer = empty(count);
        oracle.fill(buffer, rank);
        return buffer;
    }

    DataBuffer empty(long count) {
        return spec.isOnHeap()
                ? array(spec.type(), Math.toIntExact(count))
                : DataBuffer.allocate(spec.type(), count);
    }

    private static DataBuffer array(DataType type, int count) {
        return switch (type) {
            case F64 -> DataBuffer.of(new double[count]);
            case F32 -> DataBuffer.of(new float[count]);
            case F16, BF16, I16, U16 -> DataBuffer.of(new short[count], type);
            case I8, U8 -> DataBuffer.of(new byte[count], type);
            case I32, U32 -> DataBuffer.of(new int[count], type);
            case I64, U64 -> DataBuffer.of(new long[count], type);
            case F32_I32, F64_I64, I32_I32, I64_I64 ->
                    throw new IllegalArgumentException("there is no array of " + type);
        };
    }
}
