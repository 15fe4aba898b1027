package io.nexar.compress;

import java.lang.foreign.MemorySegment;

/**
 * What a lossy compressor leaves out of one call is added to the values of the next, so that it
 * arrives late and not never (Seide, Fu, Droppo, Li, Yu: "1-bit stochastic gradient descent", 2014;
 * Karimireddy, Rebjock, Stich, Jaggi: "Error feedback fixes SignSGD", 2019). Over all calls the sum
 * of what was sent and the residual is the sum of the values, but for rounding. One pass over the
 * values before and one after; all memory is F32 of one size, in the machine's byte order.
 */
public final class ErrorFeedback {
    private ErrorFeedback() {}

    /**
     * Writes the values and their residual together.
     *
     * @throws IllegalArgumentException if a sum is NaN or infinite, which would stay in the
     *     residual for ever
     */
    public static void add(MemorySegment values, MemorySegment residual, MemorySegment sum) {
        for (long i = 0; i < WireValues.count(values); i++) {
            float value = WireValues.get(values, i);
            float both = value + WireValues.get(residual, i);
            if (!Float.isFinite(both)) {
                throw new IllegalArgumentException(
                        "element %d is %s, with what earlier calls left out %s; only finite values"
                                        .formatted(i, value, both)
                                + " can be compressed with loss");
            }
            WireValues.set(sum, i, both);
        }
    }

    /**
     * Takes what arrives of the values away from them.
     *
     * @return the Euclidean norm of what is left
     */
    public static double subtract(MemorySegment sent, MemorySegment values) {
        double squares = 0;
        for (long i = 0; i < WireValues.count(values); i++) {
            float rest = WireValues.get(values, i) - WireValues.get(sent, i);
            WireValues.set(values, i, rest);
            squares += (double) rest * rest;
        }
        return Math.sqrt(squares);
    }
}
