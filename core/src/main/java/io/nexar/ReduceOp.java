package io.nexar;

import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/**
 * How a reduction combines elements. The constants are the built-in operations; the {@code of}
 * methods make one from a lambda. An operation is immutable and safe to share between threads.
 *
 * <p>Which operation takes which type:
 *
 * <table>
 * <caption>Operations and types</caption>
 * <tr><th>operation</th><th>types</th></tr>
 * <tr><td>SUM PROD MIN MAX AVG</td><td>all F, I and U types</td></tr>
 * <tr><td>BAND BOR BXOR LAND LOR LXOR</td><td>all I and U types</td></tr>
 * <tr><td>MINLOC MAXLOC</td><td>the pair types</td></tr>
 * <tr><td>{@link #ofDoubles}</td><td>all F types</td></tr>
 * <tr><td>{@link #ofLongs}</td><td>all I and U types</td></tr>
 * <tr><td>{@link #of}</td><td>every type</td></tr>
 * </table>
 *
 * Every other combination is an {@link IllegalArgumentException} at the call, before a byte is
 * sent.
 *
 * <p>Operands are taken in rank order within each step. A user's operation must be associative; if
 * it is not commutative it says so with {@link #nonCommutative()}. Across ranks a user's operation
 * is compared by its name, not by its code: the same name must mean the same function everywhere.
 * It runs in any of the runtime's threads, under the rank's lock: it must be quick, keep no state
 * and not communicate. What it throws ends the call on every rank.
 *
 * <p>A result that is NaN has the bits of the left operand if that is a NaN, else those of the
 * right one, else the canonical ones; so all ranks end with the same bits.
 *
 * <p>{@code F16} and {@code BF16} are rounded to nearest even wherever they are stored. By {@link
 * Algorithm#DIRECT} and {@link Algorithm#REDUCE_SCATTER_ALLGATHER} that is once, at the end:
 * partial results are F32. By the others it is at every step, also between ranks; a sum over n
 * ranks is then, to first order, off by at most (n - 1) * u times the sum of the absolute values,
 * with u = 2^-11 for {@code F16} and 2^-8 for {@code BF16}, and ones in {@code BF16} stop adding up
 * at 256.
 */
public sealed interface ReduceOp permits StandardReduceOp, UserReduceOp {
    // No default methods here: they would make the enum's initialisation run this interface's,
    // which
    // reads the enum's constants, so that the one touched first would see nulls.

    /** The sum; integers wrap. */
    ReduceOp SUM = StandardReduceOp.SUM;

    /** The product; integers wrap. */
    ReduceOp PROD = StandardReduceOp.PROD;

    /** The smallest, as {@link Math#min(double, double)} has it: a NaN wins, -0.0 is below +0.0. */
    ReduceOp MIN = StandardReduceOp.MIN;

    /** The largest, as {@link Math#max(double, double)} has it: a NaN wins, +0.0 is above -0.0. */
    ReduceOp MAX = StandardReduceOp.MAX;

    /**
     * The sum divided by the number of ranks. Of integers it is the wrapped sum, divided and
     * truncated toward zero; of U types it divides unsigned. A scan refuses it.
     */
    ReduceOp AVG = StandardReduceOp.AVG;

    /** Bitwise and. */
    ReduceOp BAND = StandardReduceOp.BAND;

    /** Bitwise or. */
    ReduceOp BOR = StandardReduceOp.BOR;

    /** Bitwise exclusive or. */
    ReduceOp BXOR = StandardReduceOp.BXOR;

    /** Logical and: 1 if all are not 0, else 0, also on one rank. */
    ReduceOp LAND = StandardReduceOp.LAND;

    /** Logical or: 1 if any is not 0, else 0, also on one rank. */
    ReduceOp LOR = StandardReduceOp.LOR;

    /** Logical exclusive or: 1 if an odd number is not 0, else 0, also on one rank. */
    ReduceOp LXOR = StandardReduceOp.LXOR;

    /**
     * The pair with the smallest value; a NaN wins; among equal values and among NaNs, the smallest
     * index. As for {@link #MIN}, -0.0 is below +0.0.
     */
    ReduceOp MINLOC = StandardReduceOp.MINLOC;

    /**
     * The pair with the largest value; a NaN wins; among equal values and among NaNs, the smallest
     * index. As for {@link #MAX}, +0.0 is above -0.0.
     */
    ReduceOp MAXLOC = StandardReduceOp.MAXLOC;

    /**
     * An operation over F types. {@code F32}, {@code F16} and {@code BF16} are widened to double
     * for each application and rounded to nearest even when they are stored.
     *
     * @param name what ranks compare; not empty, not a built-in operation's name
     * @param op associative, and commutative unless {@link #nonCommutative()} follows
     */
    static ReduceOp ofDoubles(String name, DoubleBinaryOperator op) {
        return UserReduceOp.ofDoubles(name, op);
    }

    /**
     * An operation over I and U types. Operands are sign-extended to long from I types and
     * zero-extended from U types, of {@code U64} they are the bits; the result's low bits are
     * stored.
     *
     * @param name what ranks compare; not empty, not a built-in operation's name
     * @param op associative, and commutative unless {@link #nonCommutative()} follows
     */
    static ReduceOp ofLongs(String name, LongBinaryOperator op) {
        return UserReduceOp.ofLongs(name, op);
    }

    /**
     * An operation over items of several elements, for example a 2 x 2 matrix of F64 with an item
     * width of 4. Chunks and pieces fall on whole items; a count that is no multiple of the item
     * width is refused.
     *
     * @param name what ranks compare; not empty, not a built-in operation's name
     * @param itemWidth elements in one item, 1 or more; of a pair type, pairs
     * @param op associative, and commutative unless {@link #nonCommutative()} follows
     */
    static ReduceOp of(String name, int itemWidth, ItemCombiner op) {
        return UserReduceOp.ofItems(name, itemWidth, op);
    }

    /** What ranks compare and what errors print. */
    String name();

    /** Whether operands may change places. All built-in operations may. */
    boolean isCommutative();

    /** Elements in one item: 1 for built-in operations and for those over doubles and longs. */
    int itemWidth();

    /** Whether this operation takes elements of that type, see the table above. */
    boolean supports(DataType type);

    /**
     * The same operation, applied strictly in rank order: rank 0's operand is the leftmost one.
     *
     * @throws IllegalStateException on a built-in operation: these are commutative; a fixed order
     *     of their roundings comes from the setting {@code nexar.deterministic}
     */
    ReduceOp nonCommutative();

    /**
     * The same operation with the value that {@link Communicator#exclusiveScan} gives to rank 0; of
     * an operation over items, every element of the item gets it.
     *
     * @throws IllegalStateException on a built-in operation: it has its own
     * @throws IllegalArgumentException on an operation over longs
     */
    ReduceOp withIdentity(double identity);

    /**
     * The same operation with the value that {@link Communicator#exclusiveScan} gives to rank 0; of
     * an operation over doubles the nearest double, of one over items every element of the item
     * gets it.
     *
     * @throws IllegalStateException on a built-in operation: it has its own
     */
    ReduceOp withIdentity(long identity);
}
