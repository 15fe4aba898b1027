package io.nexar.rendezvous;

import io.nexar.transport.PeerAddress;

import java.util.List;
import java.util.Map;

/**
 * What a worker and the seed say to each other.
 *
 * <pre>
 *   worker                       seed
 *   Hello            ----&gt;             who I am, what I want, my signing request
 *                    &lt;----  Welcome    a member id and a certificate      (or Refused)
 *   Ready            ----&gt;             where I can be dialled
 *                    &lt;----  RosterPart all ranks, once everybody is ready (in several parts)
 *   Linked           ----&gt;             I reach every peer                 (or LinkFailed)
 *                    &lt;----  Go         everybody reaches everybody        (or Failed)
 *   ...                                the job runs; the connection is the worker's tether
 *                    &lt;----  Departed   somebody has left or was lost
 *   Ask              ----&gt;             does that member still answer you?
 *                    &lt;----  Ping       to that member
 *   Pong             ----&gt;             from it
 *                    &lt;----  Answers    to whoever has asked; silence otherwise
 *   Lost             ----&gt;             I have given that member up
 *                    &lt;----  Expelled   to that member, before its connection closes
 *   Abort            &lt;---&gt;  Abort      a rank ends the job
 *   Goodbye          ----&gt;             a close after this is no death
 *                    &lt;----  Goodbye    it was heard; both close
 * </pre>
 */
public sealed interface JoinMessage {

    /** Asks for no particular rank, or does not say how large the world is. */
    int ANY = -1;

    /**
     * A worker's request.
     *
     * @param token the job's secret, in base64url
     * @param settings the options that must agree in the whole job, by key; no secrets
     * @param rank the rank asked for, or {@link #ANY}
     * @param worldSize the size the worker expects, or {@link #ANY}
     * @param host equal for processes of one host, and only for those
     * @param signingRequest PKCS#10 for the worker's own key
     */
    record Hello(
            String job,
            String token,
            Map<String, String> settings,
            int rank,
            int worldSize,
            String host,
            long pid,
            byte[] signingRequest)
            implements JoinMessage {
        public Hello {
            settings = Map.copyOf(settings);
        }

        @Override
        public String toString() {
            return "Hello[job=" + job + ", rank=" + rank + ", host=" + host + ", pid=" + pid + "]";
        }
    }

    /**
     * The worker is a member.
     *
     * @param formationNanosLeft how long the seed will go on waiting for the others
     */
    record Welcome(
            long memberId,
            int worldSize,
            long formationNanosLeft,
            byte[] certificate,
            byte[] authority)
            implements JoinMessage {}

    /** The worker may not join. The layout of this one never changes: every version reads it. */
    record Refused(String reason) implements JoinMessage {}

    /**
     * The worker's endpoints are open.
     *
     * @param process see {@link HostIdentity#process}
     */
    record Ready(String process, List<PeerAddress> addresses) implements JoinMessage {
        public Ready {
            addresses = List.copyOf(addresses);
        }
    }

    /**
     * Some of the ranks, in order; the roster is whole once {@code worldSize} ranks have come.
     *
     * @param firstRank the rank of the first of {@code members}
     */
    record RosterPart(long epoch, int firstRank, List<Roster.Entry> members)
            implements JoinMessage {
        public RosterPart {
            members = List.copyOf(members);
        }

        /** The same members at the addresses where the others are to dial them. */
        RosterPart routed(AddressBook book) {
            return new RosterPart(
                    epoch, firstRank, members.stream().map(entry -> entry.routed(book)).toList());
        }
    }

    /** The worker has a proven link to each peer. */
    record Linked() implements JoinMessage {}

    /** The worker does not reach this peer. */
    record LinkFailed(int rank, String reason) implements JoinMessage {}

    /** The job begins. */
    record Go() implements JoinMessage {}

    /**
     * The job does not form; the connection ends.
     *
     * @param missingRanks who has not come, if that is the reason
     */
    record Failed(String reason, List<Integer> missingRanks) implements JoinMessage {
        public Failed {
            missingRanks = List.copyOf(missingRanks);
        }
    }

    /**
     * A member is gone.
     *
     * @param orderly it said goodbye; otherwise its process died or lost its connection
     */
    record Departed(long memberId, int rank, boolean orderly, String reason)
            implements JoinMessage {}

    /** The worker leaves of its own will; in answer: that was heard. */
    record Goodbye(String reason) implements JoinMessage {}

    /**
     * Ends the job on all ranks.
     *
     * @param rank who asked for it; the seed does not believe what a worker writes here, and says
     *     {@link #ANY} where it was not a rank
     */
    record Abort(int rank, String reason) implements JoinMessage {}

    /** Whether that member still answers the seed. */
    record Ask(long memberId) implements JoinMessage {}

    /** Wants a {@link Pong} at once. */
    record Ping() implements JoinMessage {}

    /** The process runs, for it says so. */
    record Pong() implements JoinMessage {}

    /** That member has answered the seed a moment ago. */
    record Answers(long memberId) implements JoinMessage {}

    /** The sender has given that member up; itself, where its process ends without a goodbye. */
    record Lost(long memberId, String reason) implements JoinMessage {}

    /** The receiver is no member any more; the connection ends. */
    record Expelled(String reason) implements JoinMessage {}

    /**
     * How somebody who is no worker looks at a job, and what that asks of its members.
     *
     * <pre>
     *   observer                 seed                    member
     *   Observe    ----&gt;                                       I know the token
     *              &lt;----  Observed                             how far the job is (or Refused)
     *   Look       ----&gt;                                       who is there, from here on?
     *              &lt;----  Rows    Ask  ----&gt;                   what are you in?
     *              &lt;----  Answer       &lt;---- Report            one for each that answers
     *              &lt;----  Looked                               where the next look begins
     * </pre>
     */
    sealed interface Observation extends JoinMessage {

        /**
         * An observer's first message.
         *
         * @param token the job's secret, in base64url
         */
        record Observe(String job, String token) implements Observation {
            @Override
            public String toString() {
                return "Observe[job=" + job + "]";
            }
        }

        /**
         * How far the job is, as its seed sees it.
         *
         * @param phaseNanos since it is in this phase
         * @param formationNanosLeft how long the seed will go on waiting for the others; 0 once
         *     that is over
         * @param failure why it did not form; empty if that is not so
         */
        record Observed(
                SeedPhase phase,
                int worldSize,
                long phaseNanos,
                long formationNanosLeft,
                String failure)
                implements Observation {}

        /** Asks for the rows from this one on, of which there will be a bounded number. */
        record Look(int first) implements Observation {}

        /** Some of the rows. */
        record Rows(List<MemberRow> rows) implements Observation {
            public Rows {
                rows = List.copyOf(rows);
            }
        }

        /**
         * Asks a member of a running job for its report.
         *
         * @param query comes back with the report
         * @param bytesMax how long that may be
         */
        record Ask(long query, int bytesMax) implements Observation {}

        /** A member's report, which the seed hands on without looking into it. */
        record Report(long query, byte[] report) implements Observation {}

        /** What this member answered. */
        record Answer(long memberId, byte[] report) implements Observation {}

        /**
         * All that answered in time have been heard.
         *
         * @param next the row to look from next, or {@link #ANY} if there is none
         */
        record Looked(int next) implements Observation {}
    }
}
