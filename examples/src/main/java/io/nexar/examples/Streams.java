package io.nexar.examples;

import java.util.SplittableRandom;

/**
 * Random numbers that do not depend on who draws them: each piece of a problem (a block of points,
 * a vertex, a key) has a stream of its own, by its number. So the problem is the same however many
 * ranks share it, and no rank need be told what another has drawn.
 */
final class Streams {

    private Streams() {}

    static SplittableRandom stream(long randomSeed, long number) {
        // A draw scatters its seed: streams of neighbouring numbers would overlap without it.
        long start = new SplittableRandom(randomSeed).nextLong() + number;
        return new SplittableRandom(new SplittableRandom(start).nextLong());
    }
}
