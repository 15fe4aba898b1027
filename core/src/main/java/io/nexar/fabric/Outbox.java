package io.nexar.fabric;

import io.nexar.transport.Lane;
import io.nexar.transport.SendResult;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/**
 * What one channel has to send to one peer, in the order in which it was given.
 *
 * <p>A small message goes out whole, on credit, before its receive is known. A large one is
 * announced in its turn, so that the order of matching is the order of sending; its bytes move only
 * once the peer has memory for them, on a lane of their own, several messages taking turns. A
 * message whose memory its sender closes on the way ends there, and is taken back here. Guarded by
 * the progress lock.
 */
final class Outbox {
    /** GRANT with this flag: the message is not wanted, its sender is done with it. */
    static final int DISCARD = 1;

    private final PeerPort port;
    private final FabricSettings settings;
    private final FrameHeader header = new FrameHeader();
    private final ArrayDeque<SendOperation> waiting = new ArrayDeque<>();
    private final Map<Long, SendOperation> announced = new HashMap<>();
    private final ArrayDeque<SendOperation> flowing = new ArrayDeque<>();
    private final ArrayDeque<Withdrawal> withdrawals = new ArrayDeque<>();
    private long creditBytes;
    private long nextNumber;

    /** Told on the lane of what was sent last of the message, behind it. */
    private record Withdrawal(long number, Lane lane) {}

    Outbox(PeerPort port, FabricSettings settings) {
        this.port = port;
        this.settings = settings;
        this.creditBytes = settings.messageCreditBytes();
    }

    /** Begins it at once where nothing is ahead of it, else in its turn. */
    void add(SendOperation send) {
        boolean isNext = waiting.isEmpty() && withdrawals.isEmpty();
        if (!isNext || !isBegunOrDropped(send)) {
            waiting.add(send);
        }
    }

    void addCredit(long bytes) {
        creditBytes += bytes;
        if (creditBytes > settings.messageCreditBytes()) {
            throw port.violation("returned more message credit than it was given");
        }
    }

    /** Sends what credit and the link allow. Returns the number of frames. */
    int advance() {
        int frames = 0;
        while (!withdrawals.isEmpty() && withdraw(withdrawals.peek())) {
            withdrawals.remove();
            frames++;
        }
        while (!waiting.isEmpty() && isBegunOrDropped(waiting.peek())) {
            waiting.remove();
            frames++;
        }
        while (!flowing.isEmpty() && isSentOrDropped(flowing.peek())) {
            SendOperation send = flowing.remove();
            if (send.isDropped()) {
                withdrawals.add(new Withdrawal(send.number, Lane.BULK));
            } else if (send.sentBytes < send.bytes) {
                flowing.add(send);
            } else {
                send.handedOver();
            }
            frames++;
        }
        return frames;
    }

    private boolean isBegunOrDropped(SendOperation send) {
        try {
            return begin(send);
        } catch (IllegalStateException closed) {
            send.drop(closed);
            return true;
        }
    }

    private boolean isSentOrDropped(SendOperation send) {
        try {
            return sendPart(send);
        } catch (IllegalStateException closed) {
            send.drop(closed);
            return true;
        }
    }

    void onGrant(long number, int flags) {
        SendOperation send = announced.remove(number);
        if (send == null) {
            if (!withdrawnOrAsked(number)) {
                throw port.violation("granted message " + number + ", which was not announced");
            }
            return;
        }
        if ((flags & DISCARD) != 0) {
            send.handedOver();
        } else {
            send.phase = SendOperation.Phase.FLOWING;
            flowing.add(send);
        }
    }

    /** Takes back a message of which nothing has been sent; false if it is under way. */
    boolean cancel(SendOperation send) {
        switch (send.phase) {
            case WAITING -> waiting.remove(send);
            case ANNOUNCED -> {
                announced.remove(send.number);
                withdrawals.add(new Withdrawal(send.number, Lane.MESSAGE));
            }
            case FLOWING, HANDED_OVER -> {
                return false;
            }
        }
        return true;
    }

    void failAll(RuntimeException failure) {
        waiting.forEach(send -> send.fail(failure));
        announced.values().forEach(send -> send.fail(failure));
        flowing.forEach(send -> send.fail(failure));
        waiting.clear();
        announced.clear();
        flowing.clear();
        withdrawals.clear();
    }

    void report(ChannelReport.Collector collector) {
        waiting.forEach(collector::addUnsent);
        announced.values().forEach(collector::addUnsent);
        flowing.forEach(collector::addUnsent);
    }

    /** Whether there is something that only the link or the peer's credit holds up. */
    boolean isSending() {
        return !waiting.isEmpty() || !flowing.isEmpty() || !withdrawals.isEmpty();
    }

    boolean isEmpty() {
        return waiting.isEmpty() && announced.isEmpty() && flowing.isEmpty();
    }

    /**
     * A grant may cross our withdrawal: then it is for a message that was numbered, and is gone.
     */
    private boolean withdrawnOrAsked(long number) {
        return number >= 0 && number < nextNumber;
    }

    private boolean begin(SendOperation send) {
        boolean eager = send.bytes <= settings.eagerBytes();
        long cost = FabricSettings.MESSAGE_COST_BYTES + (eager ? send.bytes : 0);
        if (creditBytes < cost) {
            return false;
        }
        header.reset(eager ? FrameKind.MESSAGE : FrameKind.ANNOUNCE)
                .tag(send.tag)
                .sequence(nextNumber)
                .extra(send.bytes)
                .payloadBytes(eager ? send.bytes : 0);
        MemorySegment payload = eager ? send.whole() : PeerPort.NOTHING;
        SendResult result = offer(Lane.MESSAGE, payload, eager ? send : null);
        if (result == SendResult.REFUSED) {
            return false;
        }
        creditBytes -= cost;
        send.number = nextNumber++;
        if (eager) {
            send.handedOver();
        } else {
            send.phase = SendOperation.Phase.ANNOUNCED;
            announced.put(send.number, send);
        }
        return true;
    }

    private boolean sendPart(SendOperation send) {
        MemorySegment part = send.next(settings.partBytes());
        header.reset(FrameKind.DATA)
                .sequence(send.number)
                .offset(send.sentBytes)
                .payloadBytes(part.byteSize());
        if (offer(Lane.BULK, part, send) == SendResult.REFUSED) {
            return false;
        }
        send.sentBytes += part.byteSize();
        return true;
    }

    private boolean withdraw(Withdrawal withdrawal) {
        header.reset(FrameKind.WITHDRAW).sequence(withdrawal.number);
        return offer(withdrawal.lane, PeerPort.NOTHING, null) != SendResult.REFUSED;
    }

    private SendResult offer(Lane lane, MemorySegment payload, @Nullable SendOperation send) {
        SendResult result = port.trySend(lane, header, payload, send, 0);
        if (result == SendResult.PENDING && send != null) {
            send.framePending();
        }
        return result;
    }
}
