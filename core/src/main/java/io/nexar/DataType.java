package io.nexar;

/**
 * What one element of a {@link DataBuffer} is.
 *
 * <p>Elements lie in the machine's own byte order. Integers wrap; the {@code U} types compare and
 * divide unsigned. {@code F16} (IEEE 754 binary16) and {@code BF16} compute in {@code F32} and
 * round to nearest even when they store. The pair types lie value first, then index, without a gap;
 * only {@link ReduceOp#MINLOC}, {@link ReduceOp#MAXLOC} and operations over items take them.
 */
public enum DataType {
    /** IEEE 754 binary64, a Java {@code double}. */
    F64(Family.FLOATING_POINT, 8),
    /** IEEE 754 binary32, a Java {@code float}. */
    F32(Family.FLOATING_POINT, 4),
    /** IEEE 754 binary16, its bits in a Java {@code short}. */
    F16(Family.FLOATING_POINT, 2),
    /** The upper half of an {@code F32}, its bits in a Java {@code short}. */
    BF16(Family.FLOATING_POINT, 2),
    /** A Java {@code byte}. */
    I8(Family.SIGNED, 1),
    /** A Java {@code short}. */
    I16(Family.SIGNED, 2),
    /** A Java {@code int}. */
    I32(Family.SIGNED, 4),
    /** A Java {@code long}. */
    I64(Family.SIGNED, 8),
    /** An unsigned 8-bit integer, its bits in a Java {@code byte}. */
    U8(Family.UNSIGNED, 1),
    /** An unsigned 16-bit integer, its bits in a Java {@code short}. */
    U16(Family.UNSIGNED, 2),
    /** An unsigned 32-bit integer, its bits in a Java {@code int}. */
    U32(Family.UNSIGNED, 4),
    /** An unsigned 64-bit integer, its bits in a Java {@code long}. */
    U64(Family.UNSIGNED, 8),
    /** A pair of an {@link #F32} value and an {@link #I32} index. */
    F32_I32(F32, I32),
    /** A pair of an {@link #F64} value and an {@link #I64} index. */
    F64_I64(F64, I64),
    /** A pair of an {@link #I32} value and an {@link #I32} index. */
    I32_I32(I32, I32),
    /** A pair of an {@link #I64} value and an {@link #I64} index. */
    I64_I64(I64, I64);

    private enum Family {
        FLOATING_POINT,
        SIGNED,
        UNSIGNED,
        PAIR
    }

    private final Family family;
    private final int bytes;
    private final int alignmentBytes;
    private final DataType[] parts;

    DataType(Family family, int bytes) {
        this.family = family;
        this.bytes = bytes;
        this.alignmentBytes = bytes;
        this.parts = new DataType[0];
    }

    DataType(DataType value, DataType index) {
        this.family = Family.PAIR;
        this.bytes = value.bytes + index.bytes;
        this.alignmentBytes = Math.max(value.bytes, index.bytes);
        this.parts = new DataType[] {value, index};
    }

    /** The size of one element in bytes: 1, 2, 4 or 8; of a pair 8 or 16. */
    public int bytes() {
        return bytes;
    }

    /**
     * What an element's address is a multiple of: its size; of a pair, the size of its wider part.
     */
    public int alignmentBytes() {
        return alignmentBytes;
    }

    /** Whether this is {@code F64}, {@code F32}, {@code F16} or {@code BF16}. */
    public boolean isFloatingPoint() {
        return family == Family.FLOATING_POINT;
    }

    /** Whether this is one of the {@code I} or {@code U} types; a pair is not. */
    public boolean isInteger() {
        return family == Family.SIGNED || family == Family.UNSIGNED;
    }

    /** Whether this is one of the {@code U} types. */
    public boolean isUnsigned() {
        return family == Family.UNSIGNED;
    }

    /** Whether an element is a value and an index. */
    public boolean isPair() {
        return family == Family.PAIR;
    }

    /** The type of a pair's value; of every other type the type itself. */
    public DataType valueType() {
        return isPair() ? parts[0] : this;
    }

    /**
     * The type of a pair's index.
     *
     * @throws IllegalStateException if this is no pair
     */
    public DataType indexType() {
        if (!isPair()) {
            throw new IllegalStateException(name() + " is no pair: it has no index");
        }
        return parts[1];
    }
}
