package io.nexar;

/**
 * How a collective moves its data. {@link Communicator#withAlgorithm} forces one; forcing one that
 * an operation does not have is an {@link IllegalArgumentException} at the call, before a byte is
 * sent. P is the number of ranks.
 */
public enum Algorithm {
    /** Chosen by message size and number of ranks; the default. */
    AUTO,
    /** Everybody sends to everybody at once: one round, for tiny messages. */
    DIRECT,
    /** Each rank sends to the next: 2(P-1) rounds in an allReduce, and the fewest bytes. */
    RING,
    /**
     * Exchange with the partner at distance 1, 2, 4, ...: about log2 P rounds of the whole message.
     */
    RECURSIVE_DOUBLING,
    /** Rabenseifner's: halve the message at each round, then double it again. */
    HALVING_DOUBLING,
    /** A reduceScatter and an allGather, one after the other. */
    REDUCE_SCATTER_ALLGATHER,
    /** A tree whose root sends to ranks at halving distances: log2 P rounds. */
    BINOMIAL_TREE,
    /** A broadcast as a scatter and an allGather: for long messages. */
    SCATTER_ALLGATHER,
    /** An all-to-all in P-1 rounds, a different partner each. */
    PAIRWISE,
    /** Bruck's: log2 P rounds with blocks collected for one partner. */
    BRUCK,
    /** A barrier in which rank r signals r + 1, r + 2, r + 4, ...: log2 P rounds, no root. */
    DISSEMINATION,
    /** A scan that takes from the rank at distance 1, 2, 4, ...: log2 P rounds. */
    HILLIS_STEELE,
    /** First inside each host, then between hosts. */
    HIERARCHICAL
}
