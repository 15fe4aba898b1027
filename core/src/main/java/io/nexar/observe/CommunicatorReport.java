package io.nexar.observe;

import java.util.List;

/**
 * One open communicator on one rank.
 *
 * @param rank of this process in it
 * @param nextSequence of the next collective here
 * @param callsUnderWay collectives from the oldest that is not over to the newest
 * @param calls the oldest collective, then the oldest receive and the oldest send that are not over
 * @param brokenBecause why no collective can start any more; empty while it works
 */
public record CommunicatorReport(
        String name,
        int rank,
        int size,
        long nextSequence,
        int callsUnderWay,
        List<CallReport> calls,
        QueueReport queues,
        String brokenBecause) {
    public CommunicatorReport {
        calls = List.copyOf(calls);
    }
}
