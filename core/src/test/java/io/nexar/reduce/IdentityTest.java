package io.nexar.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nexar.DataType;
import io.nexar.ReduceOp;
import io.nexar.StandardReduceOp;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/** What an exclusive scan gives to its first rank. */
class IdentityTest {
    @Test
    void theIdentityChangesNothingOnEitherSide() {
        Random random = new Random(7);
        for (DataType type : DataType.values()) {
            for (StandardReduceOp op : StandardReduceOp.values()) {
                if (op.supports(type) && op != StandardReduceOp.AVG) {
                    for (int i = 0; i < 500; i++) {
                        requireNeutral(op, type, random);
                    }
                }
            }
        }
    }

    /** By the kernel; a truth is neutral to truths, and the sum's zero changes -0.0 to +0.0. */
    private static void requireNeutral(StandardReduceOp op, DataType type, Random random) {
        MemorySegment value = Bits.memory(type, type.bytes(), false);
        MemorySegment identity = Bits.memory(type, type.bytes(), true);
        Identity.fill(op, type, identity);
        Bits.put(value, type.valueType(), 0, Bits.wild(type.valueType(), random));
        if (type.isPair()) {
            long index = Bits.wild(type.indexType(), random);
            Bits.put(value, type.indexType(), type.valueType().bytes(), index);
        }
        Kernel kernel = Kernels.find(op, type);
        kernel.scale(value, 0, 1, 1);
        if (op == StandardReduceOp.SUM && type.isFloatingPoint()) {
            kernel.reduce(value, 0, identity, 0, value, 0, 1);
        }
        byte[] before = value.toArray(ValueLayout.JAVA_BYTE);
        for (boolean isLeft : new boolean[] {true, false}) {
            MemorySegment result = Bits.memory(type, type.bytes(), false);
            kernel.reduce(isLeft ? identity : value, 0, isLeft ? value : identity, 0, result, 0, 1);
            assertThat(result.toArray(ValueLayout.JAVA_BYTE))
                    .as("%s of %s", op, type)
                    .isEqualTo(before);
        }
    }

    @Test
    void eachIsTheDocumentedValue() {
        assertThat(Identity.bits(ReduceOp.SUM, DataType.F16)).containsExactly(0);
        assertThat(Identity.bits(ReduceOp.PROD, DataType.F16)).containsExactly(0x3C00);
        assertThat(Identity.bits(ReduceOp.PROD, DataType.BF16)).containsExactly(0x3F80);
        assertThat(Identity.bits(ReduceOp.PROD, DataType.F64))
                .containsExactly(Double.doubleToRawLongBits(1));
        assertThat(Identity.bits(ReduceOp.MIN, DataType.F32))
                .containsExactly(Float.floatToRawIntBits(Float.POSITIVE_INFINITY));
        assertThat(Identity.bits(ReduceOp.MAX, DataType.F64))
                .containsExactly(Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY));
        assertThat(Identity.bits(ReduceOp.MIN, DataType.I8)).containsExactly(Byte.MAX_VALUE);
        assertThat(Identity.bits(ReduceOp.MAX, DataType.I64)).containsExactly(Long.MIN_VALUE);
        assertThat(Identity.bits(ReduceOp.MAX, DataType.U32)).containsExactly(0);
        assertThat(Identity.bits(ReduceOp.MIN, DataType.U64)).containsExactly(-1);
        assertThat(Identity.bits(ReduceOp.BAND, DataType.U16)).containsExactly(-1);
        assertThat(Identity.bits(ReduceOp.LAND, DataType.I16)).containsExactly(1);
        assertThat(Identity.bits(ReduceOp.LXOR, DataType.I16)).containsExactly(0);
        assertThat(Identity.bits(ReduceOp.MINLOC, DataType.F32_I32))
                .containsExactly(
                        Float.floatToRawIntBits(Float.POSITIVE_INFINITY), Integer.MAX_VALUE);
        assertThat(Identity.bits(ReduceOp.MAXLOC, DataType.I64_I64))
                .containsExactly(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    @Test
    void averagesAndOperationsWithoutOneAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Identity.bits(ReduceOp.AVG, DataType.F32))
                .withMessageContaining("AVG");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Identity.bits(ReduceOp.BAND, DataType.F32))
                .withMessageContaining("BAND");
        ReduceOp plain = ReduceOp.ofLongs("gcd", Long::max);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Identity.bits(plain, DataType.I32))
                .withMessageContaining("gcd")
                .withMessageContaining("withIdentity");
        ReduceOp half = ReduceOp.of("mean", 2, (_, _, _, _) -> {}).withIdentity(0.5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Identity.bits(half, DataType.I32))
                .withMessageContaining("0.5");
    }

    @Test
    void usersBringTheirOwn() {
        assertThat(Identity.bits(ReduceOp.ofLongs("gcd", Long::max).withIdentity(-1), DataType.U8))
                .containsExactly(-1);
        ReduceOp doubles = ReduceOp.ofDoubles("hypotenuse", Math::hypot).withIdentity(1.5);
        assertThat(Identity.bits(doubles, DataType.F16)).containsExactly(0x3E00);
        ReduceOp items = ReduceOp.of("pairs", 2, (_, _, _, _) -> {}).withIdentity(3);
        assertThat(Identity.bits(items, DataType.F32_I32))
                .containsExactly(Float.floatToRawIntBits(3), 3);
        int[] filled = new int[5];
        Identity.fill(items, DataType.I32, MemorySegment.ofArray(filled));
        assertThat(filled).containsOnly(3);
    }
}
