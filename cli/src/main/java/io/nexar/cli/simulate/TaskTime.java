package io.nexar.cli.simulate;

import io.nexar.cli.simulate.Simulation.Piece;
import io.nexar.cli.simulate.Simulation.Task;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.Range;
import io.nexar.collective.plan.StepKind;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.collective.plan.cost.Topology;

import java.util.Arrays;
import java.util.Objects;

/** How long the tasks of a {@link Simulation} keep a rank busy, in nanoseconds. */
final class TaskTime {
    private final Topology topology;
    private final CostModel model;
    private final SimulatedRank[] ranks;

    TaskTime(Topology topology, CostModel model, SimulatedRank[] ranks) {
        this.topology = topology;
        this.model = model;
        this.ranks = ranks;
    }

    /** Of a task that begins now: what it comes to is then in the caches. */
    double nanos(SimulatedRank rank, Task task) {
        Piece piece = task.piece();
        return switch (task.doing()) {
            case BEGIN -> model.work().beginNanos(rank.steps(piece));
            case WORK, USE_HELD -> workNanos(rank, piece);
            case TAKE_IN -> arrivalNanos(rank, piece) + workNanos(rank, piece);
            case HOLD ->
                    arrivalNanos(rank, piece)
                            + rank.pieceBytes(piece) * model.work().copyByteNanos();
            case HEAR_BACK -> model.link(LinkClass.JVM).messageNanos(); // only there one lends
            case SEND -> sendNanos(rank, piece);
        };
    }

    /** Whether both ends of a link inside a JVM are on one core, so that nothing has to travel. */
    boolean isNear(SimulatedRank rank, Piece piece) {
        int peer = rank.step(piece).peer();
        return linkOf(rank, piece) == LinkClass.JVM && rank.core() == ranks[peer].core();
    }

    private LinkClass linkOf(SimulatedRank rank, Piece piece) {
        return topology.between(rank.number(), rank.step(piece).peer());
    }

    private double workNanos(SimulatedRank rank, Piece piece) {
        Plan.Step step = rank.step(piece);
        double nanos = rank.pieceBytes(piece) * opNanos(step);
        if (step.kind() == StepKind.SCALE) {
            return nanos; // nothing but for AVG
        }
        for (Range range : Arrays.asList(step.source(), step.second())) {
            if (range != null && !range.equals(step.target())) {
                nanos += rank.readNanos(rank, piece, range);
            }
        }
        return step.target() == null ? nanos : nanos + rank.writeNanos(piece, step.target());
    }

    private double opNanos(Plan.Step step) {
        return switch (step.kind()) {
            case SEND, SCALE -> 0;
            case RECEIVE, COPY -> model.work().copyByteNanos();
            case RECEIVE_REDUCE, REDUCE, COMBINE -> model.work().reduceByteNanos();
        };
    }

    private double sendNanos(SimulatedRank rank, Piece piece) {
        LinkClass link = linkOf(rank, piece);
        double nanos = model.link(link).messageNanos();
        if (link == LinkClass.JVM) {
            return nanos; // its receiver is shown where it lies
        }
        return nanos
                + rank.pieceBytes(piece) * model.link(link).byteNanos()
                + rank.readNanos(rank, piece, Objects.requireNonNull(rank.step(piece).source()));
    }

    private double arrivalNanos(SimulatedRank rank, Piece piece) {
        LinkClass link = linkOf(rank, piece);
        double nanos = model.link(link).messageNanos();
        if (link != LinkClass.JVM) {
            return nanos + rank.pieceBytes(piece) * model.link(link).byteNanos();
        }
        SimulatedRank sender = ranks[rank.step(piece).peer()];
        Range shown = Objects.requireNonNull(sender.step(rank.sent(piece)).source());
        return nanos + rank.readNanos(sender, piece, shown);
    }
}
