package io.nexar.communicator;

import io.nexar.Algorithm;
import io.nexar.DataBuffer;
import io.nexar.ReduceOp;
import io.nexar.collective.CollectiveCall;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.PlanRequest;
import io.nexar.reduce.Kernels;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * Collectives: has each call's form checked, picks plan and kernel, starts the engine. Used by one
 * thread at a time, which {@link CommunicatorCore#enterCollective} sees to.
 */
final class Collectives {
    private final CommunicatorCore core;
    private final CollectiveSpec spec = new CollectiveSpec();
    private final CollectiveCall call = new CollectiveCall();

    Collectives(CommunicatorCore core) {
        this.core = core;
    }

    /** What the next call is to be filled into. */
    CollectiveSpec spec() {
        return spec;
    }

    /** Runs it and waits for its end. */
    void run(CollectiveSpec what, ViewOptions options) {
        start(what, options, () -> null, Thread.currentThread()).await();
    }

    /** Starts it. What can be refused is refused before a byte moves. */
    <T> PendingCollective<T> start(CollectiveSpec what, ViewOptions options, Supplier<T> result) {
        return start(what, options, result, null);
    }

    private <T> PendingCollective<T> start(
            CollectiveSpec what, ViewOptions options, Supplier<T> result, @Nullable Thread caller) {
        bind(what, options.algorithm());
        what.surround().before(call);
        core.progress().lock();
        try {
            core.requireOpen(what.name());
            long sequence = core.engine().nextSequence();
            PendingCollective<T> pending =
                    new PendingCollective<>(
                            core,
                            core.context(what.name(), sequence),
                            options.timeout(),
                            result,
                            what.surround(),
                            caller);
            core.requireUnbroken(pending.context());
            core.engine().start(call.numbered(sequence), pending);
            core.fabric().flush();
            return pending;
        } finally {
            core.progress().unlock();
        }
    }

    /** Makes the call of what was asked for, but for its number. */
    private void bind(CollectiveSpec what, Algorithm forced) {
        what.check(core.rank(), core.size());
        Algorithm algorithm = algorithm(what, forced);
        Plan plan =
                core.settings()
                        .plans()
                        .plan(
                                PlanRequest.of(
                                        what.operation(),
                                        algorithm,
                                        core.rank(),
                                        what.root(),
                                        core.algorithms().placement()));
        call.reset(plan).calledAs(what.name());
        if (core.settings().plans().isConfirming()) {
            call.callSite(CallSites.here());
        }
        DataBuffer typed = what.typed();
        if (typed != null) {
            call.elements(typed.dataType(), what.count())
                    .memory(segment(what.input()), segment(what.output()));
        }
        ReduceOp reduction = what.reduction();
        if (reduction != null && typed != null) {
            call.reduction(reduction, Kernels.find(reduction, typed.dataType()));
        }
        bindShares(what, algorithm);
    }

    private void bindShares(CollectiveSpec what, Algorithm algorithm) {
        int width = itemWidth(what.reduction());
        long[] shares = what.shares();
        long[] to = what.countsTo();
        long[] from = what.countsFrom();
        if (what.isFused()) {
            FusedBuffers fused =
                    new FusedBuffers(what.buffers(), width, core.settings().engine().pieceBytes());
            fused.bind(call);
            what.within(fused);
        } else if (to != null && from != null && Pairs.isEnoughFor(algorithm)) {
            call.pairShares(to, from);
        } else if (shares != null) {
            call.shares(inItems(shares, width));
        } else if (what.operation() == Operation.ALL_TO_ALL) {
            call.evenShares(Math.multiplyExact(what.count(), core.size()));
        } else {
            call.evenShares(what.count() / width);
        }
    }

    private Algorithm algorithm(CollectiveSpec what, Algorithm forced) {
        ReduceOp reduction = what.reduction();
        return core.algorithms()
                .choose(
                        what.countsTo() == null
                                ? forced
                                : Pairs.algorithm(what, forced, core.rank(), core.size()),
                        what.operation(),
                        vectorBytes(what),
                        reduction != null && !reduction.isCommutative());
    }

    /** Of the vector that the plan cuts: in an allToAll, what all ranks have together. */
    private long vectorBytes(CollectiveSpec what) {
        DataBuffer typed = what.typed();
        long bytes = typed == null ? 0 : what.count() * typed.dataType().bytes();
        return what.operation() == Operation.ALL_TO_ALL
                ? Math.multiplyExact(bytes, core.size())
                : bytes;
    }

    private static long[] inItems(long[] shares, int width) {
        long[] items = shares.clone();
        for (int i = 0; i < items.length; i++) {
            items[i] /= width;
        }
        return items;
    }

    private static int itemWidth(@Nullable ReduceOp reduction) {
        return reduction == null ? 1 : reduction.itemWidth();
    }

    private static MemorySegment segment(@Nullable DataBuffer buffer) {
        return buffer == null ? MemorySegment.NULL : buffer.segment();
    }
}
