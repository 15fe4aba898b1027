package io.nexar.collective.plan;

/** What one step of a plan does. */
public enum StepKind {
    /** Sends the source range to the peer. */
    SEND,
    /** Receives from the peer into the target range. */
    RECEIVE,
    /** Receives from the peer, combines with the source range, puts the result into the target. */
    RECEIVE_REDUCE,
    /** Copies the source range to the target range; nothing if both are the same memory. */
    COPY,
    /** Combines source (left) and second source (right) into the target. */
    REDUCE,
    /**
     * Combines several operands, which lie one behind the other in the source, into the target, in
     * their order. Each has as many slots as the target, which lies apart.
     */
    COMBINE,
    /**
     * Finishes the reduction in the target: divides by the world size for AVG, makes 0 or 1 for
     * LAND LOR LXOR, else nothing.
     */
    SCALE
}
