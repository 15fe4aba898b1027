package io.nexar.fabric;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A message that has begun to arrive. A small one comes whole and is held until a receive asks for
 * it; a large one is only announced, and its bytes are granted once a receive has memory for them.
 * A receive that times out in the middle gives the message back: what has come is then held, the
 * rest flows there too, and the next receive that matches gets all of it. Guarded by the progress
 * lock.
 */
final class Arrival {
    final int source;
    final int tag;
    final long number;
    final long bytes;
    private final MessageSource origin;
    private long creditBytes;
    private boolean granted;
    private long arrivedBytes;
    private @Nullable MemorySegment held;
    private @Nullable ReceiveOperation receiver;

    private Arrival(MessageSource origin, int tag, long number, long bytes, long creditBytes) {
        this.origin = origin;
        this.source = origin.rank();
        this.tag = tag;
        this.number = number;
        this.bytes = bytes;
        this.creditBytes = creditBytes;
    }

    /** A small message: the payload is looked at until {@link #hold} or a receive copies it. */
    static Arrival whole(MessageSource origin, int tag, long number, MemorySegment payload) {
        long bytes = payload.byteSize();
        Arrival message =
                new Arrival(origin, tag, number, bytes, bytes + FabricSettings.MESSAGE_COST_BYTES);
        message.granted = true;
        message.arrivedBytes = bytes;
        message.held = payload;
        return message;
    }

    static Arrival announced(MessageSource origin, int tag, long number, long bytes) {
        return new Arrival(origin, tag, number, bytes, FabricSettings.MESSAGE_COST_BYTES);
    }

    boolean isGranted() {
        return granted;
    }

    boolean isComplete() {
        return arrivedBytes == bytes;
    }

    /** Copies a whole message out of the link's memory, since nobody waits for it yet. */
    void hold() {
        MemorySegment payload = held;
        if (payload != null) {
            held = MemorySegment.ofArray(new byte[(int) bytes]).copyFrom(payload);
        }
    }

    /** Hands the message to a receive; its bytes follow if they are not here yet. */
    void bind(ReceiveOperation receive) {
        origin.returnMessageCredit(creditBytes);
        creditBytes = 0;
        boolean fits = receive.accept(this);
        MemorySegment here = held;
        held = null;
        if (fits) {
            receiver = receive;
            if (here != null) {
                receive.write(here.asSlice(0, arrivedBytes), 0);
            }
        }
        if (granted) {
            finishIfComplete();
        } else {
            granted = true;
            origin.grant(this, fits);
        }
    }

    /** Takes in the next bytes of a granted message. */
    void take(MemorySegment part) {
        if (receiver != null) {
            receiver.write(part, arrivedBytes);
        } else if (held != null) {
            MemorySegment.copy(part, 0, held, arrivedBytes, part.byteSize());
        }
        arrivedBytes += part.byteSize();
        finishIfComplete();
    }

    long arrivedBytes() {
        return arrivedBytes;
    }

    /** The receive that its bytes flow into; null if nobody has asked for it yet. */
    @Nullable ReceiveOperation receiver() {
        return receiver;
    }

    boolean isBoundTo(ReceiveOperation receive) {
        return receiver == receive;
    }

    /** Parts with a receive that gave up in the middle; what it had is kept here. */
    void unbind(ReceiveOperation receive) {
        MemorySegment memory = Arena.ofAuto().allocate(bytes);
        MemorySegment.copy(receive.target, 0, memory, 0, arrivedBytes);
        held = memory;
        receiver = null;
        receive.giveBack();
    }

    /** Ends the receive that waits for the rest of this message, if there is one. */
    void fail(RuntimeException failure) {
        if (receiver != null) {
            receiver.fail(failure);
        }
    }

    /** Takes the receive off this message, which its sender has withdrawn; null if it had none. */
    @Nullable ReceiveOperation release() {
        ReceiveOperation receive = receiver;
        receiver = null;
        if (receive != null) {
            receive.giveBack();
        }
        return receive;
    }

    private void finishIfComplete() {
        if (receiver != null && isComplete()) {
            receiver.succeed();
        }
    }
}
