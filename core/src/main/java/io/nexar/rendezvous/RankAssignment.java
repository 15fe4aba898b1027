package io.nexar.rendezvous;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Gives out ranks: those asked for first; the rest takes the free ranks from the lowest on, host by
 * host in the order in which the hosts first came, and within a host by arrival. Neighbouring ranks
 * then tend to share a host. Pure.
 */
final class RankAssignment {

    private RankAssignment() {}

    /**
     * Member by rank; a rank that nobody has is empty.
     *
     * @param members in any order; at most {@code worldSize}, whose claims differ and lie within
     *     the world
     */
    static List<Optional<Joiner>> assign(Collection<Joiner> members, int worldSize) {
        List<Optional<Joiner>> byRank = new ArrayList<>();
        for (int rank = 0; rank < worldSize; rank++) {
            byRank.add(Optional.empty());
        }
        Map<String, List<Joiner>> others = new LinkedHashMap<>();
        List<Joiner> byArrival = new ArrayList<>(members);
        byArrival.sort(Comparator.comparingLong(member -> member.memberId));
        for (Joiner member : byArrival) {
            if (member.claim == JoinMessage.ANY) {
                others.computeIfAbsent(member.host, _ -> new ArrayList<>()).add(member);
            } else {
                byRank.set(member.claim, Optional.of(member));
            }
        }
        int next = 0;
        for (List<Joiner> onHost : others.values()) {
            for (Joiner member : onHost) {
                while (byRank.get(next).isPresent()) {
                    next++;
                }
                byRank.set(next, Optional.of(member));
            }
        }
        return byRank;
    }
}
