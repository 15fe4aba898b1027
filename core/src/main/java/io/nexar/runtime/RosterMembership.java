package io.nexar.runtime;

import io.nexar.Communicator;
import io.nexar.MemberId;
import io.nexar.Membership;
import io.nexar.MembershipEvent;
import io.nexar.MembershipListener;
import io.nexar.fabric.PeerWitness;
import io.nexar.membership.MembershipMachine;
import io.nexar.membership.MembershipMachine.State;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * The members that the job formed with, and what has become of them: every witness (links, the
 * tether) tells the machine, and subscribers hear each fate once, in order, in a thread of their
 * own. The list itself belongs to the epoch and does not change within it. Any thread.
 */
final class RosterMembership implements Membership, PeerWitness {
    private static final System.Logger LOG = System.getLogger("io.nexar");

    private final List<MemberId> members;
    private final long epoch;
    private final MembershipMachine machine;
    private final Executor callbacks;
    private final CopyOnWriteArrayList<MembershipListener> listeners = new CopyOnWriteArrayList<>();
    private final ArrayDeque<MembershipEvent> untold = new ArrayDeque<>();
    private boolean isTelling;
    private @Nullable String givenUpBecause;
    private @Nullable Consumer<String> toObey;

    RosterMembership(List<MemberId> members, long epoch, Executor callbacks) {
        this.members = List.copyOf(members);
        this.epoch = epoch;
        this.machine = new MembershipMachine(epoch, members);
        this.callbacks = callbacks;
    }

    @Override
    public List<MemberId> members() {
        return members;
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public AutoCloseable subscribe(MembershipListener listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    @Override
    public Communicator grow(Duration timeout) {
        throw unreached("grow");
    }

    @Override
    public void leave() {
        throw unreached("leave");
    }

    @Override
    public void remove(MemberId member, String reason) {
        throw unreached("remove");
    }

    /** What is known of a member. */
    synchronized State state(MemberId member) {
        return machine.state(member);
    }

    /** Who is told, at least once, that the others have given this process up. */
    void onGivenUp(Consumer<String> obey) {
        String reason;
        synchronized (this) {
            toObey = obey;
            reason = givenUpBecause;
        }
        if (reason != null) {
            obey.accept(reason);
        }
    }

    /**
     * The others have given this process up: what becomes of them from now on is not known here.
     */
    synchronized void onExpelled(String reason) {
        givenUpBecause = reason;
    }

    @Override
    public void onGivenUp(String reason) {
        Consumer<String> obey;
        synchronized (this) {
            onExpelled(reason);
            obey = toObey;
        }
        if (obey != null) {
            obey.accept(reason);
        }
    }

    /** A member has been silent for long. */
    synchronized void onSuspected(MemberId member) {
        machine.handleSuspected(member);
        tellWhatHappened();
    }

    @Override
    public synchronized void onGone(MemberId member, boolean hasLeft, String reason) {
        if (givenUpBecause == null) { // or it is we who are gone
            machine.handleDeparted(member, hasLeft, reason);
            tellWhatHappened();
        }
    }

    private void tellWhatHappened() {
        for (MembershipEvent next = machine.pollEffect();
                next != null;
                next = machine.pollEffect()) {
            untold.add(next);
        }
        if (!untold.isEmpty() && !isTelling) {
            isTelling = true;
            callbacks.execute(this::tellAll);
        }
    }

    /** One of these runs at a time, so that events keep their order. */
    private void tellAll() {
        for (MembershipEvent event = nextUntold(); event != null; event = nextUntold()) {
            for (MembershipListener listener : listeners) {
                tell(listener, event);
            }
        }
    }

    /** A listener that throws keeps the event from nobody else. */
    private static void tell(MembershipListener listener, MembershipEvent event) {
        try {
            listener.onEvent(event);
        } catch (RuntimeException failure) {
            LOG.log(System.Logger.Level.WARNING, "a membership listener threw", failure);
        }
    }

    private synchronized @Nullable MembershipEvent nextUntold() {
        MembershipEvent event = untold.poll();
        isTelling = event != null;
        return event;
    }

    private static UnsupportedOperationException unreached(String name) {
        return new UnsupportedOperationException(
                "Membership." + name + " is not part of this version yet");
    }
}
