package io.nexar;

import java.time.Duration;
import java.util.List;

/** Who belongs to the job, and who comes and goes. Safe from any thread. */
public interface Membership {

    /**
     * The members of the current epoch, in the order of their ranks in the world. Does not block.
     */
    List<MemberId> members();

    /** The current generation; rises on every shrink and grow. Does not block. */
    long epoch();

    /**
     * Tells a listener of every later event, one at a time and in order, on a thread of the
     * runtime.
     *
     * @return closing it ends the subscription
     */
    AutoCloseable subscribe(MembershipListener listener);

    /**
     * Lets waiting newcomers in. Collective among the members; they keep their ranks, and newcomers
     * come after them.
     *
     * @param timeout how long to wait for a newcomer, more than zero
     * @return the new epoch's world; of the same members if nobody came
     */
    Communicator grow(Duration timeout);

    /**
     * Takes this process out of the job in good order: the others see {@link MembershipEvent.Left}.
     */
    void leave();

    /** Puts a member out of the job: it is refused from then on, and the others see it as lost. */
    void remove(MemberId member, String reason);
}
