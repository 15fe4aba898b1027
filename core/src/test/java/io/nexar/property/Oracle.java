package io.nexar.property;

import io.nexar.DataType;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;

/**
 * What a reduction must give, by plain loops over exact numbers. Sums and products of reals are
 * bounded: each of the n - 1 steps rounds once, and so does a division by the number of ranks.
 */
final class Oracle {
    private static final MathContext DIGITS = new MathContext(60);

    /** For what is of second order in the rounding errors. */
    private static final BigDecimal SECOND_ORDER = new BigDecimal("1.05");

    private Oracle() {}

    /**
     * Combines whole vectors, which lie in rank order.
     *
     * @param divisor what AVG divides by
     */
    static List<Expectation> reduce(
            Reduction reduction, DataType type, List<List<Element>> operands, int divisor) {
        List<Expectation> results = new ArrayList<>();
        int count = operands.getFirst().size();
        if (reduction == Reduction.MATRIX) {
            for (int i = 0; i < count; i += 4) {
                results.addAll(matrixProduct(operands, i));
            }
            return results;
        }
        for (int i = 0; i < count; i++) {
            int at = i;
            results.add(
                    reduce(
                            reduction,
                            type,
                            operands.stream().map(vector -> vector.get(at)).toList(),
                            BigInteger.valueOf(divisor)));
        }
        return results;
    }

    /** What rank 0 gets of an exclusive scan. */
    static Expectation identity(Reduction reduction, DataType type) {
        boolean isReal = Elements.isReal(type);
        int width = 8 * Elements.valueBytes(type);
        BigInteger one = BigInteger.ONE;
        BigInteger top = one.shiftLeft(type.isUnsigned() ? width : width - 1).subtract(one);
        BigInteger bottom = type.isUnsigned() ? BigInteger.ZERO : top.not();
        return switch (reduction) {
            case SUM, USER_SUM, USER_LONG_SUM, BOR, BXOR, LOR, LXOR -> Expectation.of(bits(0));
            case PROD -> isReal ? equalTo(1) : Expectation.of(bits(1));
            case LAND -> Expectation.of(bits(1));
            case BAND -> whole(type, BigInteger.ONE.negate());
            case MIN -> isReal ? infinite(type, 1) : whole(type, top);
            case MAX -> isReal ? infinite(type, -1) : whole(type, bottom);
            case MINLOC, MAXLOC -> {
                long last = width == 32 ? Integer.MAX_VALUE : Long.MAX_VALUE;
                boolean isMin = reduction == Reduction.MINLOC;
                long value =
                        isReal
                                ? infinity(type, isMin ? 1 : -1)
                                : Elements.wrap(type, isMin ? top : bottom);
                yield Expectation.of(new Element(value, last));
            }
            case LEFT, MATRIX -> Expectation.of(bits(7));
            case RIGHT -> equalTo(7);
            case AVG -> throw new IllegalArgumentException("no scan has AVG");
        };
    }

    private static Expectation reduce(
            Reduction reduction, DataType type, List<Element> operands, BigInteger divisor) {
        return switch (reduction) {
            case MIN, MAX -> extreme(type, operands, reduction == Reduction.MIN);
            case MINLOC, MAXLOC -> extreme(type, operands, reduction == Reduction.MINLOC);
            case LEFT -> Expectation.of(operands.getFirst());
            case RIGHT -> ofRight(type, operands.getLast());
            case SUM, AVG, PROD, USER_SUM, USER_LONG_SUM ->
                    Elements.isReal(type)
                            ? real(reduction, type, operands, divisor)
                            : whole(
                                    type,
                                    fold(reduction, type, operands)
                                            .divide(
                                                    reduction == Reduction.AVG
                                                            ? divisor
                                                            : BigInteger.ONE));
            case BAND, BOR, BXOR -> whole(type, fold(reduction, type, operands));
            case LAND -> truth(operands.stream().allMatch(element -> element.bits() != 0));
            case LOR -> truth(operands.stream().anyMatch(element -> element.bits() != 0));
            case LXOR ->
                    truth(
                            operands.stream().filter(element -> element.bits() != 0).count() % 2
                                    == 1);
            case MATRIX -> throw new IllegalArgumentException("a matrix has four elements");
        };
    }

    /** Wrapped as the type wraps it. */
    private static BigInteger fold(Reduction reduction, DataType type, List<Element> operands) {
        BinaryOperator<BigInteger> step =
                switch (reduction) {
                    case PROD -> BigInteger::multiply;
                    case BAND -> BigInteger::and;
                    case BOR -> BigInteger::or;
                    case BXOR -> BigInteger::xor;
                    default -> BigInteger::add;
                };
        BigInteger all =
                operands.stream()
                        .map(element -> Elements.whole(type, element.bits()))
                        .reduce(step)
                        .orElseThrow();
        return Elements.whole(type, Elements.wrap(type, all));
    }

    private static Expectation real(
            Reduction reduction, DataType type, List<Element> operands, BigInteger divisor) {
        boolean isProduct = reduction == Reduction.PROD;
        double special = isProduct ? 1 : 0;
        for (Element operand : operands) {
            double value = Elements.real(type, operand.bits());
            // Infinities and NaNs need no rounding: their doubles tell what comes out.
            double shown = Double.isFinite(value) ? Math.signum(value) : value;
            special = isProduct ? special * shown : special + shown;
        }
        if (Double.isNaN(special)) {
            return new Expectation.NotANumber(0);
        }
        if (Double.isInfinite(special)) {
            return infinite(type, special);
        }
        BigDecimal exact = isProduct ? BigDecimal.ONE : BigDecimal.ZERO;
        BigDecimal size = exact;
        for (Element operand : operands) {
            BigDecimal value = new BigDecimal(Elements.real(type, operand.bits()));
            exact = isProduct ? exact.multiply(value) : exact.add(value);
            size = isProduct ? exact.abs() : size.add(value.abs());
        }
        BigDecimal shared = new BigDecimal(reduction == Reduction.AVG ? divisor : BigInteger.ONE);
        return new Expectation.Near(
                exact.divide(shared, DIGITS),
                tolerance(type, operands.size(), size.divide(shared, DIGITS)));
    }

    /** One rounding a step, the division included, each relative, or at least of the smallest. */
    private static BigDecimal tolerance(DataType type, int steps, BigDecimal size) {
        BigDecimal count = BigDecimal.valueOf(steps);
        return size.multiply(unitRoundoff(type))
                .multiply(count)
                .multiply(SECOND_ORDER)
                .add(smallest(type).multiply(count));
    }

    private static BigDecimal unitRoundoff(DataType type) {
        int bits =
                switch (type) {
                    case F64 -> 53;
                    case F32 -> 24;
                    case F16 -> 11;
                    default -> 8;
                };
        return BigDecimal.ONE.divide(BigDecimal.TWO.pow(bits));
    }

    private static BigDecimal smallest(DataType type) {
        return new BigDecimal(Math.abs(Elements.real(type, 1)));
    }

    private static Expectation extreme(DataType type, List<Element> operands, boolean isMin) {
        Element best = operands.getFirst();
        for (Element element : operands.subList(1, operands.size())) {
            int order = compare(type, element, best);
            int wanted = isMin ? order : -order;
            boolean isNaN = isNaN(type, element);
            boolean wins =
                    isNaN(type, best)
                            ? isNaN && element.index() < best.index()
                            : isNaN || wanted < 0 || order == 0 && element.index() < best.index();
            best = wins ? element : best;
        }
        return isNaN(type, best) ? new Expectation.NotANumber(best.index()) : Expectation.of(best);
    }

    private static boolean isNaN(DataType type, Element element) {
        return Elements.isReal(type) && Double.isNaN(Elements.real(type, element.bits()));
    }

    /** With -0.0 below +0.0. */
    private static int compare(DataType type, Element one, Element other) {
        return Elements.isReal(type)
                ? Double.compare(Elements.real(type, one.bits()), Elements.real(type, other.bits()))
                : Elements.whole(type, one.bits()).compareTo(Elements.whole(type, other.bits()));
    }

    private static List<Expectation> matrixProduct(List<List<Element>> operands, int at) {
        BigInteger[] all = null;
        for (List<Element> vector : operands) {
            BigInteger[] next = new BigInteger[4];
            for (int i = 0; i < 4; i++) {
                next[i] = Elements.whole(DataType.I32, vector.get(at + i).bits());
            }
            all = all == null ? next : multiply(all, next);
        }
        List<Expectation> result = new ArrayList<>();
        for (BigInteger number : all == null ? new BigInteger[0] : all) {
            result.add(whole(DataType.I32, number));
        }
        return result;
    }

    private static BigInteger[] multiply(BigInteger[] left, BigInteger[] right) {
        BigInteger[] product = new BigInteger[4];
        for (int i = 0; i < 4; i++) {
            int row = i / 2;
            int column = i % 2;
            product[i] =
                    left[2 * row]
                            .multiply(right[column])
                            .add(left[2 * row + 1].multiply(right[2 + column]));
        }
        return product;
    }

    private static Expectation ofRight(DataType type, Element element) {
        return isNaN(type, element) ? new Expectation.NotANumber(0) : Expectation.of(element);
    }

    private static Expectation truth(boolean isTrue) {
        return Expectation.of(bits(isTrue ? 1 : 0));
    }

    private static Expectation whole(DataType type, BigInteger number) {
        return Expectation.of(bits(Elements.wrap(type, number)));
    }

    private static Expectation equalTo(int number) {
        return new Expectation.Near(BigDecimal.valueOf(number), BigDecimal.ZERO);
    }

    private static Expectation infinite(DataType type, double sign) {
        return Expectation.of(bits(infinity(type, sign)));
    }

    private static long infinity(DataType type, double sign) {
        long positive =
                switch (type) {
                    case F64, F64_I64 -> 0x7ff0000000000000L;
                    case F32, F32_I32 -> 0x7f800000L;
                    case F16 -> 0x7c00L;
                    default -> 0x7f80L;
                };
        long signBit = 1L << 8 * Elements.valueBytes(type) - 1;
        return sign > 0 ? positive : positive | signBit;
    }

    private static Element bits(long bits) {
        return Element.of(bits);
    }
}
