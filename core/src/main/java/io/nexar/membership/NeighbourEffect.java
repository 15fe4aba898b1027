package io.nexar.membership;

import io.nexar.MemberId;

/** What a {@link NeighbourMachine} wants done. */
public sealed interface NeighbourEffect {

    /** Dial that member's tether; in answer comes opened, refused or failed. */
    record Dial(MemberId member) implements NeighbourEffect {}

    /** This member's process is gone. */
    record GiveUp(MemberId member, String reason) implements NeighbourEffect {}
}
