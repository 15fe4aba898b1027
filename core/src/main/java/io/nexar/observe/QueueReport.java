package io.nexar.observe;

/**
 * What waits in one communicator on one rank.
 *
 * @param postedReceives receives that have no message yet
 * @param unexpectedMessages messages that have come, or are announced, and no receive has asked for
 * @param unexpectedBytes how long they are
 * @param unsentMessages messages of this rank that are not all with the links yet
 * @param unsentBytes what is left of them to send
 */
public record QueueReport(
        int postedReceives,
        int unexpectedMessages,
        long unexpectedBytes,
        int unsentMessages,
        long unsentBytes) {

    public static final QueueReport EMPTY = new QueueReport(0, 0, 0, 0, 0);

    public boolean isEmpty() {
        return equals(EMPTY);
    }
}
