package io.nexar.rendezvous;

import java.util.List;

/** What a seed tells its owner. */
public sealed interface SeedEvent {

    /**
     * A connection was turned away, or closed itself before it was a member.
     *
     * @param remote where it came from
     */
    record Refused(String remote, String reason) implements SeedEvent {}

    /**
     * A worker became a member.
     *
     * @param rank the rank it asked for, or {@link JoinMessage#ANY}
     */
    record Admitted(long memberId, int rank, String host, long pid) implements SeedEvent {}

    /** A member went away before the ranks were given out; its place is free again. */
    record Withdrawn(String who, String reason) implements SeedEvent {}

    /** Every rank reaches every other; the job runs. */
    record Formed(Roster roster) implements SeedEvent {}

    /** The job did not form; everybody was told. */
    record FormationFailed(String reason, List<Integer> missingRanks) implements SeedEvent {
        public FormationFailed {
            missingRanks = List.copyOf(missingRanks);
        }
    }

    /** A rank of the running job is gone. */
    record Departed(long memberId, int rank, boolean orderly, String reason) implements SeedEvent {}

    /**
     * The running job was ended on all ranks.
     *
     * @param rank who asked for it; {@link JoinMessage#ANY} if it was the seed's owner
     */
    record Aborted(int rank, String reason) implements SeedEvent {}

    /** Every rank of the job that ran is gone. */
    record Ended() implements SeedEvent {}
}
