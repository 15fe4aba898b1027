package io.nexar.communicator;

import io.nexar.Algorithm;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.Neighborhood;
import io.nexar.ReduceOp;
import io.nexar.collective.CollectiveCall;
import io.nexar.collective.NeighborParts;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.PlanRequest;
import io.nexar.reduce.Kernels;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * A collective that is ready to start: checked, with plan and kernel, and without a number. It may
 * start many times, one after the other, or be bound to another call in between. Used by one thread
 * at a time.
 */
final class BoundCollective {
    private final CommunicatorCore core;
    private final ViewOptions options;
    private final CollectiveCall call = new CollectiveCall();

    /** The last plan of each operation: found again without an object to ask for it. */
    private final @Nullable Plan[] plans = new @Nullable Plan[Operation.values().length];

    /** Of the blocking calls, one after the other. */
    private @Nullable PendingCollective<Void> blocking;

    private String name = "";
    private Surround surround = Surround.NOTHING;

    private final RepeatedCall last = new RepeatedCall();
    private boolean isSmall;

    BoundCollective(CommunicatorCore core, ViewOptions options) {
        this.core = core;
        this.options = options;
    }

    /** What the caller called. */
    String name() {
        return name;
    }

    /** How the last call moves its data; null before the first. */
    @Nullable Algorithm lastAlgorithm() {
        return name.isEmpty() ? null : call.plan().request().algorithm();
    }

    /** Whether this is bound to that very call, which nobody has looked at yet. */
    boolean isBoundTo(CollectiveSpec what) {
        return last.isSameAs(what);
    }

    /**
     * Whether the same call can be told from others when it comes again, and what it keeps from
     * being collected is small: its vector is a piece at most.
     */
    boolean isWorthKeeping() {
        return isSmall && last.isKnown();
    }

    /** Takes up what was asked for. What can be refused is refused here. */
    BoundCollective bind(CollectiveSpec what) {
        last.forget();
        what.check(core.rank(), core.size());
        Algorithm algorithm = algorithm(what, options.algorithm());
        call.reset(plan(what, algorithm)).calledAs(what.name()).about(what.topic());
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
        name = what.name();
        surround = what.surround();
        isSmall = vectorBytes(what) <= core.cut().pieceBytes();
        last.note(what);
        return this;
    }

    /** Starts it, with the next number, and waits for its end. */
    void run() {
        PendingCollective<Void> pending = blocking;
        if (pending == null || !pending.completion().isDone()) {
            pending = new PendingCollective<>(core, options.timeout(), () -> null, true);
            blocking = pending;
        }
        start(pending);
        pending.await();
    }

    /** Starts it, with the next number. */
    <T> PendingCollective<T> start(Supplier<T> result, boolean isBlocking) {
        PendingCollective<T> pending =
                new PendingCollective<>(core, options.timeout(), result, isBlocking);
        start(pending);
        return pending;
    }

    private void start(PendingCollective<?> pending) {
        if (core.settings().plans().isConfirming()) {
            call.callSite(CallSites.here());
        }
        surround.before(call);
        core.progress().lock();
        try {
            core.requireOpen(name);
            long sequence = core.engine().nextSequence();
            core.requireUnbroken(name, sequence);
            pending.begin(name, sequence, surround);
            core.engine().start(call.numbered(sequence), pending);
            core.fabric().flush();
            if (pending.isBlocking()) {
                core.progress().lookAtOnce(pending.completion());
            }
        } finally {
            core.progress().unlock();
        }
    }

    private Plan plan(CollectiveSpec what, Algorithm algorithm) {
        int place = what.operation().ordinal();
        Plan known = plans[place];
        if (known == null || !isFor(known.request(), what, algorithm)) {
            known = core.settings().plans().plan(request(what, algorithm));
            plans[place] = known;
        }
        return known;
    }

    private static boolean isFor(PlanRequest request, CollectiveSpec what, Algorithm algorithm) {
        return request.algorithm() == algorithm
                && request.root() == what.root()
                && Objects.equals(request.neighborhood(), what.neighborhood());
    }

    private PlanRequest request(CollectiveSpec what, Algorithm algorithm) {
        Neighborhood neighborhood = what.neighborhood();
        return neighborhood != null
                ? PlanRequest.among(neighborhood, core.rank(), core.size())
                : PlanRequest.of(
                        what.operation(),
                        algorithm,
                        core.rank(),
                        what.root(),
                        core.algorithms().placement());
    }

    private void bindShares(CollectiveSpec what, Algorithm algorithm) {
        int width = itemWidth(what.reduction());
        long[] shares = what.shares();
        long[] to = what.countsTo();
        long[] from = what.countsFrom();
        NeighborParts parts = what.parts();
        if (parts != null) {
            call.parts(parts);
        } else if (what.isFused()) {
            FusedBuffers fused = new FusedBuffers(what.buffers(), width, core.cut().pieceBytes());
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
        long bytes = vectorBytes(what);
        Algorithm wanted = forced;
        if (what.countsTo() != null) {
            wanted = Pairs.algorithm(what, forced, core.rank(), core.size());
        } else if (isRounded(what)) {
            wanted = core.algorithms().roundingOnce(forced, what.operation(), bytes);
        }
        boolean needsRankOrder = reduction != null && !reduction.isCommutative();
        return core.algorithms().choose(wanted, what.operation(), bytes, needsRankOrder);
    }

    /** Whether partial results lose digits where they are stored: sums and products of halves. */
    private static boolean isRounded(CollectiveSpec what) {
        ReduceOp op = what.reduction();
        DataBuffer typed = what.typed();
        return typed != null
                && (typed.dataType() == DataType.F16 || typed.dataType() == DataType.BF16)
                && (op == ReduceOp.SUM || op == ReduceOp.AVG || op == ReduceOp.PROD);
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
