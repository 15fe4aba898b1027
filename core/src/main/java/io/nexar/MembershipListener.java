package io.nexar;

/** Hears of members that come and go, see {@link Membership#subscribe}. */
@FunctionalInterface
public interface MembershipListener {

    /** Called for one event at a time, in order; should return soon, since later events wait. */
    void onEvent(MembershipEvent event);
}
