package io.nexar.runtime;

import io.nexar.Communicator;
import io.nexar.MemberId;
import io.nexar.Membership;
import io.nexar.MembershipEvent;
import io.nexar.MembershipListener;
import io.nexar.rendezvous.Roster;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The members that the job formed with, and what has become of them. Who left is told to
 * subscribers; the list itself belongs to the epoch and does not change within it.
 */
final class RosterMembership implements Membership {
    private final List<MemberId> members;
    private final long epoch;
    private final CopyOnWriteArrayList<MembershipListener> listeners = new CopyOnWriteArrayList<>();

    RosterMembership(Roster roster) {
        this(roster.members().stream().map(Roster.Entry::member).toList(), roster.epoch());
    }

    RosterMembership(List<MemberId> members, long epoch) {
        this.members = members;
        this.epoch = epoch;
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

    void left(MemberId member) {
        tell(new MembershipEvent.Left(member, epoch));
    }

    void lost(MemberId member, String reason) {
        tell(new MembershipEvent.Lost(member, reason, epoch));
    }

    private void tell(MembershipEvent event) {
        listeners.forEach(listener -> listener.onEvent(event));
    }

    private static UnsupportedOperationException unreached(String name) {
        return new UnsupportedOperationException(
                "Membership." + name + " is not part of this version yet");
    }
}
