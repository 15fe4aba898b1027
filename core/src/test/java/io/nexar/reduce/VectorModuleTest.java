package io.nexar.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.DataType;
import io.nexar.StandardReduceOp;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What the table of kernels takes with the module and without it. The build runs this room's tests
 * twice: with {@code -Dnexar.test.vectors=true} the JVM has the module.
 */
class VectorModuleTest {
    private static final boolean HAS_VECTORS = Boolean.getBoolean("nexar.test.vectors");

    @ParameterizedTest
    @EnumSource(names = "F16", mode = EnumSource.Mode.EXCLUDE)
    void vectorsAreUsedWhereTheModuleIsAndNowhereElse(DataType type) {
        assertThat(VectorModule.isPresent()).isEqualTo(HAS_VECTORS);
        StandardReduceOp op = type.isPair() ? StandardReduceOp.MINLOC : StandardReduceOp.MAX;
        assertThat(Kernels.find(op, type).getClass().getSimpleName().equals("VectorKernel"))
                .isEqualTo(HAS_VECTORS && !type.isPair());
    }

    @Test
    void heapArraysOfAnotherTypeAreCombinedToo() {
        // The Vector API is fast on arrays of the lanes' own type only.
        MemorySegment left = MemorySegment.ofArray(new byte[4096]);
        MemorySegment right = Arena.ofAuto().allocate(4096, 8);
        for (int i = 0; i < 1024; i++) {
            Bits.put(left, DataType.I32, 4L * i, i);
            Bits.put(right, DataType.I32, 4L * i, 3L * i);
        }
        Kernels.find(StandardReduceOp.SUM, DataType.I32).reduce(left, 0, right, 0, left, 0, 1024);
        for (int i = 0; i < 1024; i++) {
            assertThat(Bits.take(left, DataType.I32, 4L * i)).isEqualTo(4L * i);
        }
    }

    @Test
    void memoryThatIsClosedOrTooSmallIsNotTouched() {
        Kernel kernel = Kernels.find(StandardReduceOp.SUM, DataType.F32);
        MemorySegment open = Arena.ofAuto().allocate(8192, 8);
        MemorySegment closed;
        try (Arena arena = Arena.ofShared()) {
            closed = arena.allocate(8192, 8);
            kernel.reduce(open, 0, closed, 0, open, 0, 2048);
        }
        assertThatIllegalStateException()
                .isThrownBy(() -> kernel.reduce(open, 0, closed, 0, open, 0, 2048));
        assertThatThrownBy(() -> kernel.reduce(open, 4, open, 4, open, 4, 2048))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }
}
