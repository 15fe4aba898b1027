package io.nexar.rendezvous;

import io.nexar.MemberId;

/** What a member hears through its connection to the seed while the job runs. */
public sealed interface TetherEvent {

    /**
     * Another member is gone.
     *
     * @param orderly it said goodbye; otherwise its process died or lost its connection
     */
    record Departed(MemberId member, int rank, boolean orderly, String reason)
            implements TetherEvent {}

    /**
     * The job ends on all ranks.
     *
     * @param rank who asked for it; {@link JoinMessage#ANY} if it was the seed's owner
     */
    record Aborted(int rank, String reason) implements TetherEvent {}

    /** A member that was asked about has answered the seed just now. */
    record Answers(MemberId member) implements TetherEvent {}

    /** This process is no member any more: the others have given it up. */
    record Expelled(String reason) implements TetherEvent {}

    /**
     * Somebody looks at the job and wants this member's report.
     *
     * @param query to be given back with {@link Tether#report}
     * @param bytesMax how long the report may be
     */
    record Asked(long query, int bytesMax) implements TetherEvent {}

    /** The seed is gone, or broke the protocol. The job goes on without it. */
    record SeedLost(String reason) implements TetherEvent {}
}
