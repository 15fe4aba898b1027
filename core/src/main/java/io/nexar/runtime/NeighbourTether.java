package io.nexar.runtime;

import io.nexar.MemberId;
import io.nexar.transport.net.ControlConnection;

import org.jspecify.annotations.Nullable;

/** One connection between neighbours. The tethers' thread's. */
final class NeighbourTether {
    final ControlConnection connection;
    final boolean isDialled;
    final long sinceNanos;

    /** Who is at the other end, once its certificate says so. */
    @Nullable MemberId member;

    /** Both ends know of each other. */
    boolean isOpen;

    NeighbourTether(ControlConnection connection, boolean isDialled, long sinceNanos) {
        this.connection = connection;
        this.isDialled = isDialled;
        this.sinceNanos = sinceNanos;
    }
}
