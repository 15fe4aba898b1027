package io.nexar.serial;

import java.util.function.Supplier;

/**
 * How many values the present one lies in. Bounded, so that neither a loop in an object nor bytes
 * that nest without end exhaust the stack.
 */
final class Depth {
    /** Far more than records nest in practice; a stack of 256 KiB has room for as many. */
    static final int MAX = 100;

    private int now;

    <T> T inside(Supplier<T> value) {
        if (now == MAX) {
            throw new IllegalArgumentException("values nest more than " + MAX + " deep");
        }
        now++;
        T result = value.get();
        now--;
        return result;
    }
}
