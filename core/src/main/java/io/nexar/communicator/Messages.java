package io.nexar.communicator;

import io.nexar.DataBuffer;
import io.nexar.Status;
import io.nexar.fabric.ReceiveOperation;
import io.nexar.fabric.SendOperation;

import java.time.Duration;

/** Point to point: checks, then starts. */
final class Messages {
    private final CommunicatorCore core;

    Messages(CommunicatorCore core) {
        this.core = core;
    }

    PendingSend send(DataBuffer buffer, int dest, int tag, Duration timeout) {
        Arguments.requireRank("dest", dest, core.size());
        Arguments.requireTag(tag);
        core.progress().lock();
        try {
            core.requireOpen("send");
            return startSend(buffer, new Envelope(dest, tag, buffer.byteSize()), timeout);
        } finally {
            core.progress().unlock();
        }
    }

    PendingReceive receive(DataBuffer buffer, int source, int tag, Duration timeout) {
        requireReceivable(buffer, source, tag);
        core.progress().lock();
        try {
            core.requireOpen("receive");
            return startReceive(buffer, new Envelope(source, tag, buffer.byteSize()), timeout);
        } finally {
            core.progress().unlock();
        }
    }

    Pending<Status> sendReceive(
            DataBuffer send, Envelope to, DataBuffer receive, Envelope from, Duration timeout) {
        Arguments.requireRank("dest", to.rank(), core.size());
        Arguments.requireTag(to.tag());
        requireReceivable(receive, from.rank(), from.tag());
        if (send.overlaps(receive)) {
            throw new IllegalArgumentException(
                    "send buffer (%s) and receive buffer (%s) of sendReceive overlap; they must not"
                            .formatted(send, receive));
        }
        core.progress().lock();
        try {
            core.requireOpen("sendReceive");
            PendingReceive incoming = startReceive(receive, from, timeout);
            PendingSend outgoing = startSend(send, to, timeout);
            return new PendingExchange(core, timeout, outgoing, incoming).watch();
        } finally {
            core.progress().unlock();
        }
    }

    private void requireReceivable(DataBuffer buffer, int source, int tag) {
        Arguments.requireSource(source, core.size());
        Arguments.requireTagOrAny(tag);
        Arguments.requireWritable(buffer);
    }

    private PendingSend startSend(DataBuffer buffer, Envelope to, Duration timeout) {
        SendOperation send = core.channel().send(to.rank(), to.tag(), buffer.segment());
        return new PendingSend(core, timeout, to, send);
    }

    private PendingReceive startReceive(DataBuffer buffer, Envelope from, Duration timeout) {
        ReceiveOperation receive =
                core.channel().receive(from.rank(), from.tag(), buffer.segment());
        return new PendingReceive(core, timeout, from, receive);
    }
}
