package io.nexar.reduce;

import io.nexar.DataType;

import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

import java.lang.foreign.MemorySegment;

/**
 * What a {@link VectorLoop} is for.
 *
 * @param left the class of the left operand's segments: what tells heap memory from other
 */
record LoopCase(
        DataType type,
        VectorOperators.Binary operator,
        Class<?> left,
        Class<?> right,
        Class<?> target) {

    boolean isFor(MemorySegment left, MemorySegment right, MemorySegment target) {
        return left.getClass() == this.left
                && right.getClass() == this.right
                && target.getClass() == this.target;
    }

    /** As many lanes as the machine has, of halves as they are stored. */
    VectorSpecies<?> species() {
        return switch (type.bytes()) {
            case Byte.BYTES -> ByteVector.SPECIES_PREFERRED;
            case Short.BYTES -> ShortVector.SPECIES_PREFERRED;
            case Integer.BYTES ->
                    type.isFloatingPoint()
                            ? FloatVector.SPECIES_PREFERRED
                            : IntVector.SPECIES_PREFERRED;
            default ->
                    type.isFloatingPoint()
                            ? DoubleVector.SPECIES_PREFERRED
                            : LongVector.SPECIES_PREFERRED;
        };
    }
}
