package io.nexar.membership;

import io.nexar.MemberId;

/** What a {@link DetectorMachine} wants done. */
public sealed interface DetectorEffect {

    /** Show {@code to} that this member lives. */
    record Beat(MemberId to) implements DetectorEffect {}

    /** Ask {@code whom} when it last heard {@code about}. */
    record Ask(MemberId whom, MemberId about) implements DetectorEffect {}

    /** Ask the seed, if it is there, whether {@code about} still answers it. */
    record AskSeed(MemberId about) implements DetectorEffect {}

    /** Answer {@code to}: {@code about} was heard here that long ago. */
    record Answer(MemberId to, MemberId about, long silentNanos) implements DetectorEffect {}

    /** This member has been silent for long; it may come back. */
    record Suspect(MemberId member) implements DetectorEffect {}

    /** A suspected member was heard again. */
    record Clear(MemberId member) implements DetectorEffect {}

    /** This member is given up, for good. */
    record GiveUp(MemberId member, String reason) implements DetectorEffect {}
}
