package io.nexar.collective.plan.check;

import io.nexar.collective.plan.Plan;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Whether a barrier holds: no rank may leave before every rank has come. A step has heard of its
 * own rank, of whatever its predecessors have heard of, and, if it receives, of what the send had
 * heard of: that holds in every order that the dependencies permit. A rank that has done all its
 * steps must have heard of everybody.
 */
final class Knowledge {
    private final World world;
    private final MessagePairs pairs;
    private final BitSet[][] heardOf;

    private Knowledge(World world, MessagePairs pairs) {
        this.world = world;
        this.pairs = pairs;
        this.heardOf = new BitSet[world.size()][];
        for (int rank = 0; rank < heardOf.length; rank++) {
            heardOf[rank] = new BitSet[world.plan(rank).stepCount()];
        }
    }

    static void check(World world, MessagePairs pairs) {
        new Knowledge(world, pairs).check();
    }

    private void check() {
        List<List<int[]>> rounds = stepsByRound();
        for (List<int[]> ofRound : rounds) {
            for (int[] place : ofRound) {
                heardOf[place[0]][place[1]] = heard(place[0], place[1]);
            }
        }
        for (int rank = 0; rank < world.size(); rank++) {
            BitSet all = new BitSet();
            all.set(rank);
            for (BitSet ofStep : heardOf[rank]) {
                all.or(ofStep);
            }
            if (all.cardinality() < world.size()) {
                throw world.fault(
                        rank, "leaves without having heard of rank " + all.nextClearBit(0));
            }
        }
    }

    /** Rank and index of each round's steps; a receive needs its send, so receives come last. */
    private List<List<int[]>> stepsByRound() {
        List<List<int[]>> rounds = new ArrayList<>();
        for (int round = 0; round < world.plan(0).rounds(); round++) {
            rounds.add(new ArrayList<>());
        }
        for (boolean receives : new boolean[] {false, true}) {
            for (int rank = 0; rank < world.size(); rank++) {
                Plan plan = world.plan(rank);
                for (int i = 0; i < plan.stepCount(); i++) {
                    if (plan.step(i).isReceive() == receives) {
                        rounds.get(plan.step(i).round()).add(new int[] {rank, i});
                    }
                }
            }
        }
        return rounds;
    }

    private BitSet heard(int rank, int index) {
        Plan plan = world.plan(rank);
        BitSet result = new BitSet();
        result.set(rank);
        for (int earlier : plan.predecessors(index)) {
            result.or(heardOf[rank][earlier]);
        }
        if (plan.step(index).isReceive()) {
            result.or(heardOf[plan.step(index).peer()][pairs.partnerOf(rank, index)]);
        }
        return result;
    }
}
