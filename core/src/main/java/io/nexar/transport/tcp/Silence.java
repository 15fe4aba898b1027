package io.nexar.transport.tcp;

/**
 * Notices that a link has frames under way and hears nothing. TCP repeats what was lost for a
 * quarter of an hour, and tells nobody meanwhile; a peer that computes is as silent. So it is only
 * a question. Looked at by the endpoint's thread; the polling thread takes what was noticed.
 */
final class Silence {
    /** TCP repeats a lost segment four times within three seconds: a path may have healed. */
    private static final int LOOKS = 3;

    private long arrivalsSeen;
    private int silentLooks;
    private volatile long excused;
    private volatile boolean isNoticed;

    /**
     * The endpoint's thread, once a second.
     *
     * @param sent how many frames were ever sent, if some are not acknowledged; else 0
     * @return whether a silence is noticed now
     */
    boolean look(long arrivals, long sent) {
        if (sent == 0 || sent == excused || arrivals != arrivalsSeen) {
            arrivalsSeen = arrivals;
            silentLooks = 0;
            isNoticed = false;
            return false;
        }
        silentLooks++;
        if (silentLooks < LOOKS) {
            return false;
        }
        silentLooks = 0;
        isNoticed = true;
        return true;
    }

    boolean isNoticed() {
        return isNoticed;
    }

    boolean take() {
        boolean wasNoticed = isNoticed;
        if (wasNoticed) {
            isNoticed = false;
        }
        return wasNoticed;
    }

    /** So many frames have been handled by the peer, though it has not acknowledged them. */
    void excuse(long sent) {
        excused = sent;
    }
}
