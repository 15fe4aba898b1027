package io.nexar.membership;

import io.nexar.MemberId;

/** What is known of the tethers to one member. Changed by {@link NeighbourMachine} only. */
final class Neighbour {
    final MemberId member;

    /** Those that stand: one that we dialled, one that it dialled. */
    int tethers;

    boolean isDialled;
    boolean isDialling;

    /** A tether broke without a goodbye, and nobody knows yet what that means. */
    boolean isInDoubt;

    int refusals;
    long nextDialNanos;
    boolean isGone;

    Neighbour(MemberId member, long nowNanos) {
        this.member = member;
        this.nextDialNanos = nowNanos;
    }
}
