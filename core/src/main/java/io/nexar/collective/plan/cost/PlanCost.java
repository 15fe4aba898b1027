package io.nexar.collective.plan.cost;

import io.nexar.Algorithm;
import io.nexar.collective.plan.Placement;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.collective.plan.PlanRequest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What one algorithm costs among given ranks, for any count: an estimate from the plans themselves,
 * without running them.
 *
 * <p>Round after round it takes the rank that works longest, and one latency. That is the way of
 * one slice. The others follow it as closely as the busiest rank, host or wire lets them, and as
 * the number of slices in flight does. In a ring only the messages that cross a border take its
 * latency, so there the mean is taken. Where nobody passes on what it has received, all messages
 * travel at once. Which ranks are looked at is {@link Sample}'s.
 */
public final class PlanCost {
    private final Topology topology;
    private final Sample sample;
    private final boolean isRing;

    /** Of the host with the most. */
    private final int ranksOnHost;

    private final List<Round> rounds = new ArrayList<>();
    private boolean isPassingOn;
    private int shares = 1;
    private int stepsMax;
    private Footprint footprint = Footprint.NONE;

    /**
     * So many rounds in a row in which each rank does the same as in the one before.
     *
     * @param isSeen whether these ranks work in it; else others do, as these did before
     */
    private record Round(Work[] works, int times, boolean isSeen) {}

    private PlanCost(Topology topology, Algorithm algorithm) {
        this.topology = topology;
        this.sample = Sample.of(topology.placement());
        this.ranksOnHost = mostOnAHost(topology.placement());
        this.isRing = algorithm == Algorithm.RING;
    }

    private static int mostOnAHost(Placement placement) {
        return IntStream.range(0, placement.hosts())
                .map(host -> placement.ranksOn(host).length)
                .max()
                .orElseThrow();
    }

    /** Of an operation with a root, that of rank 0. */
    public static PlanCost of(PlanCatalog.Entry entry, Topology topology) {
        PlanCost cost = new PlanCost(topology, entry.algorithm());
        cost.follow(entry);
        return cost;
    }

    /** How long a call of a vector of so many bytes takes, in nanoseconds. */
    public double nanos(CostModel model, Slicing slicing, double bytes) {
        double shareBytes = bytes / shares;
        long slices = slicing.slices(shareBytes);
        MemoryTime memory = memory(model, slicing, bytes);
        SliceTime slice = new SliceTime(model, slicing, shareBytes / slices, slices > 1, memory);
        Passage passage = new Passage();
        for (Round round : rounds) {
            passage.add(slice, round);
        }
        double busy = Math.max(passage.busy(), onSharedCores(model, passage.works));
        double between = Math.max(busy, passage.longestStay() / slicing.inFlight());
        return beginning(model) + passage.end() + (slices - 1) * between;
    }

    /** On a core that ranks share they begin one after the other; then it goes round once more. */
    private double beginning(CostModel model) {
        double turns = model.host().ranksOnCore(ranksOnHost);
        return turns * model.work().beginNanos(stepsMax)
                + (turns > 1 ? turns : 0) * model.host().switchNanos();
    }

    /** Whether ranks share cores. */
    public boolean isCrowded(CostModel model) {
        return model.host().ranksOnCore(ranksOnHost) > 1;
    }

    /** What it costs besides to work on a byte of such a vector, since caches are too small. */
    private MemoryTime memory(CostModel model, Slicing slicing, double bytes) {
        CacheCost caches = model.host().caches();
        double onCore = model.host().ranksOnCore(ranksOnHost);
        double shareBytes = bytes / shares;
        double call = footprint.bytes(shareBytes, slicing);
        double window = footprint.windowBytes(shareBytes, slicing);
        return new MemoryTime(
                caches.byteNanos(onCore * call, ranksOnHost * call),
                caches.byteNanos(onCore * window, ranksOnHost * window),
                1 - CacheCost.missing(onCore * window, caches.coreBytes()));
    }

    /** One slice's way through the rounds. */
    private final class Passage {
        private final double[] works = new double[sample.size()];
        private final double[] begins = new double[sample.size()];
        private final double[] ends = new double[sample.size()];
        private double wire;
        private double now;
        private double latency;

        Passage() {
            Arrays.fill(begins, -1);
        }

        void add(SliceTime slice, Round round) {
            double begin = now;
            now += round.times * work(slice, round);
            if (isPassingOn) {
                now += round.times * latency(slice, round);
            } else {
                latency = Math.max(latency, latency(slice, round));
            }
            wire += round.isSeen ? round.times * slice.wire(round.works, sample) : 0;
            for (int i = 0; round.isSeen && i < works.length; i++) {
                Work work = round.works[i];
                works[i] += round.times * (slice.sending(work) + slice.receiving(work));
                if (!work.isIdle()) {
                    begins[i] = begins[i] < 0 ? begin : begins[i];
                    ends[i] = now;
                }
            }
        }

        double end() {
            return now + latency;
        }

        /** How long the busiest rank or wire has to do with a slice. */
        double busy() {
            return Math.max(wire, Arrays.stream(works).max().orElse(0));
        }

        /** How long a slice takes a place on a rank, from the first step there to the last. */
        double longestStay() {
            double longest = 0;
            for (int i = 0; i < works.length; i++) {
                longest = Math.max(longest, ends[i] - Math.max(0, begins[i]));
            }
            return longest + latency;
        }
    }

    /** How many steps the longest of the plans has that were looked at. */
    public int stepsMax() {
        return stepsMax;
    }

    /** What the busiest of the ranks looked at sends. */
    public Traffic traffic() {
        int busyRounds = 0;
        long[] messages = new long[sample.size()];
        long[] sent = new long[sample.size()];
        long[] sentAway = new long[sample.size()];
        for (Round round : rounds) {
            boolean isBusy = !round.isSeen;
            for (int i = 0; round.isSeen && i < round.works.length; i++) {
                for (LinkClass link : LinkClass.values()) {
                    int c = link.ordinal();
                    long sharesSent = (long) round.times * round.works[i].sharesSent[c];
                    messages[i] += (long) round.times * round.works[i].messagesSent[c];
                    sent[i] += sharesSent;
                    sentAway[i] += link.leavesHost() ? sharesSent : 0;
                    isBusy |= round.works[i].messagesSent[c] > 0;
                }
            }
            busyRounds += isBusy ? round.times : 0;
        }
        return new Traffic(
                busyRounds,
                most(messages),
                most(sent) / (double) shares,
                most(sentAway) / (double) shares);
    }

    private static long most(long[] numbers) {
        return Arrays.stream(numbers).max().orElse(0);
    }

    /** What the busiest ranks and the wire do. */
    private double work(SliceTime slice, Round round) {
        double sending = 0;
        double receiving = 0;
        double[] work = new double[sample.size()];
        for (int i = 0; i < sample.size(); i++) {
            double out = slice.sending(round.works[i]);
            double in = slice.receiving(round.works[i]);
            work[i] = out + in;
            sending = Math.max(sending, out);
            receiving = Math.max(receiving, in);
        }
        return Math.max(sending + receiving, onSharedCores(slice.model(), work))
                + slice.wire(round.works, sample);
    }

    private double latency(SliceTime slice, Round round) {
        double most = 0;
        double sum = 0;
        double ranks = 0;
        for (int i = 0; i < sample.size(); i++) {
            double own = slice.latency(round.works[i]);
            most = Math.max(most, own);
            if (own > 0) {
                sum += own * sample.weights()[i];
                ranks += sample.weights()[i];
            }
        }
        double travel = isRing && ranks > 0 ? sum / ranks : most;
        return travel + (most > 0 ? switching(slice.model().host()) : 0);
    }

    /**
     * A core goes round among its ranks, also those that wait: what comes waits for half a round.
     */
    private double switching(HostCost host) {
        double turns = host.ranksOnCore(ranksOnHost);
        return turns > 1 ? host.switchNanos() * turns / 2 : 0;
    }

    /** What the ranks of the busiest host need of its cores, if they share them. */
    private double onSharedCores(CostModel model, double[] nanosOfRanks) {
        if (model.host().cores() == 0) {
            return 0;
        }
        double most = 0;
        for (int host = 0; host < sample.hosts(); host++) {
            double sum = 0;
            double ranks = 0;
            for (int i = sample.hostBegins()[host]; i < sample.hostBegins()[host + 1]; i++) {
                sum += nanosOfRanks[i] * sample.weights()[i];
                ranks += sample.weights()[i];
            }
            most = Math.max(most, sum / Math.min(ranks, model.host().cores()));
        }
        return most;
    }

    /** Plan by plan, since those of a large world are long; what is kept of them is short. */
    private void follow(PlanCatalog.Entry entry) {
        List<List<Stretch>> ofRanks = new ArrayList<>();
        for (int rank : sample.ranks()) {
            Plan plan =
                    entry.plan(
                                    PlanRequest.of(
                                            entry.operation(),
                                            entry.algorithm(),
                                            rank,
                                            0,
                                            topology.placement()))
                            .apart();
            shares = plan.shares();
            stepsMax = Math.max(stepsMax, plan.stepCount());
            footprint = footprint.max(Footprint.of(plan));
            ofRanks.add(stretches(plan, rank));
            isPassingOn |= Forwarding.isIn(plan);
        }
        join(ofRanks);
    }

    /** What one rank does in so many rounds in a row. */
    private record Stretch(Work work, int rounds) {}

    private List<Stretch> stretches(Plan plan, int rank) {
        List<Stretch> stretches = new ArrayList<>();
        Touches touches = Touches.of(plan);
        int next = 0;
        for (int round = 0; round < plan.rounds(); round++) {
            Work work = new Work();
            while (next < plan.stepCount() && plan.step(next).round() == round) {
                work.sharesFresh += touches.fresh()[next];
                work.sharesAgain += touches.again()[next];
                add(work, plan.step(next++), rank);
            }
            Stretch last = stretches.isEmpty() ? null : stretches.getLast();
            if (last != null && last.work.isSameAs(work)) {
                stretches.set(stretches.size() - 1, new Stretch(last.work, last.rounds + 1));
            } else {
                stretches.add(new Stretch(work, 1));
            }
        }
        return stretches;
    }

    private boolean isWhole() {
        return sample.size() == topology.placement().size();
    }

    private void join(List<List<Stretch>> ofRanks) {
        int[] index = new int[ofRanks.size()];
        int[] left = ofRanks.stream().mapToInt(list -> list.getFirst().rounds).toArray();
        while (index[0] < ofRanks.getFirst().size()) {
            int times = Arrays.stream(left).min().orElseThrow();
            Work[] works = new Work[index.length];
            for (int i = 0; i < works.length; i++) {
                works[i] = ofRanks.get(i).get(index[i]).work;
                left[i] -= times;
                if (left[i] == 0 && ++index[i] < ofRanks.get(i).size()) {
                    left[i] = ofRanks.get(i).get(index[i]).rounds;
                }
            }
            boolean isSeen = isWhole() || Arrays.stream(works).anyMatch(work -> !work.isIdle());
            Work[] like = isSeen || rounds.isEmpty() ? works : rounds.getLast().works;
            rounds.add(new Round(like, times, isSeen));
        }
    }

    private void add(Work work, Plan.Step step, int rank) {
        if (step.isLocal()) {
            work.addLocal(step);
        } else {
            work.add(step, topology.between(rank, step.peer()));
        }
    }
}
