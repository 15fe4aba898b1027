package io.nexar.property;

import io.nexar.DataType;

import java.math.BigDecimal;

/** What an element may be in the end. */
sealed interface Expectation {
    boolean admits(DataType type, Element actual);

    /** Exactly these bits. */
    record Exactly(Element element) implements Expectation {
        @Override
        public boolean admits(DataType type, Element actual) {
            return actual.equals(element);
        }
    }

    /** Some NaN, with that index. */
    record NotANumber(long index) implements Expectation {
        @Override
        public boolean admits(DataType type, Element actual) {
            return Double.isNaN(Elements.real(type, actual.bits())) && actual.index() == index;
        }
    }

    /** A number no farther off than that. */
    record Near(BigDecimal number, BigDecimal tolerance) implements Expectation {
        @Override
        public boolean admits(DataType type, Element actual) {
            double value = Elements.real(type, actual.bits());
            return Double.isFinite(value)
                    && new BigDecimal(value).subtract(number).abs().compareTo(tolerance) <= 0;
        }
    }

    /** A copy; with the same bits. */
    static Expectation of(Element element) {
        return new Exactly(element);
    }
}
