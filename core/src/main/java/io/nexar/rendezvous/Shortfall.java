package io.nexar.rendezvous;

import io.nexar.rendezvous.Joiner.Stage;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Why a job had not formed at its deadline, in words: who is missing, who is late, who came and
 * went.
 *
 * @param lastSeen those that came and went, by the rank that they claimed
 */
record Shortfall(SeedRules rules, List<Joiner> members, Map<Integer, String> lastSeen) {

    /** For a job whose ranks all came, but do not all reach each other. */
    String unlinked() {
        List<Joiner> late =
                members.stream().filter(member -> member.stage != Stage.LINKED).toList();
        return "not linked to every peer" + within() + ": " + describe(late);
    }

    /** For a job to which not all ranks came, or were not ready. */
    String missing() {
        List<Joiner> late = members.stream().filter(member -> !member.isReady()).toList();
        StringBuilder reason =
                new StringBuilder().append(members.size()).append(" of ").append(rules.worldSize());
        reason.append(" ranks came").append(within());
        if (!late.isEmpty()) {
            reason.append("; joined but never ready: ").append(describe(late));
        }
        if (!lastSeen.isEmpty() && !missingRanks().isEmpty()) {
            reason.append("; came and went: ").append(String.join(", ", lastSeen.values()));
        }
        return reason.toString();
    }

    /**
     * The ranks that would be free if ranks were given out now; those of workers that came and went
     * count as free, and not some other rank in their stead.
     */
    List<Integer> missingRanks() {
        List<Joiner> expected = new ArrayList<>(members);
        for (int claim : lastSeen.keySet()) {
            if (claim != JoinMessage.ANY && expected.size() < rules.worldSize()) {
                Joiner gone = new Joiner(-1, "", 0);
                gone.claim = claim;
                expected.add(gone);
            }
        }
        List<Optional<Joiner>> byRank = RankAssignment.assign(expected, rules.worldSize());
        List<Integer> missing = new ArrayList<>();
        for (int rank = 0; rank < byRank.size(); rank++) {
            if (byRank.get(rank).map(joiner -> !joiner.isMember()).orElse(true)) {
                missing.add(rank);
            }
        }
        return missing;
    }

    private String within() {
        return " within " + rules.formationNanos() / 1_000_000 + " ms";
    }

    private static String describe(List<Joiner> members) {
        return String.join(", ", members.stream().map(Joiner::describe).toList());
    }
}
