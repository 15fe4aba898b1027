package io.nexar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CompletableFuture;

class DataBufferRefusalTest {

    @ParameterizedTest
    @CsvSource({"-1, 1", "0, 11", "10, 1", "1, 10", "2147483647, 2147483647", "0, -1", "11, 0"})
    void aRangeOutsideTheArrayIsRefused(int offset, int count) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DataBuffer.of(new double[10], offset, count))
                .withMessageContaining("offset " + offset)
                .withMessageContaining("count " + count)
                .withMessageContaining("10 elements");
        DataBuffer whole = DataBuffer.of(new double[10]);
        assertThatIllegalArgumentException().isThrownBy(() -> whole.slice(offset, count));
    }

    @Test
    void aSliceWhoseEndOverflowsALongIsRefused() {
        // Pitfall 10: offset + count must not wrap around.
        DataBuffer whole = DataBuffer.of(new byte[10]);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> whole.slice(Long.MAX_VALUE, Long.MAX_VALUE));
        assertThatIllegalArgumentException().isThrownBy(() -> whole.slice(1, Long.MAX_VALUE));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DataBuffer.allocate(DataType.F64, Long.MAX_VALUE / 8 + 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DataBuffer.allocate(DataType.F64, -1))
                .withMessageContaining("count -1");
    }

    @ParameterizedTest
    @EnumSource
    void anArrayRefusesEachTypeThatIsNotOfItsWidthAndFamily(DataType type) {
        boolean isWord = type == DataType.I32 || type == DataType.U32;
        assertRefused(isWord, type, () -> DataBuffer.of(new int[4], type));
        assertRefused(isWord, type, () -> DataBuffer.of(new int[4], 0, 4, type));
        boolean isLong = type == DataType.I64 || type == DataType.U64;
        assertRefused(isLong, type, () -> DataBuffer.of(new long[4], type));
        boolean isByte = type == DataType.I8 || type == DataType.U8;
        assertRefused(isByte, type, () -> DataBuffer.of(new byte[4], type));
        assertRefused(type.bytes() == 2, type, () -> DataBuffer.of(new short[4], type));
        assertRefused(type == DataType.F32, type, () -> DataBuffer.of(new float[4], type));
        assertRefused(type == DataType.F64, type, () -> DataBuffer.of(new double[4], type));
    }

    private static void assertRefused(boolean legal, DataType type, Runnable making) {
        if (legal) {
            making.run();
            return;
        }
        assertThatThrownBy(making::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("type " + type);
    }

    @Test
    void memoryThatOneThreadOwnsIsRefusedInEveryThread() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(16, 8);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> DataBuffer.of(memory, DataType.F64))
                    .withMessageContaining("confined");
            CompletableFuture<Void> elsewhere =
                    CompletableFuture.runAsync(() -> DataBuffer.of(memory, DataType.F64));
            assertThatThrownBy(elsewhere::join)
                    .hasRootCauseInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void memoryOfAClosedArenaIsRefused() {
        MemorySegment memory;
        try (Arena arena = Arena.ofShared()) {
            memory = arena.allocate(16, 8);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DataBuffer.of(memory, DataType.F64))
                .withMessageContaining("closed");
    }

    @ParameterizedTest
    @EnumSource
    void anAddressBetweenTwoElementsIsRefused(DataType type) {
        // Pitfall 23: a view that is not aligned to its elements, for all types.
        MemorySegment memory = Arena.ofAuto().allocate(256, 64);
        for (int offset = 0; offset < 16; offset++) {
            MemorySegment shifted = memory.asSlice(offset, 64);
            if (offset % type.alignmentBytes() == 0) {
                assertThat(DataBuffer.of(shifted, type).count()).isEqualTo(64 / type.bytes());
            } else {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> DataBuffer.of(shifted, type))
                        .withMessageContaining(type + " wants " + type.alignmentBytes());
            }
        }
    }

    @Test
    void aByteArraySeenAsAWiderTypeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DataBuffer.of(MemorySegment.ofArray(new byte[16]), DataType.F32))
                .withMessageContaining("aligned to 1");
        ByteBuffer heap = ByteBuffer.allocate(16).order(ByteOrder.nativeOrder());
        assertThatIllegalArgumentException().isThrownBy(() -> DataBuffer.of(heap, DataType.F32));
        assertThat(DataBuffer.of(heap, DataType.U8).count()).isEqualTo(16);
    }

    @Test
    void aSizeThatIsNoWholeNumberOfElementsIsRefused() {
        MemorySegment memory = Arena.ofAuto().allocate(20, 8);
        assertThat(DataBuffer.of(memory, DataType.F32).count()).isEqualTo(5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DataBuffer.of(memory, DataType.F64))
                .withMessageContaining("20 bytes")
                .withMessageContaining("F64 (8 bytes)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DataBuffer.of(memory, DataType.F32_I32));
    }

    @Test
    void aForeignByteOrderIsRefusedUnlessElementsAreBytes() {
        ByteOrder foreign =
                ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN
                        ? ByteOrder.LITTLE_ENDIAN
                        : ByteOrder.BIG_ENDIAN;
        ByteBuffer memory = ByteBuffer.allocateDirect(16).order(foreign);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DataBuffer.of(memory, DataType.I16))
                .withMessageContaining(foreign.toString());
        assertThat(DataBuffer.of(memory, DataType.I8).count()).isEqualTo(16);
    }

    @Test
    @SuppressWarnings("NullAway") // What a caller without a null checker may do.
    void nullsAreRefusedAtOnce() {
        assertThatNullPointerException().isThrownBy(() -> DataBuffer.of((float[]) null));
        assertThatNullPointerException().isThrownBy(() -> DataBuffer.of(new int[1], null));
        assertThatNullPointerException()
                .isThrownBy(() -> DataBuffer.of((MemorySegment) null, DataType.I8));
        assertThatNullPointerException().isThrownBy(() -> DataBuffer.allocate(null, 1));
    }
}
