package io.nexar.compress;

/** How many of the values a compressor sends that sends some of them. */
final class Fraction {
    private Fraction() {}

    /** To the nearest, and at least one, so that something always arrives. */
    static long of(long count, double fraction) {
        return count == 0 ? 0 : Math.clamp(Math.round(count * fraction), 1, count);
    }
}
