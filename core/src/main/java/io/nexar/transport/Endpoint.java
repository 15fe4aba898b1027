package io.nexar.transport;

import io.nexar.MemberId;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.CompletableFuture;

/** One member's side of a transport: it accepts links, and dials them. */
public interface Endpoint extends AutoCloseable {
    /** What other members dial. */
    PeerAddress address();

    /**
     * Dials a peer without blocking. The link is handed over once both sides have shown that they
     * are who the other expects; a peer that is somebody else, does not answer, or refuses, fails
     * the future with a {@link io.nexar.NexarException} that names the address and the reason, no
     * later than {@code timeoutNanos} from now.
     */
    CompletableFuture<Link> connect(MemberId peer, PeerAddress address, long timeoutNanos);

    /**
     * How a thread that polls this endpoint's links sleeps, where that takes more than parking:
     * where peers of other processes are to wake it. Null: parking is right.
     */
    default @Nullable Sleeper sleeper() {
        return null;
    }

    /** Closes every link and frees ports and memory before it returns. */
    @Override
    void close();
}
