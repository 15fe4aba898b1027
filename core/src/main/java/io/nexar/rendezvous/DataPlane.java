package io.nexar.rendezvous;

import io.nexar.transport.PeerAddress;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The links between ranks, as whoever joins needs them. Called in the thread that joins. */
public interface DataPlane {

    /**
     * Opens the endpoints and says where others can dial them. May block.
     *
     * @throws io.nexar.NexarException if there is none to open; this worker then withdraws
     */
    List<PeerAddress> open(Admission admission);

    /**
     * Starts to link to every peer, without blocking. The future completes once all links stand; a
     * {@link LinkFailure} in it names the peer that can't be reached, and ends the formation for
     * all.
     */
    CompletableFuture<Void> link(Roster roster, int rank);
}
