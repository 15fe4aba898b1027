package io.nexar.runtime;

import io.nexar.Communicator;
import io.nexar.MemberId;
import io.nexar.Membership;
import io.nexar.NexarConfig;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.spi.NexarRuntime;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A world of one: the same machinery without links. */
public final class LoneProcess implements NexarRuntime {
    private static final MemberId SELF = new MemberId(0);

    private final NexarConfig config;
    private final Rank rank;
    private final RosterMembership membership =
            new RosterMembership(List.of(SELF), 0, RankThreads.callbacks());
    private final AtomicBoolean closed = new AtomicBoolean();

    public LoneProcess(NexarConfig config) {
        this.config = config;
        this.rank =
                new Rank(
                        RankSettings.of(config, LinkClass.JVM, 1),
                        SELF,
                        membership,
                        new Rank.Surroundings(member -> "this host", null));
        rank.start(List.of());
    }

    @Override
    public Communicator world() {
        return rank.world();
    }

    @Override
    public NexarConfig config() {
        return config;
    }

    @Override
    public Membership membership() {
        return membership;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            CloseReport report =
                    rank.part(System.nanoTime() + rank.settings().closeTimeout().toNanos());
            rank.close("its process closed");
            report.throwIfBad();
        }
    }

    @Override
    public void abort(String reason) {
        rank.abort(reason);
    }
}
