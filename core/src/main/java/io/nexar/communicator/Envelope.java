package io.nexar.communicator;

import io.nexar.Communicator;

import java.util.List;

/**
 * The outside of a message.
 *
 * @param rank of the other side; may be the wildcard for a receive
 * @param tag may be the wildcard for a receive
 * @param bytes of the buffer
 */
record Envelope(int rank, int tag, long bytes) {
    /** As an error spells it: "a message from rank 3 with tag 7". */
    String spellIncoming() {
        String from = rank == Communicator.ANY_SOURCE ? "any rank" : "rank " + rank;
        String with = tag == Communicator.ANY_TAG ? "any tag" : "tag " + tag;
        return "a message from " + from + " with " + with;
    }

    /** The rank that is waited for, if it is known. */
    List<Integer> sources() {
        return rank == Communicator.ANY_SOURCE ? List.of() : List.of(rank);
    }
}
