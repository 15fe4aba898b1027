package io.nexar.fabric;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/** Messages of a rank to itself: matched like others, copied once, no link. */
final class Loopback implements MessageSource {
    private final int rank;
    private final Matcher matcher;
    private final FabricSettings settings;
    private final Map<Long, SendOperation> announced = new HashMap<>();
    private long heldBytes;
    private long nextNumber;

    Loopback(int rank, Matcher matcher, FabricSettings settings) {
        this.rank = rank;
        this.matcher = matcher;
        this.settings = settings;
    }

    /** Small messages are done at once while credit lasts; the others when they are received. */
    void send(SendOperation send) {
        send.number = nextNumber++;
        long cost = send.bytes + FabricSettings.MESSAGE_COST_BYTES;
        if (send.bytes <= settings.eagerBytes()
                && heldBytes + cost <= settings.messageCreditBytes()) {
            heldBytes += cost;
            matcher.arrive(Arrival.whole(this, send.tag, send.number, send.whole()));
            send.handedOver();
        } else {
            heldBytes += FabricSettings.MESSAGE_COST_BYTES;
            send.phase = SendOperation.Phase.ANNOUNCED;
            announced.put(send.number, send);
            matcher.arrive(Arrival.announced(this, send.tag, send.number, send.bytes));
        }
    }

    boolean cancel(SendOperation send) {
        if (announced.remove(send.number) == null) {
            return false;
        }
        Arrival message = matcher.withdraw(rank, send.number);
        if (message != null) {
            message.withdrawn();
        }
        return message != null;
    }

    void failAll(RuntimeException failure) {
        announced.values().forEach(send -> send.fail(failure));
        announced.clear();
    }

    void report(ChannelReport.Collector collector) {
        announced.values().forEach(collector::addUnsent);
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public void returnMessageCredit(long bytes) {
        heldBytes -= bytes;
    }

    @Override
    public void grant(Arrival message, boolean fits) {
        SendOperation send = announced.remove(message.number);
        if (send == null) {
            return;
        }
        while (fits && send.sentBytes < send.bytes) {
            MemorySegment part = send.next(settings.partBytes());
            message.take(part);
            send.sentBytes += part.byteSize();
        }
        send.handedOver();
    }
}
