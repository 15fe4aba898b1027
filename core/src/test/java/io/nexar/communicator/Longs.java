package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.DataBuffer;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/** I64 elements inside of an array, with guard elements around them. */
record Longs(long[] array, int offset, int count) {
    private static final long GUARD = 0x5EED_BEEF_DEAD_F00DL;
    private static final int GUARDS_BEHIND = 3;

    static Longs of(int offset, int count, IntToLongFunction value) {
        Longs longs = new Longs(new long[offset + count + GUARDS_BEHIND], offset, count);
        Arrays.fill(longs.array, GUARD);
        for (int i = 0; i < count; i++) {
            longs.array[offset + i] = value.applyAsLong(i);
        }
        return longs;
    }

    /** What nobody expects. */
    static Longs untouched(int offset, int count) {
        return of(offset, count, i -> -1_000_000_000L - i);
    }

    DataBuffer buffer() {
        return DataBuffer.of(array, offset, count);
    }

    DataBuffer buffer(int first, int length) {
        return DataBuffer.of(array, offset + first, length);
    }

    /** Requires these values, and whole guards. */
    void require(String what, IntToLongFunction expected) {
        for (int i = 0; i < count; i++) {
            assertThat(array[offset + i])
                    .as("%s: element %d", what, i)
                    .isEqualTo(expected.applyAsLong(i));
        }
        for (int i = 0; i < array.length; i++) {
            if (i < offset || i >= offset + count) {
                assertThat(array[i]).as("%s: guard %d", what, i).isEqualTo(GUARD);
            }
        }
    }
}
