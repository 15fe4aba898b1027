package io.nexar.transport;

/** Hears when the memory of a {@link SendResult#PENDING} frame is free again. */
@FunctionalInterface
public interface SendListener {
    /** Called in the thread that polls the link the frame was sent on. */
    void onSent(long token);
}
