package io.nexar.property;

import io.nexar.DataType;
import io.nexar.ReduceOp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The operations under test: the product's, and users' of every kind. */
enum Reduction {
    SUM(ReduceOp.SUM),
    PROD(ReduceOp.PROD),
    MIN(ReduceOp.MIN),
    MAX(ReduceOp.MAX),
    AVG(ReduceOp.AVG),
    BAND(ReduceOp.BAND),
    BOR(ReduceOp.BOR),
    BXOR(ReduceOp.BXOR),
    LAND(ReduceOp.LAND),
    LOR(ReduceOp.LOR),
    LXOR(ReduceOp.LXOR),
    MINLOC(ReduceOp.MINLOC),
    MAXLOC(ReduceOp.MAXLOC),
    /** A user's sum of reals. */
    USER_SUM(ReduceOp.ofDoubles("user sum", Double::sum).withIdentity(0.0)),
    /** A user's sum of integers, which wraps as the type does. */
    USER_LONG_SUM(ReduceOp.ofLongs("user long sum", Long::sum).withIdentity(0)),
    /** The lowest rank's operand: any change of places shows. */
    LEFT(ReduceOp.ofLongs("left", (left, right) -> left).nonCommutative().withIdentity(7)),
    /** The highest rank's. */
    RIGHT(ReduceOp.ofDoubles("right", (left, right) -> right).nonCommutative().withIdentity(7.0)),
    /** Products of 2 x 2 matrices of integers: associative, and not commutative. */
    MATRIX(ReduceOp.of("2 x 2 matrices", 4, Reduction::multiply).nonCommutative().withIdentity(7));

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private final ReduceOp op;

    Reduction(ReduceOp op) {
        this.op = op;
    }

    ReduceOp op() {
        return op;
    }

    /** Elements that belong together. */
    int width() {
        return this == MATRIX ? 4 : 1;
    }

    boolean isCommutative() {
        return this != LEFT && this != RIGHT && this != MATRIX;
    }

    /** The types that it is for. */
    List<DataType> types() {
        return Arrays.stream(DataType.values())
                .filter(type ->
                        switch (this) {
                            case SUM, PROD, MIN, MAX, AVG -> !type.isPair();
                            case BAND, BOR, BXOR, LAND, LOR, LXOR, USER_LONG_SUM, LEFT ->
                                    !type.isPair() && !Elements.isReal(type);
                            case MINLOC, MAXLOC -> type.isPair();
                            case USER_SUM, RIGHT -> type.isFloatingPoint();
                            case MATRIX -> type == DataType.I32;
                        })
                .toList();
    }

    /** Those that are for a type. */
    static List<Reduction> of(DataType type, boolean isScan) {
        return Stream.of(values())
                .filter(reduction -> reduction.types().contains(type))
                .filter(reduction -> !isScan || reduction != AVG)
                .toList();
    }

    private static void multiply(
            MemorySegment left, MemorySegment right, MemorySegment result, long items) {
        for (long item = 0; item < items; item++) {
            int[] product = new int[4];
            for (int row = 0; row < 2; row++) {
                for (int column = 0; column < 2; column++) {
                    for (int k = 0; k < 2; k++) {
                        product[2 * row + column] +=
                                left.get(INT, 16 * item + 4L * (2 * row + k))
                                        * right.get(INT, 16 * item + 4L * (2 * k + column));
                    }
                }
            }
            for (int i = 0; i < product.length; i++) {
                result.set(INT, 16 * item + 4L * i, product[i]);
            }
        }
    }
}
