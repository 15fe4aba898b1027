package io.nexar.compress;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Values in memory, and numbers as compressors write them: packed, little-endian everywhere. */
final class WireValues {
    /** The caller's values, which are the machine's. */
    static final ValueLayout.OfFloat MACHINE_F32 = ValueLayout.JAVA_FLOAT_UNALIGNED;

    static final ValueLayout.OfFloat F32 =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt I32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private WireValues() {}

    static long count(MemorySegment values) {
        return values.byteSize() / Float.BYTES;
    }

    static float get(MemorySegment values, long index) {
        return values.get(MACHINE_F32, index * Float.BYTES);
    }

    static void set(MemorySegment values, long index, float value) {
        values.set(MACHINE_F32, index * Float.BYTES, value);
    }

    static void requireBytes(MemorySegment source, long bytes) {
        if (source.byteSize() != bytes) {
            throw new IllegalArgumentException(
                    "%d bytes where these values have %d".formatted(source.byteSize(), bytes));
        }
    }

    static float requireFinite(float value, long index) {
        if (!Float.isFinite(value)) {
            throw new IllegalArgumentException(
                    "value %d is %s, which no compressor sends".formatted(index, value));
        }
        return value;
    }
}
