package io.nexar.fabric;

import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * The large messages of one peer that are wanted and not complete: their bytes flow into the memory
 * of the receives that they met. Guarded by the progress lock.
 */
final class Inflow {
    private final Map<Long, Arrival> messages = new HashMap<>();

    /** The one that was asked for last: most frames are of the same as the frame before. */
    private @Nullable Arrival last;

    void add(Arrival message) {
        messages.put(message.number, message);
    }

    /** Takes out a message that its sender has withdrawn; null if it does not flow. */
    @Nullable Arrival remove(long number) {
        last = null;
        return messages.remove(number);
    }

    boolean isEmpty() {
        return messages.isEmpty();
    }

    /** Where the payload of this frame is to go; null if it is to be shown. */
    @Nullable MemorySegment destination(FrameHeader header) {
        Arrival message = find(header.sequence());
        return message == null || !message.isNextPart(header)
                ? null
                : message.destination(header.payloadBytes());
    }

    /** Takes in the next bytes of a message; returns what is wrong with the frame, or null. */
    @Nullable String take(FrameHeader header, MemorySegment payload) {
        Arrival message = find(header.sequence());
        if (message == null) {
            return "sent bytes of message " + header.sequence() + ", not granted";
        }
        if (!message.isNextPart(header)) {
            return "sent bytes %d to %d of a message of %d; %d had arrived"
                    .formatted(
                            header.offset(),
                            header.offset() + payload.byteSize(),
                            message.bytes,
                            message.arrivedBytes());
        }
        message.take(payload);
        if (message.isComplete()) {
            remove(header.sequence());
        }
        return null;
    }

    /** The message that flows into this receive; null if there is none. */
    @Nullable Arrival into(ReceiveOperation receive) {
        for (Arrival message : messages.values()) {
            if (message.isBoundTo(receive)) {
                return message;
            }
        }
        return null;
    }

    void failAll(RuntimeException failure) {
        messages.values().forEach(message -> message.fail(failure));
        messages.clear();
        last = null;
    }

    void report(ChannelReport.Collector collector) {
        for (Arrival message : messages.values()) {
            ReceiveOperation receive = message.receiver();
            if (receive != null) {
                collector.addFlowing(message, receive);
            }
        }
    }

    private @Nullable Arrival find(long number) {
        Arrival message = last;
        if (message == null || message.number != number) {
            message = messages.get(number);
            last = message;
        }
        return message;
    }
}
