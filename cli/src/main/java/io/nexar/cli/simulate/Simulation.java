package io.nexar.cli.simulate;

import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.collective.plan.cost.LinkCost;
import io.nexar.collective.plan.cost.MemoryTime;
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
 * <p>A rank takes the first task ({@link Doing}), works on one piece of a step, and looks again. A
 * piece that was sent passes the wire when that is free and travels for the link's latency; its
 * receiver takes it in, and holds it if its step is not ready. Where a host has fewer cores than
 * ranks, a rank keeps its core while it has something to do; the next one has it after a switch.
 * Credit never runs out here, and no rank makes its call late.
 */
final class Simulation {
    /** Of an event: a rank is done with a task. */
    private static final int OVER = -1;

    private final Topology topology;
    private final CostModel model;
    private final Slicing slicing;
    private final SimulatedRank[] ranks;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final double[] wireOutFree;
    private final double[] wireInFree;
    private final int[] freeCores;
    private final List<ArrayDeque<SimulatedRank>> waitingForCore;
    private MemoryTime memory = new MemoryTime(0, 0);
    private long eventCount;
    private double now;

    /**
     * What happens next.
     *
     * @param task that is over; or a piece comes
     * @param sendStep of the sender of the piece that comes
     */
    private record Event(double nanos, long number, SimulatedRank rank, Task task, int sendStep)
            implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Double.compare(nanos, other.nanos);
            return byTime == 0 ? Long.compare(number, other.number) : byTime;
        }
    }

    /** A piece of a step of a slice. */
    record Piece(long slice, int step) {}

    /** What a rank does with a piece, what it does first first. */
    enum Doing {
        WORK,
        USE_HELD,
        HEAR_BACK,
        SEND,
        TAKE_IN,
        HOLD,
        BEGIN
    }

    record Task(Doing doing, Piece piece) {}

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
     * @param memoryTime what it costs besides to get at bytes
     * @return when the last rank is done, in nanoseconds
     */
    double run(double shareBytes, long slices, MemoryTime memoryTime) {
        memory = memoryTime;
        for (SimulatedRank rank : ranks) {
            rank.prepare(new SliceShape(shareBytes, slices, slicing.pieceBytes()));
            start(rank);
        }
        Event event = events.poll();
        while (event != null) {
            now = event.nanos;
            happen(event.rank, event.task, event.sendStep);
            if (!event.rank.isWorking()) {
                start(event.rank);
            }
            event = events.poll();
        }
        for (SimulatedRank rank : ranks) {
            rank.requireDone();
        }
        return now;
    }

    private void happen(SimulatedRank rank, Task task, int sendStep) {
        if (sendStep == OVER) {
            finish(rank, task);
        } else if (task.doing == Doing.HEAR_BACK) {
            rank.hearBack(task.piece);
        } else {
            rank.arrive(task.piece, sendStep);
        }
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
        Task task = rank.takeWork();
        post(now + switchNanos + nanos(rank, task), rank, task, OVER);
    }

    private double nanos(SimulatedRank rank, Task task) {
        if (task.doing == Doing.BEGIN) {
            return model.work().callNanos();
        }
        Plan.Step step = rank.step(task.piece);
        double bytes = rank.pieceBytes(task.piece);
        return switch (task.doing) {
            case WORK, USE_HELD -> bytes * opNanos(step) + rank.memoryNanos(task.piece, memory);
            case TAKE_IN ->
                    arrivalNanos(rank, task.piece, linkOf(rank, step))
                            + bytes * opNanos(step)
                            + rank.memoryNanos(task.piece, memory);
            case HOLD ->
                    arrivalNanos(rank, task.piece, linkOf(rank, step))
                            + bytes * model.work().copyByteNanos();
            case BEGIN, HEAR_BACK -> 0;
            case SEND -> sendNanos(rank, task.piece, linkOf(rank, step), bytes);
        };
    }

    private LinkClass linkOf(SimulatedRank rank, Plan.Step step) {
        return topology.between(rank.number(), step.peer());
    }

    private double opNanos(Plan.Step step) {
        return switch (step.kind()) {
            case SEND, SCALE -> 0;
            case RECEIVE, COPY -> model.work().copyByteNanos();
            case RECEIVE_REDUCE, REDUCE, COMBINE -> model.work().reduceByteNanos();
        };
    }

    private double sendNanos(SimulatedRank rank, Piece piece, LinkClass link, double bytes) {
        boolean isShown = link == LinkClass.JVM;
        double fresh = isShown ? 0 : rank.memoryNanos(piece, memory);
        boolean isInput = link.isLending(rank.step(piece));
        return model.link(link).messageNanos()
                + (isInput ? 0 : bytes * model.link(link).byteNanos())
                + fresh;
    }

    /** Of a piece that is shown its receiver where it lies, the receiver is the first to read. */
    private double arrivalNanos(SimulatedRank rank, Piece piece, LinkClass link) {
        double fresh = 0;
        if (link == LinkClass.JVM) {
            SimulatedRank sender = ranks[rank.step(piece).peer()];
            fresh = sender.memoryNanos(rank.sent(piece), memory);
        }
        return model.link(link).messageNanos()
                + rank.pieceBytes(piece) * model.link(link).byteNanos()
                + fresh;
    }

    private void finish(SimulatedRank rank, Task task) {
        boolean isLent = false;
        if (task.doing == Doing.SEND || task.doing == Doing.TAKE_IN || task.doing == Doing.HOLD) {
            isLent = pass(rank, task);
        }
        rank.finish(task, isLent);
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

    private boolean pass(SimulatedRank rank, Task task) {
        Piece piece = task.piece;
        Plan.Step step = rank.step(piece);
        boolean isLent = topology.between(rank.number(), step.peer()).lends(rank.pieceBytes(piece));
        if (task.doing == Doing.SEND) {
            send(rank, piece, step);
        } else if (isLent) {
            giveBack(rank, piece, step);
        }
        return isLent;
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
        Task arrival = new Task(Doing.TAKE_IN, new Piece(piece.slice, receive));
        post(end + link.latencyNanos(), receiver, arrival, piece.step);
    }

    private void giveBack(SimulatedRank rank, Piece piece, Plan.Step step) {
        double latency = model.link(topology.between(rank.number(), step.peer())).latencyNanos();
        Piece sent = rank.sent(piece);
        post(now + latency, ranks[step.peer()], new Task(Doing.HEAR_BACK, sent), sent.step);
    }

    private void post(double nanos, SimulatedRank rank, Task task, int sendStep) {
        events.add(new Event(nanos, eventCount++, rank, task, sendStep));
    }
}
