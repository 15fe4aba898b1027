package io.nexar;

import io.nexar.spi.Compressor;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How a {@link Communicator#allReduceCompressed} compresses, and its memory: what a call leaves out
 * is added to the next call's values, so that nothing is lost in the long run (error feedback).
 * Keep one state for each buffer that is reduced again and again, with the same method on all
 * ranks.
 *
 * <p>Owned by the thread that runs the collective; not for two collectives at once.
 */
public final class CompressionState {

    /** Which values travel, and in which form. */
    public sealed interface Method {
        /** All, as they are. */
        record None() implements Method {}

        /** The largest by magnitude, with their indices. */
        record TopK(double fraction) implements Method {}

        /** Some drawn at random, the same on all ranks. */
        record RandomK(double fraction, long randomSeed) implements Method {}

        /** All, in 8 bits each with a scale a block. */
        record Quantize8() implements Method {}

        /** What the setting {@code nexar.compressor} names. */
        record Configured() implements Method {}

        /** The user's own. */
        record Custom(Compressor compressor) implements Method {}
    }

    private final Method method;
    private final AtomicBoolean inUse = new AtomicBoolean();
    private @Nullable DataBuffer residual;

    private CompressionState(Method method) {
        this.method = method;
    }

    /** Sends everything as it is: exact, the measure for the others. */
    public static CompressionState none() {
        return new CompressionState(new Method.None());
    }

    /**
     * Sends the values of the largest magnitude.
     *
     * @param fraction how many of the values, more than 0, at most 1
     */
    public static CompressionState topK(double fraction) {
        return new CompressionState(new Method.TopK(checked(fraction)));
    }

    /**
     * Sends values drawn at random.
     *
     * @param fraction how many of the values, more than 0, at most 1
     * @param randomSeed the same on all ranks
     */
    public static CompressionState randomK(double fraction, long randomSeed) {
        return new CompressionState(new Method.RandomK(checked(fraction), randomSeed));
    }

    /** Sends every value in 8 bits. */
    public static CompressionState quantize8() {
        return new CompressionState(new Method.Quantize8());
    }

    /** Sends what the setting {@code nexar.compressor} says. */
    public static CompressionState configured() {
        return new CompressionState(new Method.Configured());
    }

    /** Sends what the compressor makes of the values. */
    public static CompressionState of(Compressor compressor) {
        return new CompressionState(
                new Method.Custom(Objects.requireNonNull(compressor, "compressor")));
    }

    private static double checked(double fraction) {
        if (!(fraction > 0 && fraction <= 1)) {
            throw new IllegalArgumentException(
                    "fraction " + fraction + ": must be more than 0 and at most 1");
        }
        return fraction;
    }

    /** The method that was chosen. */
    public Method method() {
        return method;
    }

    /**
     * Takes it for one call, until {@link #release}. For the runtime.
     *
     * @throws IllegalStateException if another call has it
     */
    public void claim() {
        if (!inUse.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "a CompressionState in two collectives at once; keep one for each buffer");
        }
    }

    /** Gives it back. For the runtime. */
    public void release() {
        inUse.set(false);
    }

    /**
     * What earlier calls left out: {@code count} elements of {@code F32}, all zero at first. For
     * the runtime, which adds it before and rewrites it after a call.
     *
     * @throws IllegalArgumentException if earlier calls had another count
     */
    public DataBuffer residual(long count) {
        if (residual == null) {
            residual = DataBuffer.allocate(DataType.F32, count);
        }
        if (residual.count() != count) {
            throw new IllegalArgumentException(
                    "count "
                            + count
                            + ": this state has seen "
                            + residual.count()
                            + "; keep one state for each buffer");
        }
        return residual;
    }
}
