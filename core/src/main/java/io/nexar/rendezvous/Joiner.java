package io.nexar.rendezvous;

import io.nexar.transport.PeerAddress;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One connection as the seed's machine sees it. Plain state, changed by {@link SeedMachine} only.
 */
final class Joiner {

    enum Stage {
        /** Has not said who it is. */
        STRANGER,
        /** Has a certificate and a place. */
        ADMITTED,
        /** Can be dialled. */
        READY,
        /** Reaches every peer. */
        LINKED
    }

    static final int NO_RANK = -1;

    final long connection;
    final String remote;
    final long helloDeadlineNanos;
    Stage stage = Stage.STRANGER;
    long memberId = -1;
    int claim = JoinMessage.ANY;
    int rank = NO_RANK;
    String host = "";
    long pid = -1;
    String process = "";
    List<PeerAddress> addresses = List.of();

    /** Who waits for this member's Pong. */
    final Set<Joiner> askers = new LinkedHashSet<>();

    Joiner(long connection, String remote, long helloDeadlineNanos) {
        this.connection = connection;
        this.remote = remote;
        this.helloDeadlineNanos = helloDeadlineNanos;
    }

    boolean isMember() {
        return stage != Stage.STRANGER;
    }

    boolean isReady() {
        return stage == Stage.READY || stage == Stage.LINKED;
    }

    /** For people: which process this is. */
    String describe() {
        if (!isMember()) {
            return "connection from " + remote;
        }
        String place = "member " + memberId + ", pid " + pid + ", from " + remote;
        if (rank != NO_RANK) {
            return "rank " + rank + " (" + place + ")";
        }
        return claim == JoinMessage.ANY ? place : "rank " + claim + " (" + place + ")";
    }
}
