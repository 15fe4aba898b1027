package io.nexar.runtime;

import io.nexar.ClosedException;
import io.nexar.Communicator;
import io.nexar.MemberId;
import io.nexar.Scope;
import io.nexar.collective.CostPolicy;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.communicator.CommunicatorCore;
import io.nexar.communicator.CommunicatorSettings;
import io.nexar.communicator.NexarCommunicator;
import io.nexar.communicator.OpenCommunicators;
import io.nexar.fabric.Completion;
import io.nexar.fabric.Fabric;
import io.nexar.fabric.Progress;
import io.nexar.memory.BufferPools;
import io.nexar.transport.Link;
import io.nexar.transport.Sleeper;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * One rank's machinery once it is known who the others are: progress, fabric, the world, and the
 * background thread that drives it while no caller does.
 */
final class Rank {
    /**
     * Between looks at whether what runs is over, while closing: far below what anybody notices.
     */
    private static final Duration CLOSING_LOOK = Duration.ofMillis(1);

    /** Of the time for closing, this part is kept for goodbyes when what runs does not end. */
    private static final int GOODBYE_PART = 5;

    /** Links answer within milliseconds; a peer that does not is not waited for longer. */
    private static final Duration ABORT_NOTICE = Duration.ofSeconds(1);

    private static final System.Logger LOG = System.getLogger("io.nexar");

    private final RankSettings settings;
    private final MemberId self;
    private final List<MemberId> members;
    private final Fabric fabric;
    private final Progress progress;
    private final Arena arena = Arena.ofShared();
    private final OpenCommunicators open = new OpenCommunicators();
    private final Communicator world;
    private final RankReporter reporter;

    /** Whoever runs this rank has been told of a failure. Written by a task, read by the close. */
    private volatile boolean isToldOfFailure;

    private final Completion stop = new Completion();
    private final Thread background;

    /**
     * What a rank is told of the others.
     *
     * @param hosts names the host of each member
     * @param sleeper how a thread that waits for its links sleeps; null: parking is right
     */
    record Surroundings(Function<MemberId, String> hosts, @Nullable Sleeper sleeper) {}

    /** Makes the rank; nothing runs yet. */
    Rank(RankSettings settings, MemberId self, RosterMembership membership, Surroundings around) {
        this.members = membership.members();
        this.settings = settings;
        this.self = self;
        this.fabric = new Fabric(self, settings.fabric(), System::nanoTime, membership);
        fabric.onJobEnd((by, reason) -> open.end(endedBy(members.indexOf(by), reason)));
        this.progress = new Progress(fabric, settings.idle(), System::nanoTime, around.sleeper());
        CommunicatorSettings shared =
                new CommunicatorSettings(
                        settings.engines(),
                        new CostPolicy(settings.costModel(), settings.inHost(), settings.engines()),
                        settings.isDeterministic(),
                        new PlanCatalog(settings.isCheckFull()),
                        new BufferPools(arena),
                        open,
                        around.hosts(),
                        RankThreads.callbacks(),
                        settings.stallReportAfter(),
                        settings.objects(),
                        settings.compression(),
                        System::nanoTime);
        CommunicatorCore core =
                CommunicatorCore.world(members, membership.epoch(), fabric, progress, shared);
        this.world = new NexarCommunicator(core, settings.operationTimeout());
        this.reporter = new RankReporter(progress, fabric, open, members, members.indexOf(self));
        this.background =
                RankThreads.named("progress-" + members.indexOf(self))
                        .newThread(this::leadInBackground);
    }

    /** Takes over the links, and begins. */
    void start(List<Link> links) {
        progress.lock();
        try {
            links.forEach(fabric::addLink);
        } finally {
            progress.unlock();
        }
        background.start();
    }

    Communicator world() {
        return world;
    }

    MemberId self() {
        return self;
    }

    int rankOf(MemberId member) {
        return members.indexOf(member);
    }

    RankSettings settings() {
        return settings;
    }

    RankReporter reporter() {
        return reporter;
    }

    void wakeUp() {
        progress.wakeUp();
    }

    /** Ends every call of this rank, and whatever it tries from now on, with this failure. */
    void fail(RuntimeException failure) {
        progress.lock();
        try {
            open.end(failure);
        } finally {
            progress.unlock();
        }
        progress.wakeUp();
    }

    /**
     * Says in one JVM that another member's task has failed. All hold still until all know: none
     * then hears of it from another first, without the cause. Nobody else holds two ranks' locks.
     */
    static void taskFailed(List<Rank> others, Rank failed, Throwable failure) {
        others.forEach(rank -> rank.progress.lock());
        try {
            for (Rank rank : others) {
                rank.isToldOfFailure = true;
                rank.memberLost(failed.self(), "its task threw " + failure, failure);
            }
        } finally {
            others.forEach(rank -> rank.progress.unlock());
        }
        failed.isToldOfFailure = true;
    }

    /** Says that another member is gone, known from elsewhere than its link. */
    void memberLost(MemberId member, String reason, @Nullable Throwable cause) {
        progress.lock();
        try {
            fabric.memberLost(member, reason, cause);
        } finally {
            progress.unlock();
        }
        progress.wakeUp();
    }

    /** That member closed in good order, and said so to the seed. */
    void memberLeft(MemberId member) {
        progress.lock();
        try {
            fabric.memberLeft(member);
        } finally {
            progress.unlock();
        }
        progress.wakeUp();
    }

    /** Takes nothing from a member any more. {@code tellOthers} spreads it from here. */
    void giveUp(MemberId member, String reason, boolean tellOthers) {
        progress.lock();
        try {
            fabric.giveUp(member, reason, tellOthers);
        } finally {
            progress.unlock();
        }
        progress.wakeUp();
    }

    /** Ends every call with that failure, and every link: this rank is out. */
    void leaveAll(RuntimeException failure, String reason) {
        fail(failure);
        progress.lock();
        try {
            fabric.closeLinks(reason);
        } finally {
            progress.unlock();
        }
        progress.wakeUp();
    }

    /**
     * Ends the job on all ranks: what waits here or there ends with that reason. Waits a little for
     * the others to hear it, since whoever aborts is about to go.
     */
    void abort(String reason) {
        progress.lock();
        Completion heard;
        try {
            heard = fabric.endJob(reason);
            open.end(endedBy(members.indexOf(self), reason));
        } finally {
            progress.unlock();
        }
        progress.wakeUp();
        awaitQuietly(heard, System.nanoTime() + ABORT_NOTICE.toNanos());
    }

    /**
     * Finishes what runs, says goodbye to every peer, and waits until they have heard it. Nothing
     * starts any more.
     *
     * @return what was not done by the deadline
     */
    CloseReport part(long deadlineNanos) {
        Completion parted;
        List<String> running;
        RuntimeException untold;
        Set<MemberId> silent = new TreeSet<>(Comparator.comparingInt(members::indexOf));
        progress.lock();
        try {
            open.refuse(closed("this rank is closing it"));
        } finally {
            progress.unlock();
        }
        awaitIdle(deadlineNanos - settings.closeTimeout().dividedBy(GOODBYE_PART).toNanos());
        progress.lock();
        try {
            running = open.running();
            untold = isToldOfFailure ? null : open.untoldMismatch();
            silent.addAll(open.awaited());
            open.end(closed("this rank closed it"));
            parted = fabric.sayGoodbye();
        } finally {
            progress.unlock();
        }
        progress.wakeUp();
        awaitQuietly(parted, deadlineNanos);
        progress.lock();
        try {
            silent.addAll(fabric.unparted());
        } finally {
            progress.unlock();
        }
        return new CloseReport(
                running,
                silent.stream().map(members::indexOf).toList(),
                untold,
                settings.closeTimeout());
    }

    /** Takes the links down with that reason, at once; frees nothing. The JVM is about to end. */
    void abandon(String reason) {
        progress.lock();
        try {
            open.end(closed(reason));
            fabric.close(reason);
        } finally {
            progress.unlock();
        }
    }

    /** Frees everything; what still runs ends with an error. */
    void close(String reason) {
        progress.lock();
        try {
            open.close();
            fabric.close(reason);
        } finally {
            progress.unlock();
        }
        stop.succeed();
        join();
        arena.close();
    }

    /** A fault of our own ends the rank's calls with it: nobody would move them on any more. */
    private void leadInBackground() {
        try {
            progress.leadInBackground(stop);
        } catch (RuntimeException | Error fault) {
            LOG.log(System.Logger.Level.ERROR, "progress of " + self + " has failed", fault);
            fail(new IllegalStateException("progress of " + self + " has failed", fault));
        }
    }

    private void awaitIdle(long deadlineNanos) {
        while (!isIdle() && System.nanoTime() - deadlineNanos < 0) {
            awaitQuietly(new Completion(), System.nanoTime() + CLOSING_LOOK.toNanos());
        }
    }

    private boolean isIdle() {
        progress.lock();
        try {
            return open.areIdle();
        } finally {
            progress.unlock();
        }
    }

    /** Closing goes on when interrupted: it is bounded anyway, and the flag is kept. */
    private boolean awaitQuietly(Completion completion, long deadlineNanos) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return progress.await(completion, deadlineNanos);
                } catch (InterruptedException again) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static ClosedException closed(String reason) {
        return new ClosedException(null, "Nexar", reason, Scope.PROCESS);
    }

    private ClosedException endedBy(int rank, String reason) {
        String who = rank == members.indexOf(self) ? "this rank" : "rank " + rank;
        return new ClosedException(null, "the job", who + " aborted it: " + reason, Scope.PROCESS);
    }

    private void join() {
        boolean interrupted = false;
        while (background.isAlive()) {
            try {
                background.join();
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
