package io.nexar.examples.mnist;

import io.nexar.CompressionState;

/** What {@code --compress} may say. */
final class Compression {
    static final String RULE = "none, quantize8, topk:F or randomk:F with F above 0, at most 1";

    private Compression() {}

    /**
     * The state of a fresh run.
     *
     * @param randomSeed of what is drawn at random
     * @throws IllegalArgumentException if there is no such method
     */
    static CompressionState state(String text, long randomSeed) {
        return switch (text) {
            case "none" -> CompressionState.none();
            case "quantize8" -> CompressionState.quantize8();
            case String some when some.startsWith("topk:") -> CompressionState.topK(fraction(some));
            case String some when some.startsWith("randomk:") ->
                    CompressionState.randomK(fraction(some), randomSeed);
            default -> throw new IllegalArgumentException("no method " + text);
        };
    }

    private static double fraction(String text) {
        return Double.parseDouble(text.substring(text.indexOf(':') + 1));
    }
}
