package io.nexar.reduce;

/**
 * One block of integers of up to 32 bits as {@code int} lanes. Scratch memory of the thread that
 * reduces; nobody else sees it.
 */
final class IntLanes {
    /**
     * 1,024 lanes: enough that what a block costs by itself does not show, and few enough that all
     * of a family's arrays stay in a level 1 cache of 32 KiB, also where a lane has 8 bytes.
     */
    static final int BLOCK = 1024;

    private static final ThreadLocal<IntLanes> OF_THREAD = ThreadLocal.withInitial(IntLanes::new);

    final int[] left = new int[BLOCK];
    final int[] right = new int[BLOCK];
    final Words leftWords = new Words();
    final Words rightWords = new Words();

    private IntLanes() {}

    static IntLanes ofThread() {
        return OF_THREAD.get();
    }
}
