package io.nexar.transport;

import io.nexar.MemberId;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * An authenticated connection to one peer over one transport, with one path for each {@link Lane}.
 *
 * <p>{@code trySend}, {@code flush} and {@code poll} are called by one thread at a time (whoever
 * holds the rank's progress), not always the same one. {@code close} may come from any thread. A
 * link holds a bounded amount of memory: when its receiver does not poll, its sender is refused.
 */
public interface Link {
    /** The longest {@link #sendHeartbeat}: a kind and a few numbers. */
    int HEARTBEAT_BYTES_MAX = 64;

    /**
     * Behind such a payload a {@link #poll} may end, so that what its receiver sends in answer need
     * not wait for what follows. To take it in takes several times as long as a look at all links.
     */
    int LONG_BYTES = 16 * 1024;

    MemberId peer();

    /** The transport's name, for people. */
    String transport();

    /**
     * Offers a frame. The header is copied; {@code payload} must be {@code header.payloadBytes()}
     * long and must not change until the link says that it is free. On a closed link nothing is
     * taken ({@code REFUSED}).
     *
     * @param listener told with {@code token}, during a later {@link #poll}, that a {@code PENDING}
     *     payload is free; also told when the link closes first
     */
    SendResult trySend(
            Lane lane,
            FrameHeader header,
            MemorySegment payload,
            SendListener listener,
            long token);

    /** Pushes out what was taken since the last flush. */
    void flush();

    /**
     * Delivers at most {@code frameLimit} arrived frames and what was learned of earlier sends.
     * Frames that arrived before a close are delivered first. Where the handler throws, the link
     * closes with that reason and the exception comes out of here.
     *
     * @return how many frames and completions there were
     */
    int poll(FrameHandler handler, int frameLimit);

    /**
     * Says that the payload which is being shown, to a handler that {@link
     * FrameHandler#readsInPlace}, has been read to its end and is not looked at again: its sender
     * may have its memory back. At once and without effect of any other payload.
     *
     * @return false if its sender may have had it back before, because the link has gone down: what
     *     was read is then nothing, as if the frame had not come
     */
    default boolean finishReading() {
        return true;
    }

    /** How many bytes it has taken and not passed on yet, all lanes together; for people. */
    long queuedBytes();

    /** Whether a poll would find anything now. Cheap, and callable from any thread. */
    boolean isReady();

    /** True once the link is down and every frame that arrived before has been delivered. */
    boolean isClosed();

    /** Why the link went down; null while it is up. */
    @Nullable String closeCause();

    /** Takes the link down at once. The first reason stays; the peer is told it where possible. */
    void close(String reason);

    /**
     * Like {@link #close}, and tells the peer that it is no member any more, so that a process that
     * only slept learns it when it wakes up.
     */
    default void giveUp(String reason) {
        close(reason);
    }

    /**
     * The reason with which the peer has taken the link down by {@link #giveUp}: this member is
     * out. Null as long as it has not.
     */
    default @Nullable String givenUpBecause() {
        return null;
    }

    /**
     * Sends a few bytes on a path of their own, which no lane holds up: they may get lost, arrive
     * twice, or in another order. Callable from any thread at any time, and returns at once.
     *
     * @param payload at most {@link #HEARTBEAT_BYTES_MAX} bytes, not changed afterwards
     * @return false if they are surely lost: the link is down, or its transport has no such path
     *     (between ranks of one process, which can't fall silent one by one)
     */
    default boolean sendHeartbeat(byte[] payload) {
        return false;
    }

    /**
     * Who takes the peer's heartbeats from now on, called in a thread of the transport, which must
     * not be held up. What came before is lost.
     */
    default void onHeartbeat(Consumer<byte[]> handler) {}
}
