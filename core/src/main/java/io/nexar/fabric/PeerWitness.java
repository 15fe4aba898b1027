package io.nexar.fabric;

import io.nexar.MemberId;

/** Hears what a fabric finds out about its peers; called with the rank's progress lock held. */
@FunctionalInterface
public interface PeerWitness {
    /**
     * Nothing more will come from this member.
     *
     * @param hasLeft it said goodbye; otherwise its link ended without one
     */
    void onGone(MemberId member, boolean hasLeft, String reason);

    /** The others have given this member itself up, and take nothing from it any more. */
    default void onGivenUp(String reason) {}
}
