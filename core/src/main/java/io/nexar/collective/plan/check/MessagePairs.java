package io.nexar.collective.plan.check;

import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.Range;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which send belongs to which receive. The messages from one rank to another are counted on both
 * sides: the n-th send belongs to the n-th receive. Both must lie in the same round and carry the
 * same shares, and none may be left over.
 *
 * <p>With that nothing can deadlock. Let a step-slice's key be (slice * d + round, slice), with d
 * as the engine has it. A step waits for steps of its rank in earlier rounds ({@link Order}), which
 * have smaller keys, and a receive for its send, which has the same key and itself waits for
 * smaller ones only: no chain of waiting comes back. All ranks have the same number of rounds
 * ({@link Shape}) and so the same d and the same keys.
 */
final class MessagePairs {
    private final World world;
    private final int[][] partners;

    private MessagePairs(World world) {
        this.world = world;
        this.partners = new int[world.size()][];
        for (int rank = 0; rank < world.size(); rank++) {
            partners[rank] = new int[world.plan(rank).stepCount()];
            Arrays.fill(partners[rank], -1);
        }
    }

    static MessagePairs of(World world) {
        MessagePairs pairs = new MessagePairs(world);
        List<List<List<Integer>>> sends = pairs.byPeer(false);
        List<List<List<Integer>>> receives = pairs.byPeer(true);
        for (int from = 0; from < world.size(); from++) {
            for (int to = 0; to < world.size(); to++) {
                pairs.match(from, to, sends.get(from).get(to), receives.get(to).get(from));
            }
        }
        return pairs;
    }

    /** The peer's step that receives what this step sends, or the other way round. */
    int partnerOf(int rank, int step) {
        return partners[rank][step];
    }

    /** For each rank and peer, the rank's sends to it or receives from it, in order. */
    private List<List<List<Integer>>> byPeer(boolean receives) {
        List<List<List<Integer>>> result = new ArrayList<>();
        for (Plan plan : world.plans()) {
            List<List<Integer>> ofRank = new ArrayList<>();
            for (int peer = 0; peer < world.size(); peer++) {
                ofRank.add(new ArrayList<>());
            }
            for (int i = 0; i < plan.stepCount(); i++) {
                Plan.Step step = plan.step(i);
                if (!step.isLocal() && step.isReceive() == receives) {
                    ofRank.get(step.peer()).add(i);
                }
            }
            result.add(ofRank);
        }
        return result;
    }

    private void match(int from, int to, List<Integer> sends, List<Integer> receives) {
        for (int ordinal = 0; ordinal < sends.size() || ordinal < receives.size(); ordinal++) {
            if (ordinal >= receives.size()) {
                throw world.fault(
                        from, sends.get(ordinal), "rank %d does not receive it".formatted(to));
            }
            int receive = receives.get(ordinal);
            if (ordinal >= sends.size()) {
                throw world.fault(to, receive, "rank %d does not send it".formatted(from));
            }
            requireNumber(from, sends.get(ordinal), ordinal);
            requireNumber(to, receive, ordinal);
            if (world.plan(to).receiveStep(from, ordinal) != receive) {
                throw world.fault(to, receive, "not found as message %d".formatted(ordinal));
            }
            requireEqual(from, sends.get(ordinal), to, receive);
            partners[to][receive] = sends.get(ordinal);
            partners[from][sends.get(ordinal)] = receive;
        }
    }

    private void requireNumber(int rank, int step, int ordinal) {
        if (world.plan(rank).ordinal(step) != ordinal) {
            throw world.fault(
                    rank,
                    step,
                    "message %d is numbered %d".formatted(ordinal, world.plan(rank).ordinal(step)));
        }
    }

    private void requireEqual(int from, int send, int to, int receive) {
        Plan.Step sent = world.plan(from).step(send);
        Plan.Step received = world.plan(to).step(receive);
        if (sent.round() != received.round()) {
            throw world.fault(
                    to,
                    receive,
                    "received in round %d, but rank %d sends it in round %d"
                            .formatted(received.round(), from, sent.round()));
        }
        List<Integer> leaving = shares(world.plan(from), World.range(sent.source()));
        List<Integer> arriving = shares(world.plan(to), World.range(received.target()));
        if (!leaving.equals(arriving)) {
            throw world.fault(
                    to,
                    receive,
                    "receives shares %s, but rank %d sends shares %s"
                            .formatted(arriving, from, leaving));
        }
    }

    private static List<Integer> shares(Plan plan, Range range) {
        List<Integer> shares = new ArrayList<>(range.slots());
        for (int i = 0; i < range.slots(); i++) {
            shares.add(plan.slotShare(range.buffer(), range.firstSlot() + i));
        }
        return shares;
    }
}
