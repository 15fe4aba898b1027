package io.nexar.communicator;

import io.nexar.CallDescription;
import io.nexar.ClosedException;
import io.nexar.MemberId;
import io.nexar.MismatchException;
import io.nexar.NexarException;
import io.nexar.OperationContext;
import io.nexar.Scope;
import io.nexar.collective.AlgorithmChoice;
import io.nexar.collective.CollectiveEngine;
import io.nexar.collective.EngineSettings;
import io.nexar.collective.plan.Placement;
import io.nexar.fabric.Channel;
import io.nexar.fabric.Fabric;
import io.nexar.fabric.Progress;
import io.nexar.wire.CommunicatorPath;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * What all views of one communicator share: its message space, its engine, and who belongs to it.
 * Any thread; the state is guarded by the rank's progress lock.
 */
public final class CommunicatorCore {
    private static final System.Logger LOG = System.getLogger("io.nexar");

    private final String name;
    private final List<MemberId> members;
    private final Fabric fabric;
    private final Progress progress;
    private final Channel channel;
    private final CollectiveEngine engine;
    private final CommunicatorSettings settings;
    private final AlgorithmChoice algorithms;
    private final EngineSettings cut;
    private final AtomicReference<@Nullable Thread> inCollective = new AtomicReference<>();
    private int nextChild;
    private boolean closed;

    /** The communicator of all members; call it with the progress lock held. */
    public static CommunicatorCore world(
            List<MemberId> members,
            long epoch,
            Fabric fabric,
            Progress progress,
            CommunicatorSettings settings) {
        return new CommunicatorCore(
                "world", CommunicatorPath.world(epoch), members, fabric, progress, settings, 0);
    }

    /** Opens a channel and connects it with an engine of its own. */
    private CommunicatorCore(
            String name,
            CommunicatorPath path,
            List<MemberId> members,
            Fabric fabric,
            Progress progress,
            CommunicatorSettings settings,
            long firstSequence) {
        this.name = name;
        this.members = List.copyOf(members);
        this.fabric = fabric;
        this.progress = progress;
        this.settings = settings;
        Placement placement = Placement.of(members.stream().map(settings.hosts()).toList());
        this.algorithms =
                new AlgorithmChoice(settings.algorithms(), settings.isDeterministic(), placement);
        this.cut = settings.engines().of(placement);
        this.channel = fabric.open(path, members, cut.creditPieces());
        this.engine =
                new CollectiveEngine(
                        channel, cut, settings.buffers().of(cut.pieceBytes()), firstSequence);
        engine.onBreak(channel::abort);
        settings.open().add(this);
        channel.watch(new Stalls(this, this::warn));
        channel.attach(engine, engine::advance, engine::fail);
    }

    String name() {
        return name;
    }

    int rank() {
        return channel.rank();
    }

    int size() {
        return channel.size();
    }

    MemberId member(int rank) {
        Arguments.requireRank("rank", rank, size());
        return members.get(rank);
    }

    /** In rank order. */
    List<MemberId> members() {
        return members;
    }

    /** Counts the children, all kinds together; with the progress lock held. */
    int takeChildNumber() {
        return nextChild++;
    }

    /** Opens a communicator of some of the members, this one among them. */
    CommunicatorCore child(String childName, CommunicatorPath path, List<MemberId> childMembers) {
        return child(childName, path, childMembers, 0);
    }

    /** The same with another number for its first call, on which all members must agree. */
    CommunicatorCore child(
            String childName,
            CommunicatorPath path,
            List<MemberId> childMembers,
            long firstSequence) {
        progress.lock();
        try {
            return new CommunicatorCore(
                    childName, path, childMembers, fabric, progress, settings, firstSequence);
        } finally {
            progress.unlock();
        }
    }

    /**
     * Tells all members why this rank will not make a child that others may have made already. In
     * words only: the child may number its ranks otherwise.
     */
    void stillborn(String childName, CommunicatorPath path, RuntimeException reason) {
        progress.lock();
        try {
            fabric.open(path, members, cut.creditPieces())
                    .refuse("it could not make " + childName + ": " + reason.getMessage());
        } finally {
            progress.unlock();
        }
        progress.wakeUp();
    }

    long epoch() {
        return channel.path().epoch();
    }

    Fabric fabric() {
        return fabric;
    }

    Progress progress() {
        return progress;
    }

    Channel channel() {
        return channel;
    }

    CollectiveEngine engine() {
        return engine;
    }

    /** How the engine cuts. */
    EngineSettings cut() {
        return cut;
    }

    AlgorithmChoice algorithms() {
        return algorithms;
    }

    CommunicatorSettings settings() {
        return settings;
    }

    long nowNanos() {
        return settings.nanoClock().getAsLong();
    }

    OperationContext context(String operation, long sequence) {
        return new OperationContext(operation, sequence, name, rank(), size(), epoch());
    }

    OperationContext context(String operation) {
        return context(operation, OperationContext.NO_SEQUENCE);
    }

    /** Throws if no operation can start any more. With the progress lock held. */
    void requireOpen(String operation) {
        if (closed) {
            throw new ClosedException(
                    context(operation),
                    "communicator " + name,
                    "this rank closed it",
                    Scope.COMMUNICATOR);
        }
        RuntimeException ended = settings.open().endReason();
        if (ended != null) {
            throw explain(ended, context(operation));
        }
    }

    /** Throws the first reason again if a collective has failed before. With the lock held. */
    void requireUnbroken(String operation, long sequence) {
        RuntimeException reason = engine.tellReason();
        if (reason != null) {
            throw explain(reason, context(operation, sequence));
        }
    }

    /**
     * Claims the communicator's collectives for the calling thread, as long as a blocking call of
     * it runs or an asynchronous one starts: they must come from one thread at a time, since their
     * order is what ranks agree on.
     */
    void enterCollective(String operation) {
        Thread self = Thread.currentThread();
        Thread other = inCollective.compareAndExchange(null, self);
        if (other != null) {
            throw new IllegalStateException(
                    "%s on %s while %s is in a collective of it; use one thread at a time"
                            .formatted(operation, name, other.getName()));
        }
    }

    void exitCollective() {
        inCollective.setRelease(null);
    }

    /** Ends everything that runs here, without a word to the other ranks; with the lock held. */
    void end(RuntimeException failure) {
        engine.onBreak(reason -> {});
        engine.fail(failure);
        channel.fail(failure);
    }

    /** Ends everything that runs here, and tells the other ranks, who may be waiting for this. */
    void breakDown(RuntimeException failure) {
        progress.lock();
        try {
            engine.fail(failure);
        } finally {
            progress.unlock();
        }
        progress.wakeUp();
    }

    /** In another thread than the one that polls. */
    private void warn(String text) {
        settings.callbacks().execute(() -> LOG.log(System.Logger.Level.WARNING, text));
    }

    /** Whether nothing runs here: no collective, no message on its way. With the lock held. */
    boolean isIdle() {
        return engine.isIdle() && channel.isIdle();
    }

    /** The members that what runs here waits for, as far as known; with the lock held. */
    Set<MemberId> awaited() {
        Set<Integer> ranks = new TreeSet<>(channel.busyPeers());
        CallDescription call = engine.waits().call();
        if (call != null) {
            ranks.addAll(engine.waits().waitingFor(call.sequence()));
        }
        return ranks.stream().map(members::get).collect(Collectors.toSet());
    }

    /** What runs here, for people; with the lock held. */
    String describeRunning() {
        CallDescription call = engine.waits().call();
        if (call != null) {
            return call.operation() + " #" + call.sequence() + " on " + name;
        }
        return (engine.isIdle() ? "messages on " : "a collective on ") + name;
    }

    /** That ranks made different calls, if no call of this rank has ended with it; locked. */
    @Nullable MismatchException untoldMismatch() {
        return engine.untoldReason() instanceof MismatchException mismatch
                ? mismatch.at(context("close"))
                : null;
    }

    /**
     * Frees what the communicator holds here. A second call does nothing.
     *
     * @throws MismatchException at the end, if ranks made different calls and this one was not told
     */
    void close() {
        MismatchException untold;
        progress.lock();
        try {
            untold = closed ? null : untoldMismatch();
            free();
        } finally {
            progress.unlock();
        }
        progress.wakeUp();
        if (untold != null) {
            throw untold;
        }
    }

    /** The other ranks are told, behind all that was sent before; with the lock held. */
    void free() {
        if (closed) {
            return;
        }
        closed = true;
        settings.open().remove(this);
        engine.onBreak(none -> {}); // who needs this rank sees that it has left
        engine.close(
                new ClosedException(
                        null, "communicator " + name, "this rank closed it", Scope.COMMUNICATOR));
        channel.close();
    }

    /** The failure as this call's own: with where it happened, and the first one as its cause. */
    static RuntimeException explain(RuntimeException failure, OperationContext context) {
        return failure instanceof NexarException known && known.where() == null
                ? known.at(context)
                : failure;
    }
}
