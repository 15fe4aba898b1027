package io.nexar.examples.mnist;

import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What the user may choose. All ranks get the same arguments.
 *
 * @param epochs how often all training digits are gone through
 * @param batchSize digits a step, over all ranks together
 * @param learningRate how far a step goes
 * @param momentum how much of a step goes on in the next one
 * @param randomSeed of the first weights and of the order of the digits
 * @param compress how gradients are compressed; empty for a plain allReduce
 */
record MnistOptions(
        int epochs,
        int batchSize,
        float learningRate,
        float momentum,
        long randomSeed,
        String compress) {

    /**
     * Eight times through: the loss still falls then, the accuracy hardly moves. 256 a batch leaves
     * each of four ranks 64, so that there is work between two exchanges. 0.2 suits that size: 0.1
     * learns slower, 0.3 no better. With a momentum of 0.9 a step remembers about ten before it;
     * the usual value, and good to 0.97 here.
     */
    static final MnistOptions DEFAULTS = new MnistOptions(8, 256, 0.2f, 0.9f, 1, "");

    private static final String USAGE =
            "options: --epochs N, --batch N, --learning-rate R, --momentum M, --seed N,"
                    + " --compress METHOD";

    /**
     * @throws IllegalArgumentException naming the option, the value and the rule
     */
    static MnistOptions parse(String... args) {
        MnistOptions options = DEFAULTS;
        for (int i = 0; i < args.length; i += 2) {
            if (i + 1 == args.length) {
                throw new IllegalArgumentException(args[i] + ": a value is missing; " + USAGE);
            }
            options = options.with(args[i], args[i + 1]);
        }
        return options;
    }

    private MnistOptions with(String name, String value) {
        return switch (name) {
            case "--epochs" -> withEpochs(count(name, value, 1000));
            case "--batch" -> withBatchSize(count(name, value, 8000));
            case "--learning-rate" -> withLearningRate(rate(name, value));
            case "--momentum" -> withMomentum(momentum(name, value));
            case "--seed" -> withRandomSeed(randomSeed(name, value));
            case "--compress" -> withCompress(method(name, value));
            default -> throw new IllegalArgumentException("unknown option " + name + "; " + USAGE);
        };
    }

    private MnistOptions withEpochs(int value) {
        return new MnistOptions(value, batchSize, learningRate, momentum, randomSeed, compress);
    }

    private MnistOptions withBatchSize(int value) {
        return new MnistOptions(epochs, value, learningRate, momentum, randomSeed, compress);
    }

    private MnistOptions withLearningRate(float value) {
        return new MnistOptions(epochs, batchSize, value, momentum, randomSeed, compress);
    }

    private MnistOptions withMomentum(float value) {
        return new MnistOptions(epochs, batchSize, learningRate, value, randomSeed, compress);
    }

    private MnistOptions withRandomSeed(long value) {
        return new MnistOptions(epochs, batchSize, learningRate, momentum, value, compress);
    }

    private MnistOptions withCompress(String value) {
        return new MnistOptions(epochs, batchSize, learningRate, momentum, randomSeed, value);
    }

    private static int count(String name, String value, int max) {
        String rule = "a whole number from 1 to " + max;
        return read(name, value, rule, Integer::parseInt, count -> count >= 1 && count <= max);
    }

    private static float rate(String name, String value) {
        String rule = "a number above 0, at most 10";
        return read(name, value, rule, Float::parseFloat, rate -> rate > 0 && rate <= 10);
    }

    private static float momentum(String name, String value) {
        String rule = "a number from 0, below 1";
        return read(name, value, rule, Float::parseFloat, part -> part >= 0 && part < 1);
    }

    private static long randomSeed(String name, String value) {
        return read(name, value, "a whole number", Long::parseLong, seed -> true);
    }

    private static String method(String name, String value) {
        try {
            Compression.state(value, 0);
            return value;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    name + " " + value + ": must be " + Compression.RULE, e);
        }
    }

    private static <T> T read(
            String name,
            String value,
            String rule,
            Function<String, T> parser,
            Predicate<T> allowed) {
        try {
            T read = parser.apply(value);
            if (allowed.test(read)) {
                return read;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " " + value + ": must be " + rule, e);
        }
        throw new IllegalArgumentException(name + " " + value + ": must be " + rule);
    }
}
