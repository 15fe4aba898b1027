package io.nexar.observe;

import java.util.List;

/**
 * What one rank is doing at one moment: what a person wants to know who asks why a job stands.
 *
 * @param communicators those that are open, the world first
 * @param communicatorsOmitted how many more are open than there was room for
 * @param links one for each other member of the world
 * @param linksOmitted how many more there are than there was room for
 */
public record RankReport(
        Activity activity,
        ProcessReport process,
        List<CommunicatorReport> communicators,
        int communicatorsOmitted,
        List<LinkReport> links,
        int linksOmitted) {

    /** What the rank's callers are at. */
    public enum Activity {
        /** A thread of the program waits in a call. */
        IN_CALL,
        /** No thread of the program waits in a call. */
        IN_USER_CODE,
        /** The rank says goodbye. */
        CLOSING,
        /** What it is in can't be told: its state was not free to look at in the time given. */
        BUSY
    }

    public RankReport {
        communicators = List.copyOf(communicators);
        links = List.copyOf(links);
    }

    /** The report of a rank whose state could not be looked at. */
    public static RankReport busy(ProcessReport process) {
        return new RankReport(Activity.BUSY, process, List.of(), 0, List.of(), 0);
    }
}
