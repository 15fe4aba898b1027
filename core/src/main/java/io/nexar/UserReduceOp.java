package io.nexar;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.function.DoubleBinaryOperator;
import java.util.function.LongBinaryOperator;

/** A user's operation as a value: what the kernels run. Made by the methods of {@link ReduceOp}. */
public final class UserReduceOp implements ReduceOp {

    /** What a user's operation computes with. */
    public sealed interface Function {
        /** Over F types. */
        record Doubles(DoubleBinaryOperator operator) implements Function {}

        /** Over I and U types. */
        record Longs(LongBinaryOperator operator) implements Function {}

        /** Over items of {@code itemWidth} elements of any type. */
        record Items(ItemCombiner combiner, int itemWidth) implements Function {}
    }

    private final String name;
    private final Function function;
    private final boolean commutative;
    private final @Nullable Number identity;

    private UserReduceOp(
            String name, Function function, boolean commutative, @Nullable Number identity) {
        this.name = name;
        this.function = function;
        this.commutative = commutative;
        this.identity = identity;
    }

    static UserReduceOp ofDoubles(String name, DoubleBinaryOperator op) {
        return make(name, new Function.Doubles(Objects.requireNonNull(op, "op")));
    }

    static UserReduceOp ofLongs(String name, LongBinaryOperator op) {
        return make(name, new Function.Longs(Objects.requireNonNull(op, "op")));
    }

    static UserReduceOp ofItems(String name, int itemWidth, ItemCombiner op) {
        if (itemWidth < 1) {
            throw new IllegalArgumentException("itemWidth " + itemWidth + ": must be 1 or more");
        }
        return make(name, new Function.Items(Objects.requireNonNull(op, "op"), itemWidth));
    }

    private static UserReduceOp make(String name, Function function) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("name '" + name + "': must not be blank");
        }
        for (StandardReduceOp standard : StandardReduceOp.values()) {
            if (standard.name().equals(name)) {
                throw new IllegalArgumentException("name " + name + ": is a built-in operation's");
            }
        }
        return new UserReduceOp(name, function, true, null);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean isCommutative() {
        return commutative;
    }

    @Override
    public int itemWidth() {
        return function instanceof Function.Items items ? items.itemWidth() : 1;
    }

    /** What it computes. */
    public Function function() {
        return function;
    }

    /**
     * What an exclusive scan gives to rank 0, or null if the user gave none: a {@link Double} for
     * an operation over doubles, a {@link Long} for one over longs, either for one over items.
     */
    public @Nullable Number identity() {
        return identity;
    }

    @Override
    public boolean supports(DataType type) {
        return switch (function) {
            case Function.Doubles _ -> type.isFloatingPoint();
            case Function.Longs _ -> type.isInteger();
            case Function.Items _ -> true;
        };
    }

    @Override
    public ReduceOp nonCommutative() {
        return new UserReduceOp(name, function, false, identity);
    }

    @Override
    public ReduceOp withIdentity(double identity) {
        if (function instanceof Function.Longs) {
            throw new IllegalArgumentException(
                    "identity " + identity + ": " + name + " computes with longs, give a long");
        }
        return new UserReduceOp(name, function, commutative, identity);
    }

    @Override
    public ReduceOp withIdentity(long identity) {
        Number value = identity;
        if (function instanceof Function.Doubles) {
            value = (double) identity;
        }
        return new UserReduceOp(name, function, commutative, value);
    }

    @Override
    public String toString() {
        return name;
    }
}
