package io.nexar.reduce;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/**
 * A block of elements of 8 or 16 bits, as they lie in memory, in {@code int} words: several
 * elements to a word. Part p of the words are their p-th elements, so part p of two blocks are the
 * same elements of both, and that is all that an operation needs.
 *
 * <p>Taking a part out and putting it back are loops of shifts over {@code int[]}, which become
 * vector instructions; loops that change between {@code byte[]} or {@code short[]} and {@code
 * int[]} do not, and take three times as long.
 */
final class Words {
    private static final boolean IS_LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private final int[] words = new int[IntLanes.BLOCK];
    private final MemorySegment memory = MemorySegment.ofArray(words);

    void load(MemorySegment from, long offset, int bytes) {
        MemorySegment.copy(from, offset, memory, 0, bytes);
    }

    void store(MemorySegment to, long offset, int bytes) {
        MemorySegment.copy(memory, 0, to, offset, bytes);
    }

    /** How many of {@code elements} lie in a part. */
    static int count(int elements, int part, int bits) {
        int parts = Integer.SIZE / bits;
        return (elements - part + parts - 1) / parts;
    }

    /** Moves a part's elements to the upper end of the lanes, above zeros. */
    void takeUpper(int part, int bits, int[] lanes, int count) {
        takeSigned(words, lanes, count, up(part, bits), 0);
        if (bits < Integer.SIZE) {
            clear(lanes, count, -1 << (Integer.SIZE - bits));
        }
    }

    void takeSigned(int part, int bits, int[] lanes, int count) {
        takeSigned(words, lanes, count, up(part, bits), Integer.SIZE - bits);
    }

    void takeUnsigned(int part, int bits, int[] lanes, int count) {
        takeUnsigned(words, lanes, count, up(part, bits), Integer.SIZE - bits);
    }

    /** Puts the low bits of the lanes back to the part's place. */
    void put(int part, int bits, int[] lanes, int count) {
        int shift = Integer.SIZE - bits - up(part, bits);
        put(lanes, words, count, (-1 >>> (Integer.SIZE - bits)) << shift, shift);
    }

    /** How far left of its word's upper end a part lies. */
    private static int up(int part, int bits) {
        return IS_LITTLE ? Integer.SIZE - bits - part * bits : part * bits;
    }

    private static void takeSigned(int[] words, int[] lanes, int count, int up, int down) {
        for (int i = 0; i < count; i++) {
            lanes[i] = words[i] << up >> down;
        }
    }

    private static void takeUnsigned(int[] words, int[] lanes, int count, int up, int down) {
        for (int i = 0; i < count; i++) {
            lanes[i] = words[i] << up >>> down;
        }
    }

    private static void clear(int[] lanes, int count, int mask) {
        for (int i = 0; i < count; i++) {
            lanes[i] &= mask;
        }
    }

    private static void put(int[] lanes, int[] words, int count, int mask, int shift) {
        for (int i = 0; i < count; i++) {
            words[i] = words[i] & ~mask | lanes[i] << shift & mask;
        }
    }
}
