package io.nexar;

import java.util.List;

/** Something that happened to the membership. */
public sealed interface MembershipEvent {

    /** The epoch that was current when it happened. */
    long epoch();

    /** A newcomer waits to be let in by {@link Membership#grow}, or was let in at formation. */
    record Joined(MemberId member, long epoch) implements MembershipEvent {}

    /** A member left in good order. */
    record Left(MemberId member, long epoch) implements MembershipEvent {}

    /** A member is silent; it may come back, and then nothing follows. */
    record Suspected(MemberId member, long epoch) implements MembershipEvent {}

    /** A member is dead, or unreachable for good. */
    record Lost(MemberId member, String reason, long epoch) implements MembershipEvent {}

    /** A new generation began, with these members in the order of their ranks. */
    record EpochChanged(List<MemberId> members, long epoch) implements MembershipEvent {
        public EpochChanged {
            members = List.copyOf(members);
        }
    }
}
