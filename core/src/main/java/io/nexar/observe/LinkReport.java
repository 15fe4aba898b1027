package io.nexar.observe;

/**
 * One peer as a rank sees it.
 *
 * @param peer its rank in the world
 * @param transport that carries their frames; empty where there is no link
 * @param queuedBytes taken by the link and not sent yet
 * @param heardNanosAgo since its last heartbeat; {@link #UNKNOWN} where there are none
 * @param goneBecause why it is gone; empty while it is there
 */
public record LinkReport(
        int peer, String transport, long queuedBytes, long heardNanosAgo, String goneBecause) {

    public static final long UNKNOWN = -1;

    public boolean isUp() {
        return !transport.isEmpty() && goneBecause.isEmpty();
    }
}
