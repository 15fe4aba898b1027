package io.nexar.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

class RankAssignmentTest {

    private static Joiner member(long id, int claim, String host) {
        Joiner joiner = new Joiner(id, "test", 0);
        joiner.stage = Joiner.Stage.READY;
        joiner.memberId = id;
        joiner.claim = claim;
        joiner.host = host;
        return joiner;
    }

    private static List<Long> ids(List<Joiner> members, int worldSize) {
        return RankAssignment.assign(members, worldSize).stream()
                .map(member -> member.map(it -> it.memberId).orElse(-1L))
                .toList();
    }

    @Test
    void askedForRanksAreKeptAndTheRestGoesByHostAndArrival() {
        List<Joiner> members =
                new ArrayList<>(
                        List.of(
                                member(0, -1, "b"),
                                member(1, -1, "a"),
                                member(2, 1, "a"),
                                member(3, -1, "b"),
                                member(4, -1, "a")));
        Collections.shuffle(members, new Random(5));
        assertThat(ids(members, 6)).containsExactly(0L, 2L, 3L, 1L, 4L, -1L);
    }

    @Test
    void aWorldOfClaimsIsTheClaims() {
        List<Joiner> members = List.of(member(0, 2, "a"), member(1, 0, "b"), member(2, 1, "a"));
        assertThat(ids(members, 3)).containsExactly(1L, 2L, 0L);
    }
}
