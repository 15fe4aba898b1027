package io.nexar.communicator;

import io.nexar.DataBuffer;
import io.nexar.Status;
import io.nexar.fabric.Mailbox;
import io.nexar.fabric.ProbeOperation;
import io.nexar.fabric.ReceiveOperation;
import io.nexar.fabric.SendOperation;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** Point to point: checks, then starts. */
final class Messages {
    private final CommunicatorCore core;

    Messages(CommunicatorCore core) {
        this.core = core;
    }

    PendingSend send(Places places, int dest, int tag, Duration timeout) {
        Arguments.requireRank("dest", dest, core.size());
        Arguments.requireTag(tag);
        begin("send");
        try {
            return startSend(places, new Envelope(dest, tag, places.bytes()), timeout);
        } finally {
            core.progress().unlock();
        }
    }

    PendingReceive receive(Places places, int source, int tag, Duration timeout) {
        requireSource(source, tag);
        begin("receive");
        try {
            return startReceive(places, new Envelope(source, tag, places.bytes()), timeout);
        } finally {
            core.progress().unlock();
        }
    }

    /** Receives, and waits for the message; blocks. */
    Status receiveNow(Places places, int source, int tag, Duration timeout) {
        requireSource(source, tag);
        begin("receive");
        PendingReceive pending;
        try {
            pending = startReceive(places, new Envelope(source, tag, places.bytes()), timeout);
            core.progress().lookAtOnce(pending.completion());
        } finally {
            core.progress().unlock();
        }
        return pending.await();
    }

    /** Receives a message of any size up to a bound. */
    PendingReceive receive(FittedMemory memory, int source, int tag, Duration timeout) {
        requireSource(source, tag);
        return locked(
                "receive",
                () -> {
                    ReceiveOperation receive =
                            mailbox().receive(source, tag, memory.bytesMax(), memory::make);
                    return new PendingReceive(core, timeout, new Envelope(source, tag, 0), receive);
                });
    }

    Pending<Status> sendReceive(
            DataBuffer send, Envelope to, DataBuffer receive, Envelope from, Duration timeout) {
        Arguments.requireRank("dest", to.rank(), core.size());
        Arguments.requireTag(to.tag());
        requireSource(from.rank(), from.tag());
        Places into = Places.toReceive(receive);
        if (send.overlaps(receive)) {
            throw new IllegalArgumentException(
                    "send buffer (%s) and receive buffer (%s) of sendReceive overlap; they must not"
                            .formatted(send, receive));
        }
        return locked(
                "sendReceive",
                () -> {
                    PendingReceive incoming = startReceive(into, from, timeout);
                    PendingSend outgoing = startSend(Places.of(send), to, timeout);
                    return new PendingExchange(core, timeout, outgoing, incoming).watch();
                });
    }

    /**
     * Waits for a message.
     *
     * @param takes whether to take it out of matching
     */
    PendingProbe probe(int source, int tag, boolean takes, Duration timeout) {
        requireSource(source, tag);
        return locked(
                takes ? "match" : "probe",
                () -> {
                    ProbeOperation probe = mailbox().probe(source, tag, takes);
                    return new PendingProbe(core, timeout, new Envelope(source, tag, 0), probe);
                });
    }

    /** The same of what is here now. */
    Optional<ProbeOperation> tryProbe(int source, int tag, boolean takes) {
        requireSource(source, tag);
        core.progress().poll();
        String operation = takes ? "tryMatch" : "tryProbe";
        Optional<ProbeOperation> probe =
                locked(
                        operation,
                        () -> Optional.ofNullable(mailbox().tryProbe(source, tag, takes)));
        RuntimeException failure = probe.map(ProbeOperation::failure).orElse(null);
        if (failure != null) {
            throw CommunicatorCore.explain(failure, core.context(operation));
        }
        return probe;
    }

    /** Receives a message that was taken out of matching. */
    PendingReceive receive(ProbeOperation taker, Places places, Duration timeout) {
        Status message = taker.status();
        Envelope from = new Envelope(message.source(), message.tag(), places.bytes());
        return locked(
                "receive",
                () -> {
                    ReceiveOperation receive = mailbox().receive(taker, places.segments());
                    return new PendingReceive(core, timeout, from, receive);
                });
    }

    private void requireSource(int source, int tag) {
        Arguments.requireSource(source, core.size());
        Arguments.requireTagOrAny(tag);
    }

    private PendingSend startSend(Places places, Envelope to, Duration timeout) {
        SendOperation send = mailbox().send(to.rank(), to.tag(), places.segments());
        return new PendingSend(core, timeout, to, send);
    }

    private PendingReceive startReceive(Places places, Envelope from, Duration timeout) {
        ReceiveOperation receive = mailbox().receive(from.rank(), from.tag(), places.segments());
        return new PendingReceive(core, timeout, from, receive);
    }

    private Mailbox mailbox() {
        return core.channel().messages();
    }

    private <T> T locked(String operation, Supplier<T> start) {
        begin(operation);
        try {
            return start.get();
        } finally {
            core.progress().unlock();
        }
    }

    /** Takes the progress lock, unless no operation can start any more. */
    private void begin(String operation) {
        core.progress().lock();
        try {
            core.requireOpen(operation);
        } catch (RuntimeException refusal) {
            core.progress().unlock();
            throw refusal;
        }
    }
}
