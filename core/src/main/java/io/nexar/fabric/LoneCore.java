package io.nexar.fabric;

/**
 * Sees whether a leader whose host has more ranks than cores has its core to itself all the same:
 * its yields come back at once. Then others crowd on another core, and Linux leaves them there for
 * a while, as a core whose rank polls and yields is not idle. One whose rank sleeps is, and is
 * given one of those who wait. Used by whoever leads.
 */
final class LoneCore {
    /** How many turns lie between two looks; fewer would be lost in the clock's own time. */
    static final int TURNS = 8;

    /**
     * Longer than a pass that finds nothing and a yield that nobody takes up, which take 0.7 us
     * together; shorter than the same with another rank's turn between, 2.5 us at least.
     */
    private static final long LONE_TURN_NANOS = 1_250;

    private int lastFruitless;
    private long lastNanos;

    /**
     * Whether all turns since the last look were in vain and nobody else had the core in them.
     *
     * @param fruitless so many passes in a row have found nothing, each with a yield behind it
     */
    boolean isAlone(int fruitless, long nowNanos) {
        boolean isOfOneWait = fruitless - lastFruitless == TURNS;
        boolean isShort = nowNanos - lastNanos < TURNS * LONE_TURN_NANOS;
        lastFruitless = fruitless;
        lastNanos = nowNanos;
        return isOfOneWait && isShort;
    }
}
