package io.nexar.cli.simulate;

import io.nexar.Algorithm;
import io.nexar.cli.simulate.SimulatedCache.Block;
import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.collective.plan.PlanRequest;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.collective.plan.cost.LinkCost;
import io.nexar.collective.plan.cost.Slicing;
import io.nexar.collective.plan.cost.Topology;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/**
 * One call on all ranks, event by event: the plans' steps in the engine's order, slice by slice and
 * piece by piece, on ranks that do one thing at a time.
 *
 * <p>A rank takes the first task ({@link Doing}), works on one piece of a step, and looks again. A
 * piece that was sent passes the wire when that is free and travels for the link's latency; its
 * receiver takes it in, and holds it if its step is not ready. Credit never runs out here.
 *
 * <p>All ranks make the call at once. Where a host has fewer cores than ranks they can't: there
 * they come from one barrier and go on to another, and what counts is what the call takes the
 * slowest of them, each by its own clock.
 */
final class Simulation {
    /** Of an event: a rank is done with a task. */
    private static final int OVER = -1;

    private final Topology topology;
    private final CostModel model;
    private final Slicing slicing;
    private final SimulatedRank[] ranks;
    private final TaskTime time;
    private final List<Plan> plans;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final double[] wireOutFree;
    private final double[] wireInFree;
    private final boolean isCrowded;
    private long eventCount;
    private double now;

    /**
     * What happens next.
     *
     * @param task that is over, or a piece that comes; null: an idle core comes round
     * @param sendStep of the sender of the piece that comes
     */
    private record Event(
            double nanos, long number, SimulatedRank rank, @Nullable Task task, int sendStep)
            implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Double.compare(nanos, other.nanos);
            return byTime == 0 ? Long.compare(number, other.number) : byTime;
        }
    }

    /** A piece of a step of a slice of a rank's call. */
    record Piece(int call, long slice, int step) {}

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

    /**
     * @param plans of all ranks
     * @param seating where there are more ranks than cores
     * @param memories of the hosts, with what is in their caches
     */
    Simulation(
            List<Plan> plans,
            Forecast.Setting setting,
            Seating seating,
            List<SimulatedMemory> memories) {
        this.plans = plans;
        this.topology = setting.topology();
        this.model = setting.model();
        this.slicing = setting.slicing();
        int hosts = topology.placement().hosts();
        this.wireOutFree = new double[hosts];
        this.wireInFree = new double[hosts];
        this.ranks = new SimulatedRank[plans.size()];
        Arrays.setAll(ranks, SimulatedRank::new);
        this.time = new TaskTime(topology, model, ranks);
        this.isCrowded =
                SimulatedCore.seat(ranks, topology.placement(), model.host(), seating, memories);
    }

    /** How many pieces of steps a call has, more or less: what it takes to simulate it. */
    static long events(List<Plan> plans, long slices) {
        return plans.stream().mapToLong(Plan::stepCount).sum() * slices;
    }

    /**
     * Runs a call.
     *
     * @param shareBytes of a slice
     * @return how long the call takes the slowest rank, in nanoseconds
     */
    double run(double shareBytes, long slices) {
        SliceShape shape = new SliceShape(shareBytes, slices, slicing.pieceBytes());
        for (SimulatedRank rank : ranks) {
            Plan plan = plans.get(rank.number());
            if (isCrowded) {
                addBarrier(rank);
                rank.add(plan, shape, slicing.inFlight());
                addBarrier(rank);
            } else {
                rank.add(plan, shape, slicing.inFlight());
            }
            start(rank);
        }
        Event event = events.poll();
        while (event != null) {
            now = event.nanos;
            if (event.task != null) {
                happen(event.rank, event.task, event.sendStep);
            }
            start(event.rank);
            event = events.poll();
        }
        int timed = isCrowded ? 1 : 0;
        return Arrays.stream(ranks).mapToDouble(rank -> rank.callNanos(timed)).max().orElse(0);
    }

    /**
     * Every rank writes its input anew, as before each call.
     *
     * @param restBytes of a slot that is not simulated
     */
    void writeInputs(double shareBytes, long slices, double restBytes) {
        for (SimulatedRank rank : ranks) {
            int slots = plans.get(rank.number()).slots(BufferRole.INPUT);
            for (long slice = 0; slice < slices; slice++) {
                for (int slot = 0; slot < slots; slot++) {
                    rank.write(new Block(rank.number(), BufferRole.INPUT, slot, slice), shareBytes);
                }
            }
            Block rest = new Block(rank.number(), BufferRole.INPUT, 0, slices);
            rank.write(rest, slots * restBytes);
        }
    }

    private void addBarrier(SimulatedRank rank) {
        PlanRequest request =
                PlanRequest.of(
                        Operation.BARRIER,
                        Algorithm.DISSEMINATION,
                        rank.number(),
                        0,
                        topology.placement());
        Plan barrier = PlanCatalog.entry(request.operation(), request.algorithm()).plan(request);
        rank.add(barrier, new SliceShape(0, 1, slicing.pieceBytes()), slicing.inFlight());
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

    /** Lets a rank's core, if it is idle, begin what is next: now, or once it comes round. */
    private void start(SimulatedRank rank) {
        SimulatedCore core = rank.core();
        if (!core.isBusy()) {
            giveTurn(core);
        }
    }

    private void giveTurn(SimulatedCore core) {
        SimulatedRank next = core.next(now);
        if (next == null) {
            return;
        }
        double turn = core.turnNanos(next, now);
        if (turn <= now) {
            core.take(next);
            work(next);
        } else {
            post(turn, next, null, OVER);
        }
    }

    private void work(SimulatedRank rank) {
        Task task = rank.takeWork(now);
        post(now + time.nanos(rank, task), rank, task, OVER);
    }

    private void finish(SimulatedRank rank, Task task) {
        boolean isLent = false;
        if (task.doing == Doing.SEND || task.doing == Doing.TAKE_IN || task.doing == Doing.HOLD) {
            isLent = pass(rank, task);
        }
        rank.finish(task, isLent, now);
        if (rank.hasWork()) {
            work(rank);
            return;
        }
        SimulatedCore core = rank.core();
        core.release(now);
        giveTurn(core);
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
        Piece received = receiver.received(rank.number(), piece, rank.ordinal(piece));
        Task arrival = new Task(Doing.TAKE_IN, received);
        double latency = time.isNear(rank, piece) ? 0 : link.latencyNanos();
        post(end + latency, receiver, arrival, piece.step);
    }

    private void giveBack(SimulatedRank rank, Piece piece, Plan.Step step) {
        LinkClass link = topology.between(rank.number(), step.peer());
        double latency = time.isNear(rank, piece) ? 0 : model.link(link).latencyNanos();
        Piece sent = rank.sent(piece);
        post(now + latency, ranks[step.peer()], new Task(Doing.HEAR_BACK, sent), sent.step);
    }

    private void post(double nanos, SimulatedRank rank, @Nullable Task task, int sendStep) {
        events.add(new Event(nanos, eventCount++, rank, task, sendStep));
    }
}
