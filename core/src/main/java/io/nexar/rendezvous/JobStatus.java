package io.nexar.rendezvous;

import io.nexar.observe.RankReport;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * A whole job at one moment, as its seed and its members tell it.
 *
 * @param phaseNanos since it is in this phase
 * @param formationNanosLeft how long the seed will go on waiting for the others; 0 once that is
 *     over
 * @param failure why it did not form; empty if that is not so
 * @param members by rank, and before ranks are given out by the order of coming
 */
public record JobStatus(
        String job,
        SeedPhase phase,
        int worldSize,
        long phaseNanos,
        long formationNanosLeft,
        String failure,
        List<Member> members) {

    /**
     * One member.
     *
     * @param report what it says of itself; null for one that is gone, or does not answer
     * @param silence why there is no report of a member that is there; empty otherwise
     */
    public record Member(MemberRow row, @Nullable RankReport report, String silence) {}

    public JobStatus {
        members = List.copyOf(members);
    }

    /** How many ranks have not come yet; 0 once the job has formed. */
    public int missing() {
        return phase == SeedPhase.GATHERING ? Math.max(0, worldSize - members.size()) : 0;
    }

    /**
     * The ranks that nobody has asked for; empty where a member asks for none in particular, for
     * then nobody can say who is missing.
     */
    public List<Integer> missingRanks() {
        List<Integer> missing = new ArrayList<>();
        boolean[] taken = new boolean[worldSize];
        for (Member member : members) {
            int rank = member.row().rank();
            if (rank < 0 || rank >= worldSize) {
                return List.of();
            }
            taken[rank] = true;
        }
        for (int rank = 0; rank < worldSize && missing() > 0; rank++) {
            if (!taken[rank]) {
                missing.add(rank);
            }
        }
        return missing;
    }
}
