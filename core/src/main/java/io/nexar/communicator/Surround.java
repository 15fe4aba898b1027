package io.nexar.communicator;

import io.nexar.collective.CollectiveCall;

/**
 * What one rank does for a call beside its plan: before the call begins, and once it has ended
 * well. A surround has the state of one call at a time.
 */
interface Surround {
    /** Most calls are their plan and nothing else. */
    Surround NOTHING = new Surround() {};

    /** In the calling thread, before the call begins; may give it other memory. */
    default void before(CollectiveCall call) {}

    /** Once the call's result is complete, before anybody is told; with the progress lock held. */
    default void after() {}
}
