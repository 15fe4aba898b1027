package io.nexar.cli.chaos;

import io.nexar.MemberId;

/** Which conditions there are where and when. Asked in the relay's thread for all that passes. */
@FunctionalInterface
public interface Weather {

    /** The member id of the seed, which has none. */
    MemberId SEED = new MemberId(-1);

    /**
     * What is between a member, or the seed, and those who dial it.
     *
     * @param nanos since the relay began
     */
    Conditions at(MemberId place, long nanos);
}
