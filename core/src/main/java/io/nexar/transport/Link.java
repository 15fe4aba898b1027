package io.nexar.transport;

import io.nexar.MemberId;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/**
 * An authenticated connection to one peer over one transport, with one path for each {@link Lane}.
 *
 * <p>{@code trySend}, {@code flush} and {@code poll} are called by one thread at a time (whoever
 * holds the rank's progress), not always the same one. {@code close} may come from any thread. A
 * link holds a bounded amount of memory: when its receiver does not poll, its sender is refused.
 */
public interface Link {
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

    /** Whether a poll would find anything now. Cheap, and callable from any thread. */
    boolean isReady();

    /** True once the link is down and every frame that arrived before has been delivered. */
    boolean isClosed();

    /** Why the link went down; null while it is up. */
    @Nullable String closeCause();

    /** Takes the link down at once. The first reason stays; the peer is told it where possible. */
    void close(String reason);
}
