package io.nexar.reduce;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.Vector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;

/**
 * The loop of F32, F64 and all integers. Only copies of it run, see {@link LoopClasses}: all that
 * is static here is a constant to the compiler, and what is raw is exact. A result that is a NaN is
 * put right as {@link FloatLanes} says, before it is stored: the target may be an operand's memory.
 */
@SuppressWarnings({"rawtypes", "unchecked"})
final class NumberLoop implements VectorLoop {
    private static final LoopCase CASE = LoopClasses.caseOf(MethodHandles.lookup());
    private static final VectorSpecies SPECIES = CASE.species();
    private static final VectorOperators.Binary OPERATOR = CASE.operator();
    private static final boolean HAS_NANS = CASE.type().isFloatingPoint();
    private static final Class<?> LEFT = CASE.left();
    private static final Class<?> RIGHT = CASE.right();
    private static final Class<?> TARGET = CASE.target();
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

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
        for (long at = 0; at < bytes; at += SPECIES.vectorByteSize()) {
            Vector a = SPECIES.fromMemorySegment(left, leftOffset + at, ORDER);
            Vector b = SPECIES.fromMemorySegment(right, rightOffset + at, ORDER);
            Vector result = a.lanewise(OPERATOR, b);
            if (HAS_NANS) {
                VectorMask nans = nans(result);
                if (nans.anyTrue()) {
                    result = result.blend(canonicalNan(), nans).blend(b, nans(b)).blend(a, nans(a));
                }
            }
            result.intoMemorySegment(target, targetOffset + at, ORDER);
        }
    }

    @Override
    public void divide(MemorySegment target, long offset, long bytes, int worldSize) {
        if (target.getClass() != TARGET) {
            throw new IllegalArgumentException("not memory of " + CASE);
        }
        Vector divisor = SPECIES.broadcast(worldSize);
        for (long at = offset; at < offset + bytes; at += SPECIES.vectorByteSize()) {
            Vector a = SPECIES.fromMemorySegment(target, at, ORDER);
            Vector quotient = a.lanewise(VectorOperators.DIV, divisor);
            VectorMask nans = nans(a);
            if (nans.anyTrue()) {
                quotient = quotient.blend(a, nans);
            }
            quotient.intoMemorySegment(target, at, ORDER);
        }
    }

    private static VectorMask nans(Vector values) {
        return values.compare(VectorOperators.NE, values);
    }

    private static Vector canonicalNan() {
        return SPECIES.elementType() == float.class
                ? FloatVector.broadcast(SPECIES, Float.NaN)
                : DoubleVector.broadcast(SPECIES, Double.NaN);
    }
}
