package io.nexar.compress;

import io.nexar.CompressionState.Method;
import io.nexar.spi.Compressor;

/** The compressor of each method. */
public final class Compressors {
    private Compressors() {}

    /**
     * Makes one for one call.
     *
     * @param draw what a random choice is made from besides its seed: the same on all ranks,
     *     another one with each call
     */
    public static Compressor of(Method method, long draw) {
        return switch (method) {
            case Method.None _ -> new None();
            case Method.TopK top -> new TopK(top.fraction());
            case Method.RandomK random -> new RandomK(random.fraction(), random.randomSeed(), draw);
            case Method.Quantize8 _ -> new Quantize8();
            case Method.Configured _ ->
                    throw new IllegalArgumentException("what is configured is to be asked first");
            case Method.Custom custom -> new Guarded(custom.compressor());
        };
    }
}
