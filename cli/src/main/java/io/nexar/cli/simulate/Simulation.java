package io.nexar.cli.simulate;

import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.collective.plan.cost.LinkCost;
import io.nexar.collective.plan.cost.Slicing;
import io.nexar.collective.plan.cost.Topology;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.Stream;

/**
 * One call on all ranks, event by event: the plans' steps in the engine's order, slice by slice and
 * piece by piece, on ranks that do one thing at a time.
 *
 * <p>A rank takes the ready step with the smallest key, works on one piece of it, and looks again.
 * A piece that was sent passes the wire when that is free, travels for the link's latency, and
 * waits at its receiver until the step is ready. Where a host has fewer cores than ranks, a rank
 * keeps its core while it has something to do; the next one has it after a switch. Credit never
 * runs out here, and all ranks begin at once.
 */
final class Simulation {
    private final Topology topology;
    private final CostModel model;
    private final Slicing slicing;
    private final SimulatedRank[] ranks;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final double[] wireOutFree;
    private final double[] wireInFree;
    private final int[] freeCores;
    private final List<ArrayDeque<SimulatedRank>> waitingForCore;
    private double memoryNanos;
    private long eventCount;
    private double now;

    /**
     * What happens next.
     *
     * @param piece of a step: one more has come to {@code rank}, or its work is over
     */
    private record Event(
            double nanos, long number, SimulatedRank rank, Piece piece, boolean isArrival)
            implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Double.compare(nanos, other.nanos);
            return byTime == 0 ? Long.compare(number, other.number) : byTime;
        }
    }

    /** A piece of a step of a slice. */
    record Piece(long slice, int step) {}

    Simulation(List<Plan> plans, Topology topology, CostModel model, Slicing slicing) {
        this.topology = topology;
        this.model = model;
        this.slicing = slicing;
        int hosts = topology.placement().hosts();
        this.wireOutFree = new double[hosts];
        this.wireInFree = new double[hosts];
        this.freeCores = new int[hosts];
        int cores = model.host().cores();
        Arrays.fill(freeCores, cores == 0 ? Integer.MAX_VALUE : cores);
        this.waitingForCore =
                Stream.generate(() -> new ArrayDeque<SimulatedRank>()).limit(hosts).toList();
        this.ranks = new SimulatedRank[plans.size()];
        Arrays.setAll(ranks, rank -> new SimulatedRank(plans.get(rank), slicing.inFlight()));
    }

    /** How many pieces of steps a call has, more or less: what it takes to simulate it. */
    static long events(List<Plan> plans, long slices) {
        return plans.stream().mapToLong(Plan::stepCount).sum() * slices;
    }

    /**
     * Runs a call.
     *
     * @param shareBytes of a slice
     * @param memoryNanos what a byte costs that is worked on, because it has to come from memory
     * @return when the last rank is done, in nanoseconds
     */
    double run(double shareBytes, long slices, double memoryNanos) {
        this.memoryNanos = memoryNanos;
        for (SimulatedRank rank : ranks) {
            rank.begin(new SliceShape(shareBytes, slices, slicing.pieceBytes()));
            start(rank);
        }
        Event event = events.poll();
        while (event != null) {
            now = event.nanos;
            if (event.isArrival) {
                event.rank.arrive(event.piece);
            } else {
                finish(event.rank, event.piece);
            }
            if (!event.rank.isWorking()) {
                start(event.rank);
            }
            event = events.poll();
        }
        for (SimulatedRank rank : ranks) {
            rank.requireDone();
        }
        return now + model.work().callNanos();
    }

    /** Lets an idle rank begin its next piece, if it has one and a core. */
    private void start(SimulatedRank rank) {
        int host = topology.placement().hostOf(rank.number());
        if (!rank.hasWork()) {
            return;
        }
        if (freeCores[host] == 0) {
            if (!rank.isQueued()) {
                rank.queued(true);
                waitingForCore.get(host).add(rank);
            }
            return;
        }
        freeCores[host]--;
        work(rank, 0);
    }

    private void work(SimulatedRank rank, double switchNanos) {
        Piece piece = rank.takeWork();
        post(now + switchNanos + nanos(rank, piece), rank, piece, false);
    }

    private double nanos(SimulatedRank rank, Piece piece) {
        Plan.Step step = rank.step(piece);
        double bytes = rank.pieceBytes(piece);
        double byteNanos =
                switch (step.kind()) {
                    case SEND, SCALE -> 0;
                    case RECEIVE, COPY -> model.work().copyByteNanos() + memoryNanos;
                    case RECEIVE_REDUCE, REDUCE, COMBINE ->
                            model.work().reduceByteNanos() + memoryNanos;
                };
        if (step.isLocal()) {
            return bytes * byteNanos;
        }
        LinkClass between = topology.between(rank.number(), step.peer());
        LinkCost link = model.link(between);
        byteNanos += between.isLending(step) ? 0 : link.byteNanos();
        return link.messageNanos() + bytes * byteNanos;
    }

    private void finish(SimulatedRank rank, Piece piece) {
        Plan.Step step = rank.step(piece);
        if (!step.isLocal() && !step.isReceive()) {
            send(rank, piece, step);
        }
        rank.finish(piece);
        if (rank.hasWork()) {
            work(rank, 0);
            return;
        }
        int host = topology.placement().hostOf(rank.number());
        freeCores[host]++;
        SimulatedRank next = waitingForCore.get(host).poll();
        if (next != null) {
            next.queued(false);
            freeCores[host]--;
            work(next, model.host().switchNanos());
        }
    }

    private void send(SimulatedRank rank, Piece piece, Plan.Step step) {
        LinkClass between = topology.between(rank.number(), step.peer());
        LinkCost link = model.link(between);
        double end = now + rank.pieceBytes(piece) * link.wireByteNanos();
        if (between.leavesHost()) {
            int from = topology.placement().hostOf(rank.number());
            int to = topology.placement().hostOf(step.peer());
            double begin = Math.max(now, Math.max(wireOutFree[from], wireInFree[to]));
            end = begin + end - now;
            wireOutFree[from] = end;
            wireInFree[to] = end;
        }
        SimulatedRank receiver = ranks[step.peer()];
        int receive = receiver.receiveOf(rank.number(), rank.ordinal(piece));
        post(end + link.latencyNanos(), receiver, new Piece(piece.slice, receive), true);
    }

    private void post(double nanos, SimulatedRank rank, Piece piece, boolean isArrival) {
        events.add(new Event(nanos, eventCount++, rank, piece, isArrival));
    }
}
