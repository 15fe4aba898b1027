package io.nexar.fabric;

/**
 * How a leader passes the time between two polls that found nothing: it spins briefly, then yields,
 * then parks. Never spins when ranks outnumber cores: the peer it waits for needs the core.
 *
 * @param spins polls with a pause instruction between them
 * @param yields polls with a yield between them, after the spins
 * @param leavesLoneCore whether a leader that finds the core to be its own sleeps at once, though
 *     it does not spin: see {@link LoneCore}
 */
public record IdleStrategy(int spins, int yields, boolean leavesLoneCore) {
    /**
     * A few microseconds: a peer that is in the same call answers within them. More is lost where
     * the peer shares this core after all.
     */
    private static final int SPINS = 60;

    /**
     * Half a millisecond to one, on a core of one's own: longer than the pauses within a transfer.
     * Over TCP whoever sleeps in one is woken by way of another thread, which just then has the
     * idle core, so that Linux puts the woken one beside its peer, again and again.
     */
    private static final int YIELDS = 2000;

    /**
     * Each lets somebody else work, who may be the peer, and who has a core to himself meanwhile is
     * back at once: some 100 microseconds. To wake a sleeper takes five times what a turn does, and
     * one that sleeps makes others wait, who then sleep as well.
     */
    private static final int CROWDED_YIELDS = 400;

    /**
     * An operation for which so many polls have found something is a long one, which somebody must
     * lead: the background thread takes the lead where nobody has had it for a millisecond, and two
     * threads then wait for each other in turn.
     */
    private static final int FINDS_UNLED = 4;

    public IdleStrategy(int spins, int yields) {
        this(spins, yields, false);
    }

    /** What a leader does by itself: spin if each rank has a core, else let others work. */
    public static IdleStrategy of(int ranksOnHost, int cores) {
        return ranksOnHost > cores ? new IdleStrategy(0, CROWDED_YIELDS) : spinning();
    }

    /** As if each rank had a core, whoever else wants it. */
    public static IdleStrategy spinning() {
        return new IdleStrategy(SPINS, YIELDS);
    }

    /** Sleeps at once: nothing is spent on waiting, and each wait costs a wake-up. */
    public static IdleStrategy sleeping() {
        return new IdleStrategy(0, 0);
    }

    /** The same where ranks of a host wake each other by shared memory, which is cheap. */
    public IdleStrategy leavingLoneCore() {
        return new IdleStrategy(spins, yields, spins == 0);
    }

    /** Whether the nth fruitless poll is followed by another at once. */
    boolean isSpinning(int fruitless) {
        return fruitless < spins;
    }

    /** Whether who does not lead looks once more, after so many polls and finds among them. */
    boolean looksOn(int looks, int finds) {
        return isSpinning(looks) && finds < FINDS_UNLED;
    }

    /** Whether a rank with a core of its own has begun to yield. */
    boolean isYielding(int fruitless) {
        return spins > 0 && fruitless > spins;
    }

    /** Whether it is time to park after that many. */
    boolean isParking(int fruitless) {
        return fruitless >= spins + yields;
    }

    /** Spins or yields for the nth fruitless poll; false when it is time to park. */
    boolean pause(int fruitless, boolean virtual) {
        if (virtual) {
            return false;
        }
        if (fruitless < spins) {
            Thread.onSpinWait();
            return true;
        }
        if (isParking(fruitless)) {
            return false;
        }
        Thread.yield();
        return true;
    }
}
