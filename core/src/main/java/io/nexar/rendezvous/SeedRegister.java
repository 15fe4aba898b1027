package io.nexar.rendezvous;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who is connected to a seed, and what is to be done to them: what the phases of a job have in
 * common. Confined to the thread of {@link SeedMachine}.
 */
final class SeedRegister {

    private final Map<Long, Joiner> joiners = new LinkedHashMap<>();
    private final Deque<SeedEffect> effects = new ArrayDeque<>();
    private final List<Departure> departures = new ArrayList<>();
    private int strangers;
    private long nowNanos;

    /** A member that took part in the running job and is gone; one for each rank at most. */
    record Departure(Joiner member, boolean isOrderly, String reason, long atNanos) {}

    @Nullable SeedEffect pollEffect() {
        return effects.poll();
    }

    /** Somebody who has not said who it is. */
    void addStranger(Joiner joiner) {
        strangers++;
        joiners.put(joiner.connection, joiner);
    }

    /** A stranger is about to become a member. */
    void admit() {
        strangers--;
    }

    /** Null for a connection that was closed by us a moment ago. */
    @Nullable Joiner joiner(long connection) {
        return joiners.get(connection);
    }

    /** A copy, safe against changes on the way. */
    List<Joiner> all() {
        return List.copyOf(joiners.values());
    }

    List<Joiner> members() {
        return joiners.values().stream().filter(Joiner::isMember).toList();
    }

    int memberCount() {
        return joiners.size() - strangers;
    }

    int strangerCount() {
        return strangers;
    }

    Collection<Joiner> view() {
        return joiners.values();
    }

    void forget(Joiner joiner) {
        joiners.remove(joiner.connection);
        if (!joiner.isMember()) {
            strangers--;
        }
    }

    /** Notes how late it is, for what comes without a time. */
    void handleTime(long now) {
        nowNanos = now;
    }

    /** Notes that a member of the running job is gone: at the time last noted. */
    void addDeparture(Joiner member, boolean isOrderly, String reason) {
        departures.add(new Departure(member, isOrderly, reason, nowNanos));
    }

    List<Departure> departures() {
        return departures;
    }

    void sendAll(JoinMessage message) {
        List<Long> connections = members().stream().map(member -> member.connection).toList();
        effects.add(new SeedEffect.SendAll(connections, message));
    }

    void send(Joiner joiner, JoinMessage message) {
        effects.add(new SeedEffect.Send(joiner.connection, message));
    }

    void close(long connection, String reason) {
        effects.add(new SeedEffect.Close(connection, reason));
    }

    void tell(SeedEvent event) {
        effects.add(new SeedEffect.Tell(event));
    }
}
