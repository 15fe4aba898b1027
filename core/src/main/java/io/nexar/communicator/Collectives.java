package io.nexar.communicator;

import io.nexar.Algorithm;
import io.nexar.DataBuffer;
import io.nexar.Partition;
import io.nexar.ReduceOp;
import io.nexar.collective.AlgorithmPolicy;
import io.nexar.collective.CollectiveCall;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.PlanRequest;
import io.nexar.reduce.Kernel;
import io.nexar.reduce.Kernels;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/** Collectives: checks the buffers of each form, picks plan and kernel, starts the engine. */
final class Collectives {
    private final CommunicatorCore core;
    private final CollectiveCall call = new CollectiveCall();

    Collectives(CommunicatorCore core) {
        this.core = core;
    }

    CollectiveSpec broadcast(DataBuffer buffer, int root) {
        Arguments.requireRank("root", root, core.size());
        if (core.rank() != root) {
            Arguments.requireWritable(buffer);
        }
        return new CollectiveSpec(
                Operation.BROADCAST, root, buffer, buffer, buffer.count(), null, null);
    }

    CollectiveSpec allReduce(DataBuffer send, DataBuffer receive, ReduceOp op) {
        Arguments.requireReducible(send, op);
        Arguments.requireWritable(receive);
        Arguments.requireSameType(send, receive);
        Arguments.requireCount("a receive buffer", receive, send.count());
        Arguments.requireSameOrApart(send, receive);
        return new CollectiveSpec(Operation.ALL_REDUCE, 0, send, receive, send.count(), op, null);
    }

    CollectiveSpec allGather(DataBuffer send, DataBuffer receive) {
        Arguments.requireWritable(receive);
        Arguments.requireSameType(send, receive);
        long total = Math.multiplyExact(send.count(), core.size());
        Arguments.requireCount("a receive buffer", receive, total);
        Arguments.requireOwnShareOrApart(send, receive, send.count() * core.rank());
        return new CollectiveSpec(Operation.ALL_GATHER, 0, send, receive, total, null, null);
    }

    CollectiveSpec allGather(DataBuffer send, DataBuffer receive, long[] counts) {
        Arguments.requireWritable(receive);
        Arguments.requireSameType(send, receive);
        long[] shares = counts.clone();
        long offset = Arguments.shareOffset(shares, core.rank(), core.size());
        Arguments.requireCount("a send buffer", send, shares[core.rank()]);
        Arguments.requireCount("a receive buffer", receive, Arguments.sum(shares));
        Arguments.requireOwnShareOrApart(send, receive, offset);
        return new CollectiveSpec(
                Operation.ALL_GATHER, 0, send, receive, receive.count(), null, shares);
    }

    CollectiveSpec allGather(DataBuffer buffer) {
        Arguments.requireWritable(buffer);
        DataBuffer own = Arguments.share(buffer, core.rank(), core.size(), 1);
        return new CollectiveSpec(Operation.ALL_GATHER, 0, own, buffer, buffer.count(), null, null);
    }

    CollectiveSpec reduceScatter(DataBuffer send, DataBuffer receive, ReduceOp op) {
        Arguments.requireReducible(send, op);
        Arguments.requireWritable(receive);
        Arguments.requireSameType(send, receive);
        DataBuffer own = Arguments.share(send, core.rank(), core.size(), op.itemWidth());
        Arguments.requireCount("a receive buffer", receive, own.count());
        long offset = shareOffset(send, op.itemWidth());
        Arguments.requireOwnShareOrApart(receive, send, offset);
        return new CollectiveSpec(
                Operation.REDUCE_SCATTER, 0, send, receive, send.count(), op, null);
    }

    CollectiveSpec reduceScatter(DataBuffer send, DataBuffer receive, long[] counts, ReduceOp op) {
        Arguments.requireReducible(send, op);
        Arguments.requireWritable(receive);
        Arguments.requireSameType(send, receive);
        long[] shares = counts.clone();
        long offset = Arguments.shareOffset(shares, core.rank(), core.size());
        Arguments.requireCount("a send buffer", send, Arguments.sum(shares));
        Arguments.requireCount("a receive buffer", receive, shares[core.rank()]);
        Arguments.requireOwnShareOrApart(receive, send, offset);
        Arguments.requireWholeItems(shares, op);
        return new CollectiveSpec(
                Operation.REDUCE_SCATTER, 0, send, receive, send.count(), op, shares);
    }

    CollectiveSpec reduceScatter(DataBuffer buffer, ReduceOp op) {
        Arguments.requireReducible(buffer, op);
        Arguments.requireWritable(buffer);
        DataBuffer own = Arguments.share(buffer, core.rank(), core.size(), op.itemWidth());
        return new CollectiveSpec(
                Operation.REDUCE_SCATTER, 0, buffer, own, buffer.count(), op, null);
    }

    /** Runs it and waits for its end. */
    void run(CollectiveSpec spec, ViewOptions options) {
        start(spec, options, () -> null, Thread.currentThread()).await();
    }

    /** Starts it. What can be refused is refused before a byte moves. */
    <T> PendingCollective<T> start(CollectiveSpec spec, ViewOptions options, Supplier<T> result) {
        return start(spec, options, result, null);
    }

    private <T> PendingCollective<T> start(
            CollectiveSpec spec, ViewOptions options, Supplier<T> result, @Nullable Thread caller) {
        ReduceOp reduction = spec.reduction();
        DataBuffer typed = spec.typed();
        Kernel kernel =
                reduction == null || typed == null
                        ? null
                        : Kernels.find(reduction, typed.dataType());
        Plan plan = plan(spec, options.algorithm());
        String callSite = core.settings().plans().isConfirming() ? CallSites.here() : null;
        core.progress().lock();
        try {
            String name = spec.name();
            core.requireOpen(name);
            long sequence = core.engine().nextSequence();
            PendingCollective<T> pending =
                    new PendingCollective<>(
                            core, core.context(name, sequence), options.timeout(), result, caller);
            core.requireUnbroken(pending.context());
            fill(spec, plan, kernel, sequence);
            call.callSite(callSite);
            core.engine().start(call, pending);
            core.fabric().flush();
            return pending;
        } finally {
            core.progress().unlock();
        }
    }

    private Plan plan(CollectiveSpec spec, Algorithm forced) {
        DataBuffer typed = spec.typed();
        ReduceOp reduction = spec.reduction();
        Algorithm algorithm =
                core.settings()
                        .algorithms()
                        .choose(
                                forced,
                                new AlgorithmPolicy.Question(
                                        spec.operation(),
                                        spec.count() / itemWidth(reduction),
                                        typed == null ? 0 : spec.count() * typed.dataType().bytes(),
                                        core.size(),
                                        reduction != null && !reduction.isCommutative()));
        return core.settings()
                .plans()
                .plan(
                        new PlanRequest(
                                spec.operation(),
                                algorithm,
                                core.rank(),
                                core.size(),
                                spec.root()));
    }

    private void fill(CollectiveSpec spec, Plan plan, @Nullable Kernel kernel, long sequence) {
        call.reset(plan, sequence).calledAs(spec.name());
        DataBuffer typed = spec.typed();
        ReduceOp reduction = spec.reduction();
        if (typed != null) {
            call.elements(typed.dataType(), spec.count())
                    .memory(segment(spec.input()), segment(spec.output()));
        }
        if (reduction != null && kernel != null) {
            call.reduction(reduction, kernel);
        }
        long[] shares = spec.shares();
        int width = itemWidth(reduction);
        if (shares == null) {
            call.evenShares(spec.count() / width);
        } else {
            long[] items = shares.clone();
            for (int i = 0; i < items.length; i++) {
                items[i] /= width;
            }
            call.shares(items);
        }
    }

    private long shareOffset(DataBuffer whole, int itemWidth) {
        return new Partition(whole.count() / itemWidth, core.size()).offset(core.rank())
                * itemWidth;
    }

    private static int itemWidth(@Nullable ReduceOp reduction) {
        return reduction == null ? 1 : reduction.itemWidth();
    }

    private static MemorySegment segment(@Nullable DataBuffer buffer) {
        return buffer == null ? MemorySegment.NULL : buffer.segment();
    }
}
