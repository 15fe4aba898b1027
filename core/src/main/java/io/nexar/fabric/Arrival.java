package io.nexar.fabric;

import io.nexar.ClosedException;
import io.nexar.Scope;
import io.nexar.Status;
import io.nexar.memory.ClosedArena;
import io.nexar.memory.InPlace;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A message that has begun to arrive. A small one comes whole and is held until a receive asks for
 * it; a large one is only announced, and its bytes are granted once a receive has memory for them.
 * A receive that times out in the middle gives the message back: what has come is then held, the
 * rest flows there too, and the next receive that matches gets all of it. One that is claimed is
 * out of matching: it belongs to whoever claimed it, and costs its sender no credit any more.
 * Guarded by the progress lock.
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
    private boolean isBorrowed;
    private boolean isClaimed;
    private @Nullable ReceiveOperation receiver;
    private @Nullable RuntimeException failure;

    /** Of the part that is coming, so much may have been written to its place already. */
    private long placedBytes;

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
        message.isBorrowed = true;
        return message;
    }

    static Arrival announced(MessageSource origin, int tag, long number, long bytes) {
        return new Arrival(origin, tag, number, bytes, FabricSettings.MESSAGE_COST_BYTES);
    }

    Status status() {
        return new Status(source, tag, bytes);
    }

    boolean isComplete() {
        return arrivedBytes == bytes;
    }

    /** Copies a whole message out of the link's memory, since nobody waits for it yet. */
    void hold() {
        MemorySegment payload = held;
        if (payload != null && isBorrowed) {
            isBorrowed = false;
            held = MemorySegment.ofArray(new byte[(int) bytes]);
            keep(payload, 0);
        }
    }

    /** Copies a part to what is held; memory that the sender closed meanwhile ends the message. */
    private void keep(MemorySegment part, long at) {
        MemorySegment whole = held;
        if (whole == null) {
            return;
        }
        try {
            if (!InPlace.isAt(part, whole, at)) {
                MemorySegment.copy(part, 0, whole, at, part.byteSize());
            }
        } catch (IllegalStateException closed) {
            ClosedArena.forgetInterrupt();
            fail(closed);
        }
    }

    /** Takes it out of matching, for good. */
    void claim() {
        isClaimed = true;
        hold();
        returnCredit();
    }

    boolean isClaimed() {
        return isClaimed;
    }

    /** Hands the message to a receive; its bytes follow if they are not here yet. */
    void bind(ReceiveOperation receive) {
        returnCredit();
        if (failure != null) {
            receive.fail(failure);
            return;
        }
        boolean fits = receive.accept(this);
        MemorySegment here = held;
        held = null;
        if (fits) {
            receiver = receive;
            if (here != null) {
                receive.write(here, arrivedBytes, 0);
            }
        }
        if (granted) {
            finishIfComplete();
        } else {
            granted = true;
            origin.grant(this, fits);
        }
    }

    /** Its sender has taken it back; who claimed it gets an error when it is to be received. */
    void withdrawn() {
        returnCredit();
        if (isClaimed) {
            fail(new ClosedException(null, toString(), "its sender took it back", Scope.OPERATION));
        }
    }

    private void returnCredit() {
        origin.returnMessageCredit(creditBytes);
        creditBytes = 0;
    }

    /** Whether the frame brings what is to come next. */
    boolean isNextPart(FrameHeader header) {
        return header.offset() == arrivedBytes
                && header.payloadBytes() > 0
                && header.payloadBytes() <= bytes - arrivedBytes;
    }

    /**
     * Where the next bytes are to go, so many in one native piece; null if they are to be shown.
     */
    @Nullable MemorySegment destination(long partBytes) {
        MemorySegment kept = held;
        MemorySegment place = null;
        if (receiver != null) {
            place = receiver.destination(arrivedBytes, partBytes);
        } else if (kept != null) {
            place = kept.asSlice(arrivedBytes, partBytes);
        }
        placedBytes = place == null ? 0 : partBytes;
        return place;
    }

    /** Takes in the next bytes of a granted message. */
    void take(MemorySegment part) {
        if (receiver != null) {
            receiver.write(part, part.byteSize(), arrivedBytes);
        } else if (held != null) {
            keep(part, arrivedBytes);
        }
        placedBytes = 0;
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

    /**
     * Parts with a receive that gave up in the middle; what it had is kept here. False if that
     * can't be had any more, since the receive's memory was closed: then it stays with it.
     */
    boolean unbind(ReceiveOperation receive) {
        MemorySegment memory = Arena.ofAuto().allocate(bytes);
        try {
            receive.target.read(0, memory.asSlice(0, arrivedBytes + placedBytes));
        } catch (IllegalStateException closed) {
            ClosedArena.forgetInterrupt();
            return false;
        }
        held = memory;
        receiver = null;
        receive.giveBack();
        return true;
    }

    /** The rest of it will not come: ends the receive that waits for it, now or later. */
    void fail(RuntimeException reason) {
        failure = reason;
        held = null;
        if (receiver != null) {
            receiver.fail(reason);
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

    @Override
    public String toString() {
        return "the message of %d bytes from rank %d with tag %d".formatted(bytes, source, tag);
    }

    private void finishIfComplete() {
        if (receiver != null && isComplete()) {
            receiver.succeed();
        }
    }
}
