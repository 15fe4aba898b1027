package io.nexar.reduce;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;

/**
 * The loop of BF16. Only copies of it run, see {@link LoopClasses}: all that is static here is a
 * constant to the compiler. A vector of halves is taken as words of two: first the lower and then
 * the upper half of every word is moved to the word's upper end, above zeros, where it is a {@code
 * float}, is combined, and rounded to nearest even. Which NaN comes out is told at {@link
 * FloatLanes}.
 */
final class Bf16Loop implements VectorLoop {
    private static final LoopCase CASE = LoopClasses.caseOf(MethodHandles.lookup());
    private static final VectorSpecies<Short> HALVES = ShortVector.SPECIES_PREFERRED;
    private static final VectorOperators.Binary OPERATOR = CASE.operator();
    private static final Class<?> LEFT = CASE.left();
    private static final Class<?> RIGHT = CASE.right();
    private static final Class<?> TARGET = CASE.target();
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final int UPPER = 0xFFFF_0000;
    private static final int CANONICAL_NAN = 0x7FC0_0000;

    @Override
    public void reduce(
            MemorySegment left,
            long leftOffset,
            MemorySegment right,
            long rightOffset,
            MemorySegment target,
            long targetOffset,
            long bytes) {
        // Written out: it tells the compiler the classes.
        if (left.getClass() != LEFT || right.getClass() != RIGHT || target.getClass() != TARGET) {
            throw new IllegalArgumentException("not memory of " + CASE);
        }
        for (long at = 0; at < bytes; at += HALVES.vectorByteSize()) {
            IntVector a = words(left, leftOffset + at);
            IntVector b = words(right, rightOffset + at);
            IntVector lower = combine(lower(a), lower(b));
            store(lower, combine(a.and(UPPER), b.and(UPPER)), target, targetOffset + at);
        }
    }

    @Override
    public void divide(MemorySegment target, long offset, long bytes, int worldSize) {
        if (target.getClass() != TARGET) {
            throw new IllegalArgumentException("not memory of " + CASE);
        }
        for (long at = offset; at < offset + bytes; at += HALVES.vectorByteSize()) {
            IntVector sums = words(target, at);
            IntVector lower = divide(lower(sums), worldSize);
            store(lower, divide(sums.and(UPPER), worldSize), target, at);
        }
    }

    private static IntVector words(MemorySegment memory, long offset) {
        return ShortVector.fromMemorySegment(HALVES, memory, offset, ORDER).reinterpretAsInts();
    }

    private static IntVector lower(IntVector words) {
        return words.lanewise(VectorOperators.LSHL, Short.SIZE);
    }

    private static IntVector combine(IntVector a, IntVector b) {
        FloatVector x = a.reinterpretAsFloats();
        FloatVector y = b.reinterpretAsFloats();
        FloatVector result = x.lanewise(OPERATOR, y);
        IntVector halves = round(result);
        VectorMask<Integer> nans = nans(result);
        return nans.anyTrue()
                ? halves.blend(CANONICAL_NAN, nans).blend(b, nans(y)).blend(a, nans(x))
                : halves;
    }

    private static IntVector divide(IntVector sums, int worldSize) {
        FloatVector x = sums.reinterpretAsFloats();
        IntVector quotients = round(x.div(worldSize));
        VectorMask<Integer> nans = nans(x);
        return nans.anyTrue() ? quotients.blend(sums, nans) : quotients;
    }

    private static VectorMask<Integer> nans(FloatVector values) {
        return values.compare(VectorOperators.NE, values).cast(IntVector.SPECIES_PREFERRED);
    }

    /** As {@link HalfFloats#bf16OfNumber}, but the result stays at the word's upper end. */
    private static IntVector round(FloatVector values) {
        IntVector bits = values.reinterpretAsInts();
        IntVector last = bits.lanewise(VectorOperators.LSHR, Short.SIZE).and(1);
        return bits.add(0x7FFF).add(last).and(UPPER);
    }

    private static void store(
            IntVector lower, IntVector upper, MemorySegment target, long targetOffset) {
        upper.or(lower.lanewise(VectorOperators.LSHR, Short.SIZE))
                .reinterpretAsShorts()
                .intoMemorySegment(target, targetOffset, ORDER);
    }
}
