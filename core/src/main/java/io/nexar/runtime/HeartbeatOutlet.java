package io.nexar.runtime;

import io.nexar.MemberId;
import io.nexar.membership.MembershipMachine.State;
import io.nexar.rendezvous.Tether;

/**
 * Whom heartbeats ask and tell, besides the members themselves.
 *
 * @param membership hears of suspicions, and knows who is gone for another reason
 */
record HeartbeatOutlet(RosterMembership membership, Tether tether, Verdicts verdicts) {

    boolean isGone(MemberId member) {
        return membership.state(member) != State.ALIVE;
    }
}
