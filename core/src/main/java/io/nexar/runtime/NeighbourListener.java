package io.nexar.runtime;

import io.nexar.MemberId;

/** Hears of tethers between neighbours, in their port's thread. */
interface NeighbourListener {
    /** One stands; {@code isDialled} from here, or from there. */
    void onOpened(MemberId member, boolean isDialled);

    /** One that stood broke, for whatever reason. */
    void onClosed(MemberId member, boolean wasDialled);

    /** It leaves in good order. */
    void onGoodbye(MemberId member);

    /** The others have given this process up. */
    void onExpelled(String reason);

    /** Nobody listens at that member's address, or somebody else does. */
    void onRefused(MemberId member);

    /** There was no answer from that member's address, or not the right one. */
    void onDialFailed(MemberId member);
}
