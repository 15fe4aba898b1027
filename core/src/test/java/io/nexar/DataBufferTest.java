package io.nexar;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

class DataBufferTest {

    private static final MemorySegment FIVE_GIB =
            MemorySegment.ofAddress(1L << 32).reinterpret(5L << 30);

    @Test
    void eachArrayTypeHasItsNaturalElementType() {
        List<DataBuffer> views =
                List.of(
                        DataBuffer.of(new double[3]),
                        DataBuffer.of(new float[3]),
                        DataBuffer.of(new long[3]),
                        DataBuffer.of(new int[3]),
                        DataBuffer.of(new short[3]),
                        DataBuffer.of(new byte[3]));
        assertThat(views)
                .extracting(DataBuffer::dataType)
                .containsExactly(
                        DataType.F64,
                        DataType.F32,
                        DataType.I64,
                        DataType.I32,
                        DataType.I16,
                        DataType.I8);
        assertThat(views).extracting(DataBuffer::count).containsOnly(3L);
        assertThat(views)
                .extracting(DataBuffer::byteSize)
                .containsExactly(24L, 12L, 24L, 12L, 6L, 3L);
    }

    @Test
    void arraysCarryEveryTypeOfTheirWidthAndFamily() {
        assertThat(DataBuffer.of(new int[2], DataType.U32).dataType()).isEqualTo(DataType.U32);
        assertThat(DataBuffer.of(new long[2], DataType.U64).dataType()).isEqualTo(DataType.U64);
        assertThat(DataBuffer.of(new byte[2], DataType.U8).dataType()).isEqualTo(DataType.U8);
        for (DataType type : List.of(DataType.U16, DataType.F16, DataType.BF16)) {
            DataBuffer view = DataBuffer.of(new short[5], 1, 3, type);
            assertThat(view.dataType()).isEqualTo(type);
            assertThat(view.count()).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 7})
    void aViewWritesOnlyBetweenItsGuards(int offset) {
        // Pitfall 23: views that begin at odd elements; the neighbours on both sides stay
        // untouched.
        for (int count : new int[] {0, 1, 3, 17, 1023}) {
            long[] memory = new long[offset + count + 2];
            java.util.Arrays.fill(memory, -7);
            DataBuffer view = DataBuffer.of(memory, offset + 1, count);
            view.segment().fill((byte) 1);
            for (int i = 0; i < memory.length; i++) {
                boolean inside = i > offset && i <= offset + count;
                assertThat(memory[i]).isEqualTo(inside ? 0x0101010101010101L : -7);
            }
        }
    }

    @Test
    void aViewNeverCopies() {
        float[] a = {1, 2, 3, 4};
        DataBuffer view = DataBuffer.of(a, 1, 2);
        a[2] = 30;
        assertThat(view.segment().getAtIndex(ValueLayout.JAVA_FLOAT, 1)).isEqualTo(30);
        view.segment().setAtIndex(ValueLayout.JAVA_FLOAT, 0, 20);
        assertThat(a).containsExactly(1, 20, 30, 4);
    }

    @Test
    void aByteBufferIsViewedFromPositionToLimit() {
        ByteBuffer memory = ByteBuffer.allocateDirect(64).order(ByteOrder.nativeOrder());
        memory.position(8).limit(24);
        DataBuffer view = DataBuffer.of(memory, DataType.I32);
        memory.clear();
        assertThat(view.count()).isEqualTo(4);
        view.segment().setAtIndex(ValueLayout.JAVA_INT, 0, 5);
        assertThat(memory.getInt(8)).isEqualTo(5);
    }

    @Test
    void readOnlyMemorySaysSo() {
        ByteBuffer memory = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
        DataBuffer view =
                DataBuffer.of(
                        memory.asReadOnlyBuffer().order(ByteOrder.nativeOrder()), DataType.F64);
        assertThat(view.isReadOnly()).isTrue();
        assertThat(view.slice(1, 1).isReadOnly()).isTrue();
        assertThat(view).hasToString(view.toString()).asString().contains("read-only");
        assertThat(DataBuffer.of(memory, DataType.F64).isReadOnly()).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void allocatedMemoryIsZeroAndAlignedToACacheLine(DataType type) {
        DataBuffer buffer = DataBuffer.allocate(type, 33);
        assertThat(buffer.count()).isEqualTo(33);
        assertThat(buffer.byteSize()).isEqualTo(33L * type.bytes());
        assertThat(buffer.segment().address() % 64).isZero();
        assertThat(buffer.segment().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        assertThat(DataBuffer.allocate(type, 0).count()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aSliceCountsInElements(DataType type) {
        DataBuffer whole = DataBuffer.allocate(type, 10);
        DataBuffer part = whole.slice(3, 4);
        assertThat(part.count()).isEqualTo(4);
        assertThat(part.segment().address())
                .isEqualTo(whole.segment().address() + 3L * type.bytes());
        assertThat(part.slice(1, 2).sameMemory(whole.slice(4, 2))).isTrue();
        assertThat(whole.slice(10, 0).count()).isZero();
    }

    @Test
    void sizesBeyondTwoGibibytesAreExact() {
        // Pitfall 10: no size is computed as an int. The memory is only described, never touched.
        DataBuffer bytes = DataBuffer.of(FIVE_GIB, DataType.U8);
        assertThat(bytes.count()).isEqualTo(5L << 30);
        DataBuffer doubles = DataBuffer.of(FIVE_GIB, DataType.F64);
        DataBuffer tail = doubles.slice((4L << 30) / 8, (1L << 30) / 8);
        assertThat(tail.byteSize()).isEqualTo(1L << 30);
        assertThat(tail.segment().address() - FIVE_GIB.address()).isEqualTo(4L << 30);
        assertThat(bytes.slice(0, (4L << 30) + 1).overlaps(tail)).isTrue();
        assertThat(bytes.slice(0, 4L << 30).overlaps(tail)).isFalse();
    }

    @Test
    void buffersThatShareAByteOverlap() {
        float[] a = new float[10];
        DataBuffer left = DataBuffer.of(a, 0, 6);
        assertThat(left.overlaps(DataBuffer.of(a, 5, 3))).isTrue();
        assertThat(left.overlaps(DataBuffer.of(a, 6, 4))).isFalse();
        assertThat(left.overlaps(DataBuffer.of(new float[10]))).isFalse();
        assertThat(left.overlaps(DataBuffer.allocate(DataType.F32, 6))).isFalse();
        assertThat(left.overlaps(DataBuffer.of(a, 3, 0))).isFalse();
    }

    @Test
    void onlyTheVerySameBytesAreTheSameMemory() {
        int[] a = new int[10];
        assertThat(DataBuffer.of(a).sameMemory(DataBuffer.of(a, DataType.U32))).isTrue();
        assertThat(DataBuffer.of(a).sameMemory(DataBuffer.of(a, 0, 9))).isFalse();
        assertThat(DataBuffer.of(a, 1, 9).sameMemory(DataBuffer.of(a, 0, 9))).isFalse();
        assertThat(DataBuffer.of(a).sameMemory(DataBuffer.of(a.clone()))).isFalse();
    }

    @Test
    void sharedArenasMayBeViewedFromAnyThread() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(32, 8);
            assertThat(DataBuffer.of(memory, DataType.F64_I64).count()).isEqualTo(2);
        }
    }

    @Test
    void theTextSaysTypeCountAndPlace() {
        assertThat(DataBuffer.of(new float[12])).hasToString("12 F32 on the heap");
        assertThat(DataBuffer.of(FIVE_GIB, DataType.I8))
                .hasToString("5368709120 I8 at 0x100000000");
    }
}
