package io.nexar.collective.plan.cost;

import io.nexar.Algorithm;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.collective.plan.PlanRequest;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What one algorithm costs among given ranks, for any count: an estimate from the plans themselves,
 * without running them.
 *
 * <p>Round after round it takes the rank that works longest, and one latency. That is the way of
 * one slice. The others follow it as closely as the busiest rank, host or wire lets them, and as
 * the number of slices in flight does. In a ring only the messages that cross a border take its
 * latency, so there the mean is taken. Which ranks are looked at is {@link Sample}'s.
 */
public final class PlanCost {
    private final Topology topology;
    private final Sample sample;
    private final boolean isRing;
    private final List<Round> rounds = new ArrayList<>();
    private int shares = 1;

    /** Rounds in which every rank does the same, and how many there are of them in a row. */
    private static final class Round {
        private final Work[] works;
        private int times = 1;

        Round(Work[] works) {
            this.works = works;
        }

        boolean isLike(Work[] others) {
            return IntStream.range(0, works.length).allMatch(i -> works[i].isSameAs(others[i]));
        }
    }

    private PlanCost(Topology topology, Algorithm algorithm) {
        this.topology = topology;
        this.sample = Sample.of(topology.placement());
        this.isRing = algorithm == Algorithm.RING;
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
        SliceTime slice = new SliceTime(model, slicing, shareBytes / slices, slices > 1);
        double busy = 0;
        double chain = 0;
        double[] total = new double[sample.size()];
        double wire = 0;
        for (Round round : rounds) {
            chain += round.times * chain(slice, round);
            wire += round.times * slice.wire(round.works, sample);
            for (int i = 0; i < sample.size(); i++) {
                total[i] +=
                        round.times
                                * (slice.sending(round.works[i]) + slice.receiving(round.works[i]));
            }
        }
        for (double ofRank : total) {
            busy = Math.max(busy, ofRank);
        }
        busy = Math.max(Math.max(busy, wire), onSharedCores(model, total));
        return model.callNanos()
                + chain
                + (slices - 1) * Math.max(busy, chain / slicing.inFlight());
    }

    private double chain(SliceTime slice, Round round) {
        double sending = 0;
        double receiving = 0;
        double latency = 0;
        double latencies = 0;
        double ranks = 0;
        double[] work = new double[sample.size()];
        for (int i = 0; i < sample.size(); i++) {
            double out = slice.sending(round.works[i]);
            double in = slice.receiving(round.works[i]);
            work[i] = out + in;
            sending = Math.max(sending, out);
            receiving = Math.max(receiving, in);
            double own = slice.latency(round.works[i]);
            latency = Math.max(latency, own);
            latencies += own * sample.weights()[i];
            ranks += sample.weights()[i];
        }
        return Math.max(sending + receiving, onSharedCores(slice.model(), work))
                + (isRing ? latencies / ranks : latency)
                + slice.wire(round.works, sample);
    }

    /** What the ranks of the busiest host need of its cores, if they share them. */
    private double onSharedCores(CostModel model, double[] nanosOfRanks) {
        if (model.cores() == 0) {
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
            most = Math.max(most, sum / Math.min(ranks, model.cores()));
        }
        return most;
    }

    private void follow(PlanCatalog.Entry entry) {
        Plan[] plans = new Plan[sample.size()];
        int[] next = new int[sample.size()];
        for (int i = 0; i < plans.length; i++) {
            plans[i] =
                    entry.plan(
                            PlanRequest.of(
                                    entry.operation(),
                                    entry.algorithm(),
                                    sample.ranks()[i],
                                    0,
                                    topology.placement()));
        }
        shares = plans[0].shares();
        for (int round = 0; round < plans[0].rounds(); round++) {
            Work[] works = new Work[plans.length];
            for (int i = 0; i < plans.length; i++) {
                works[i] = new Work();
                while (next[i] < plans[i].stepCount() && plans[i].step(next[i]).round() == round) {
                    add(works[i], plans[i].step(next[i]++), sample.ranks()[i]);
                }
            }
            if (!rounds.isEmpty() && rounds.getLast().isLike(works)) {
                rounds.getLast().times++;
            } else {
                rounds.add(new Round(works));
            }
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
