package io.nexar.rendezvous;

/**
 * One member as its seed sees it.
 *
 * @param rank its rank; before ranks are given out the one it asked for, or {@link JoinMessage#ANY}
 * @param host equal for members of one host, and only for those
 * @param remote where its connection to the seed comes from
 * @param goneNanos since it left or was lost; 0 while it is there
 * @param goneBecause empty while it is there
 */
public record MemberRow(
        long memberId,
        int rank,
        Standing standing,
        String host,
        String remote,
        long pid,
        long goneNanos,
        String goneBecause) {

    /** How far a member is. */
    public enum Standing {
        /** It opens the endpoints that others will dial. */
        OPENING,
        /** It waits for the other ranks to come. */
        WAITING,
        /** It dials the other ranks. */
        LINKING,
        /** It reaches every other rank. */
        LINKED,
        /** It takes part in the running job. */
        RUNNING,
        /** It has left the running job in good order. */
        LEFT,
        /** It died, or lost its connection to the seed. */
        LOST
    }

    public boolean isGone() {
        return standing == Standing.LEFT || standing == Standing.LOST;
    }
}
