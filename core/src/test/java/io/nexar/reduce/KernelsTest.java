package io.nexar.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.DataType;
import io.nexar.ReduceOp;
import io.nexar.StandardReduceOp;

import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.Set;

/** Kernels against one-element-at-a-time arithmetic, in every kind of memory. */
class KernelsTest {
    private static final Set<DataType> TYPES =
            Set.of(DataType.F32, DataType.F64, DataType.I32, DataType.I64);
    private static final Set<StandardReduceOp> OPS =
            Set.of(
                    StandardReduceOp.SUM,
                    StandardReduceOp.MIN,
                    StandardReduceOp.MAX,
                    StandardReduceOp.AVG);
    private static final int[] COUNTS = {0, 1, 3, 17, 1023};
    private static final byte GUARD = 0x5A;
    private static final int GUARD_BYTES = 64;

    /** Where the target lies. */
    private enum Place {
        OWN,
        LEFT,
        RIGHT
    }

    @Test
    void everyEntryAgreesWithPlainArithmeticInEveryMemory() {
        // Pitfall 23: odd byte offsets, small and odd counts, heap and off-heap mixed, guards
        // around.
        long seed = 0;
        for (DataType type : TYPES) {
            for (StandardReduceOp op : OPS) {
                for (int count : COUNTS) {
                    for (Place place : Place.values()) {
                        for (int memories = 0; memories < 8; memories++) {
                            check(type, op, count, place, memories, ++seed);
                        }
                    }
                }
            }
        }
    }

    private static void check(
            DataType type, StandardReduceOp op, int count, Place place, int memories, long seed) {
        Random random = new Random(seed);
        MemorySegment left = memory(type, count, (memories & 1) != 0);
        MemorySegment right = memory(type, count, (memories & 2) != 0);
        MemorySegment own = memory(type, count, (memories & 4) != 0);
        long[] at = {offset(random), offset(random), offset(random)};
        long[] a = values(type, count, random);
        long[] b = values(type, count, random);
        for (int i = 0; i < count; i++) {
            put(left, type, at[0] + (long) i * type.bytes(), a[i]);
            put(right, type, at[1] + (long) i * type.bytes(), b[i]);
        }
        MemorySegment target = place == Place.OWN ? own : place == Place.LEFT ? left : right;
        long to = at[place == Place.OWN ? 2 : place == Place.LEFT ? 0 : 1];
        Kernels.find(op, type).reduce(left, at[0], right, at[1], target, to, count);
        for (int i = 0; i < count; i++) {
            assertThat(take(target, type, to + (long) i * type.bytes()))
                    .as("seed %d: %s of %s, element %d", seed, op, type, i)
                    .isEqualTo(expected(type, op, a[i], b[i]));
        }
        assertGuarded(target, to, (long) count * type.bytes());
    }

    @Test
    void averagesDivideByTheWorldSizeAndNotByTheCount() {
        // Pitfall 2: five elements in a world of three; integers truncate toward zero.
        Kernel ints = Kernels.find(ReduceOp.AVG, DataType.I32);
        MemorySegment sums = MemorySegment.ofArray(new int[] {60, 4, -4, -60, Integer.MIN_VALUE});
        ints.scale(sums, 0, 5, 3);
        assertThat(sums.toArray(ValueLayout.JAVA_INT))
                .containsExactly(20, 1, -1, -20, Integer.MIN_VALUE / 3);
        MemorySegment longs = MemorySegment.ofArray(new long[] {7, -7, Long.MIN_VALUE});
        Kernels.find(ReduceOp.AVG, DataType.I64).scale(longs, 8, 2, 2);
        assertThat(longs.toArray(ValueLayout.JAVA_LONG)).containsExactly(7, -3, Long.MIN_VALUE / 2);
        MemorySegment floats = MemorySegment.ofArray(new float[] {9, 6, Float.NEGATIVE_INFINITY});
        Kernels.find(ReduceOp.AVG, DataType.F32).scale(floats, 4, 2, 3);
        assertThat(floats.toArray(ValueLayout.JAVA_FLOAT))
                .containsExactly(9, 2, Float.NEGATIVE_INFINITY);
        MemorySegment nan = MemorySegment.ofArray(new double[1]);
        nan.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, 0x7FF0_0000_0000_0123L);
        Kernels.find(ReduceOp.AVG, DataType.F64).scale(nan, 0, 1, 3);
        assertThat(nan.get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isEqualTo(0x7FF0_0000_0000_0123L);
    }

    @Test
    void onlyAveragesChangeWhatIsScaled() {
        for (DataType type : TYPES) {
            for (StandardReduceOp op : OPS) {
                MemorySegment memory = memory(type, 3, true);
                put(memory, type, 0, 12);
                Kernels.find(op, type).scale(memory, 0, 1, 1);
                assertThat(take(memory, type, 0)).isEqualTo(12);
                byte[] before = memory.toArray(ValueLayout.JAVA_BYTE);
                if (op != StandardReduceOp.AVG) {
                    Kernels.find(op, type).scale(memory, 0, 3, 4);
                    assertThat(memory.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
                }
            }
        }
    }

    @Test
    void pairsOutsideTheTableSayWhichKindOfNoTheyAre() {
        for (DataType type : DataType.values()) {
            for (StandardReduceOp op : StandardReduceOp.values()) {
                if (TYPES.contains(type) && OPS.contains(op)) {
                    assertThat(Kernels.find(op, type)).isNotNull();
                } else {
                    assertThatThrownBy(() -> Kernels.find(op, type))
                            .isInstanceOf(
                                    op.supports(type)
                                            ? UnsupportedOperationException.class
                                            : IllegalArgumentException.class)
                            .hasMessageContaining(op.name())
                            .hasMessageContaining(type.name());
                }
            }
        }
        ReduceOp user = ReduceOp.ofDoubles("hypotenuse", Math::hypot);
        assertThatThrownBy(() -> Kernels.find(user, DataType.F64))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("hypotenuse");
    }

    /** The rules of arithmetic, on raw bits. */
    private static long expected(DataType type, StandardReduceOp op, long a, long b) {
        return switch (type) {
            case F32 -> {
                float x = Float.intBitsToFloat((int) a);
                float y = Float.intBitsToFloat((int) b);
                float result =
                        op == StandardReduceOp.MIN
                                ? Math.min(x, y)
                                : op == StandardReduceOp.MAX ? Math.max(x, y) : x + y;
                int canonical = 0x7FC0_0000;
                yield !Float.isNaN(result)
                        ? Float.floatToRawIntBits(result)
                        : Float.isNaN(x) ? (int) a : Float.isNaN(y) ? (int) b : canonical;
            }
            case F64 -> {
                double x = Double.longBitsToDouble(a);
                double y = Double.longBitsToDouble(b);
                double result =
                        op == StandardReduceOp.MIN
                                ? Math.min(x, y)
                                : op == StandardReduceOp.MAX ? Math.max(x, y) : x + y;
                long canonical = 0x7FF8_0000_0000_0000L;
                yield !Double.isNaN(result)
                        ? Double.doubleToRawLongBits(result)
                        : Double.isNaN(x) ? a : Double.isNaN(y) ? b : canonical;
            }
            case I32 ->
                    switch (op) {
                        case MIN -> Math.min((int) a, (int) b);
                        case MAX -> Math.max((int) a, (int) b);
                        default -> (int) a + (int) b;
                    };
            default ->
                    switch (op) {
                        case MIN -> Math.min(a, b);
                        case MAX -> Math.max(a, b);
                        default -> a + b;
                    };
        };
    }

    private static long[] values(DataType type, int count, Random random) {
        long[] special =
                switch (type) {
                    case F32 ->
                            new long[] {
                                0,
                                0x8000_0000L,
                                0x7F80_0000L,
                                0xFF80_0000L,
                                0x7FC0_0000L,
                                0x7F80_0001L,
                                0xFFC1_2345L,
                                1,
                                0x7F7F_FFFFL
                            };
                    case F64 ->
                            new long[] {
                                0,
                                Long.MIN_VALUE,
                                0x7FF0_0000_0000_0000L,
                                0xFFF0_0000_0000_0000L,
                                0x7FF8_0000_0000_0000L,
                                0x7FF0_0000_0000_0001L,
                                0xFFF8_0000_0001_2345L,
                                1,
                                0x7FEF_FFFF_FFFF_FFFFL
                            };
                    case I32 -> new long[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE};
                    default -> new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE};
                };
        long[] values = new long[count];
        for (int i = 0; i < count; i++) {
            long value =
                    random.nextBoolean()
                            ? special[random.nextInt(special.length)]
                            : random.nextLong();
            values[i] = type.bytes() == 4 ? (int) value : value;
        }
        return values;
    }

    /** Not a multiple of anything. */
    private static int offset(Random random) {
        return GUARD_BYTES - random.nextInt(8);
    }

    private static MemorySegment memory(DataType type, int count, boolean isOffHeap) {
        int bytes = count * type.bytes() + 2 * GUARD_BYTES;
        MemorySegment memory =
                isOffHeap
                        ? Arena.ofAuto().allocate(bytes)
                        : switch (type) {
                            case F32 -> MemorySegment.ofArray(new float[bytes / 4]);
                            case F64 -> MemorySegment.ofArray(new double[bytes / 8]);
                            case I32 -> MemorySegment.ofArray(new int[bytes / 4]);
                            default -> MemorySegment.ofArray(new long[bytes / 8]);
                        };
        return memory.fill(GUARD);
    }

    private static void assertGuarded(MemorySegment memory, long from, long bytes) {
        for (long at = 0; at < memory.byteSize(); at++) {
            if (at < from || at >= from + bytes) {
                assertThat(memory.get(ValueLayout.JAVA_BYTE, at)).isEqualTo(GUARD);
            }
        }
    }

    private static void put(MemorySegment memory, DataType type, long at, long bits) {
        if (type.bytes() == 4) {
            memory.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) bits);
        } else {
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, at, bits);
        }
    }

    private static long take(MemorySegment memory, DataType type, long at) {
        return type.bytes() == 4
                ? memory.get(ValueLayout.JAVA_INT_UNALIGNED, at)
                : memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
    }
}
