package io.nexar.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.DataType;
import io.nexar.StandardReduceOp;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/** Kernels against one-element-at-a-time arithmetic in whole numbers, in every kind of memory. */
@ParameterizedClass
@MethodSource("io.nexar.reduce.TestKernels#all")
class KernelsTest {
    /** The last one is more than a block of any type. */
    private static final int[] COUNTS = {0, 1, 3, 17, 1023, 4101};

    private final Kernels kernels;

    private static final byte GUARD = 0x5A;
    private static final int GUARD_BYTES = 64;

    /** Where the target lies. */
    private enum Place {
        OWN,
        LEFT,
        RIGHT
    }

    KernelsTest(Kernels kernels) {
        this.kernels = kernels;
    }

    @Test
    void everyOperationOfEveryTypeAgreesWithExactArithmetic() {
        // Pitfall 23: odd byte offsets, small and odd counts, heap and off-heap mixed, guards
        // around.
        long seed = 0;
        for (DataType type : DataType.values()) {
            for (StandardReduceOp op : StandardReduceOp.values()) {
                for (int count : COUNTS) {
                    for (Place place : Place.values()) {
                        if (op.supports(type)) {
                            check(type, op, count, place, ++seed);
                        }
                    }
                }
            }
        }
    }

    private void check(DataType type, StandardReduceOp op, int count, Place place, long seed) {
        Random random = new Random(seed);
        MemorySegment left = memory(type, count, random);
        MemorySegment right = memory(type, count, random);
        MemorySegment own = memory(type, count, random);
        long[] at = {offset(random), offset(random), offset(random)};
        long[][] a = elements(type, count, random);
        long[][] b = elements(type, count, random);
        for (int i = 0; i < count; i++) {
            put(left, type, at[0] + (long) i * type.bytes(), a[i]);
            put(right, type, at[1] + (long) i * type.bytes(), b[i]);
        }
        MemorySegment target = place == Place.OWN ? own : place == Place.LEFT ? left : right;
        long to = at[place == Place.OWN ? 2 : place == Place.LEFT ? 0 : 1];
        kernels.kernel(op, type).reduce(left, at[0], right, at[1], target, to, count);
        for (int i = 0; i < count; i++) {
            long[] actual = take(target, type, to + (long) i * type.bytes());
            long[] expected = expected(type, op, a[i], b[i]);
            if (!java.util.Arrays.equals(expected, actual)) {
                throw new AssertionError(
                        "seed %d: %s of %s, element %d of %d: %x op %x is %x instead of %x"
                                .formatted(
                                        seed,
                                        op,
                                        type,
                                        i,
                                        count,
                                        a[i][0],
                                        b[i][0],
                                        actual[0],
                                        expected[0]));
            }
        }
        requireGuards(target, to, (long) count * type.bytes());
    }

    private static long[] expected(DataType type, StandardReduceOp op, long[] a, long[] b) {
        if (type.isPair()) {
            return Arithmetic.leftWins(type, op, a, b) ? a : b;
        }
        return new long[] {Arithmetic.reduce(type, op, a[0], b[0])};
    }

    @Test
    void scalingDividesAveragesAndMakesTruthsAndTouchesNothingElse() {
        long seed = 0;
        for (DataType type : DataType.values()) {
            for (StandardReduceOp op : StandardReduceOp.values()) {
                for (int size : new int[] {1, 2, 3, 7, 300}) {
                    if (op.supports(type)) {
                        checkScale(type, op, size, ++seed);
                    }
                }
            }
        }
    }

    private void checkScale(DataType type, StandardReduceOp op, int size, long seed) {
        Random random = new Random(seed);
        int count = 4101;
        MemorySegment memory = memory(type, count, random);
        long at = offset(random);
        long[][] values = elements(type, count, random);
        for (int i = 0; i < count; i++) {
            put(memory, type, at + (long) i * type.bytes(), values[i]);
        }
        kernels.kernel(op, type).scale(memory, at, count, size);
        for (int i = 0; i < count; i++) {
            long[] actual = take(memory, type, at + (long) i * type.bytes());
            long expected =
                    type.isPair() ? values[i][0] : Arithmetic.finish(type, op, values[i][0], size);
            if (actual[0] != expected) {
                throw new AssertionError(
                        "seed %d: %s of %s over %d: %x becomes %x instead of %x"
                                .formatted(
                                        seed, op, type, size, values[i][0], actual[0], expected));
            }
        }
        requireGuards(memory, at, (long) count * type.bytes());
    }

    @Test
    void averagesDivideByTheWorldSizeAndNotByTheCount() {
        // Pitfall 2: five elements in a world of three; integers truncate toward zero.
        Kernel ints = kernels.kernel(StandardReduceOp.AVG, DataType.I32);
        MemorySegment sums = MemorySegment.ofArray(new int[] {60, 4, -4, -60, Integer.MIN_VALUE});
        ints.scale(sums, 0, 5, 3);
        assertThat(sums.toArray(ValueLayout.JAVA_INT))
                .containsExactly(20, 1, -1, -20, Integer.MIN_VALUE / 3);
        MemorySegment bytes = MemorySegment.ofArray(new byte[] {-56, 100, -1});
        kernels.kernel(StandardReduceOp.AVG, DataType.U8).scale(bytes, 0, 3, 2);
        assertThat(bytes.toArray(ValueLayout.JAVA_BYTE)).containsExactly(100, 50, 127);
    }

    @Test
    void unsignedTypesCompareUnsigned() {
        // Pitfall 7: the smallest of 0 and all ones is 0; of I8 -1 and 0 it is -1.
        for (DataType type :
                new DataType[] {DataType.U8, DataType.U16, DataType.U32, DataType.U64}) {
            assertThat(one(StandardReduceOp.MIN, type, 0, -1)).isZero();
            assertThat(one(StandardReduceOp.MAX, type, 0, -1)).isEqualTo(Arithmetic.cut(type, -1));
        }
        assertThat(one(StandardReduceOp.MIN, DataType.I8, -1, 0)).isEqualTo(0xFF);
        // Pitfall 8: sums of U8 wrap.
        assertThat(one(StandardReduceOp.SUM, DataType.U8, 200, 200)).isEqualTo(144);
        assertThat(one(StandardReduceOp.SUM, DataType.U8, 144, 200)).isEqualTo(88);
    }

    @Test
    void halvesRoundToNearestEvenWhereTheyAreStored() {
        // Pitfall 4: a sum that is rounded at each step stops at 256 (see FloatOperations); but it
        // rounds to even and is not cut, so 256 + 3 is 260 and not 258.
        assertThat(one(StandardReduceOp.SUM, DataType.BF16, 0x4380, 0x3F80)).isEqualTo(0x4380);
        assertThat(one(StandardReduceOp.SUM, DataType.BF16, 0x4380, 0x4040)).isEqualTo(0x4382);
        assertThat(one(StandardReduceOp.SUM, DataType.F16, 0x6800, 0x3C00)).isEqualTo(0x6800);
        assertThat(one(StandardReduceOp.SUM, DataType.F16, 0x6800, 0x4200)).isEqualTo(0x6802);
    }

    @Test
    void aTypeHasItsOperationsAndNoOther() {
        for (DataType type : DataType.values()) {
            for (StandardReduceOp op : StandardReduceOp.values()) {
                if (op.supports(type)) {
                    assertThat(kernels.kernel(op, type)).isNotNull();
                } else {
                    assertThatThrownBy(() -> kernels.kernel(op, type))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining(op.name())
                            .hasMessageContaining(type.name());
                }
            }
        }
    }

    private long one(StandardReduceOp op, DataType type, long left, long right) {
        MemorySegment a = Bits.memory(type, type.bytes(), false);
        MemorySegment b = Bits.memory(type, type.bytes(), true);
        Bits.put(a, type, 0, left);
        Bits.put(b, type, 0, right);
        kernels.kernel(op, type).reduce(a, 0, b, 0, a, 0, 1);
        return Bits.take(a, type, 0);
    }

    private static long[][] elements(DataType type, int count, Random random) {
        long[][] elements = new long[count][];
        for (int i = 0; i < count; i++) {
            elements[i] =
                    type.isPair()
                            ? new long[] {
                                Bits.wild(type.valueType(), random),
                                Bits.wild(type.indexType(), random)
                            }
                            : new long[] {Bits.wild(type, random)};
        }
        return elements;
    }

    private static void put(MemorySegment memory, DataType type, long at, long[] element) {
        Bits.put(memory, type.valueType(), at, element[0]);
        if (type.isPair()) {
            Bits.put(memory, type.indexType(), at + type.valueType().bytes(), element[1]);
        }
    }

    private static long[] take(MemorySegment memory, DataType type, long at) {
        long value = Bits.take(memory, type.valueType(), at);
        return type.isPair()
                ? new long[] {
                    value, Bits.take(memory, type.indexType(), at + type.valueType().bytes())
                }
                : new long[] {value};
    }

    /** Not a multiple of anything. */
    private static int offset(Random random) {
        return GUARD_BYTES - random.nextInt(8);
    }

    private static MemorySegment memory(DataType type, int count, Random random) {
        long bytes = (long) count * type.bytes() + 2 * GUARD_BYTES;
        return Bits.memory(type, bytes, random.nextBoolean()).fill(GUARD);
    }

    private static void requireGuards(MemorySegment memory, long from, long bytes) {
        for (long at = 0; at < memory.byteSize(); at++) {
            boolean isInside = at >= from && at < from + bytes;
            if (!isInside && memory.get(ValueLayout.JAVA_BYTE, at) != GUARD) {
                throw new AssertionError("a guard at " + at + " was written");
            }
        }
    }
}
