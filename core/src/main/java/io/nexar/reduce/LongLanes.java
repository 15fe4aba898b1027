package io.nexar.reduce;

/**
 * One block of I64 or U64 as {@code long} lanes. Scratch memory of the thread that reduces; nobody
 * else sees it.
 */
final class LongLanes {
    private static final ThreadLocal<LongLanes> OF_THREAD = ThreadLocal.withInitial(LongLanes::new);

    final long[] left = new long[IntLanes.BLOCK];
    final long[] right = new long[IntLanes.BLOCK];

    private LongLanes() {}

    static LongLanes ofThread() {
        return OF_THREAD.get();
    }
}
