package io.nexar.fabric;

/**
 * How a leader passes the time between two polls that found nothing: it spins briefly, then yields,
 * then parks. Never spins when ranks outnumber cores: the peer it waits for needs the core.
 *
 * @param spins polls with a pause instruction between them
 * @param yields polls with a yield between them, after the spins
 */
public record IdleStrategy(int spins, int yields) {
    /** About 20 polls cover a peer that is already answering; more only burns a core. */
    private static final int SPINS = 20;

    /** A yield costs a microsecond or less: 50 of them still undercut one sleep and wake-up. */
    private static final int YIELDS = 50;

    /** Few: on a crowded machine each yield lets somebody else work, then sleeping is right. */
    private static final int CROWDED_YIELDS = 5;

    public static IdleStrategy of(int ranksOnHost, int cores) {
        return ranksOnHost > cores
                ? new IdleStrategy(0, CROWDED_YIELDS)
                : new IdleStrategy(SPINS, YIELDS);
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
        if (fruitless < spins + yields) {
            Thread.yield();
            return true;
        }
        return false;
    }
}
