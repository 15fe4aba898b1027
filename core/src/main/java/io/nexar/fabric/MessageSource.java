package io.nexar.fabric;

/** Where the messages of one rank come from: a peer, or this rank itself. */
interface MessageSource {
    int rank();

    /** A message has been received: its sender may send as much again. */
    void returnMessageCredit(long bytes);

    /** An announced message is wanted now (or never, if it does not fit): let its bytes flow. */
    void grant(Arrival message, boolean fits);
}
