package io.nexar.fabric;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * The messages of one channel: what is started, given up and taken back. A message may come from
 * several places, and go to several, whatever the other side does. Guarded by the progress lock.
 */
public final class Mailbox {
    private final Channel channel;
    private final Fabric fabric;
    private final Matcher matcher;
    private final Loopback loopback;

    Mailbox(Channel channel, Fabric fabric, int rank) {
        this.channel = channel;
        this.fabric = fabric;
        this.matcher = new Matcher();
        this.loopback = new Loopback(rank, matcher, fabric.settings());
    }

    /** Starts a message; its payload must not change until the operation is over. */
    public SendOperation send(int dest, int tag, MemorySegment... payload) {
        SendOperation send = new SendOperation(dest, tag, MessageMemory.of(payload));
        PeerPort port = channel.portTo(dest);
        send.confine(true);
        if (channel.isClosed()) {
            send.fail(channel.closedFailure());
        } else if (port == null) {
            loopback.send(send);
        } else if (port.isGone()) {
            send.fail(channel.failure(port));
        } else {
            port.send(send);
            fabric.flush();
        }
        send.confine(false);
        if (!send.isDone()) {
            send.begunNanos = fabric.nowNanos();
        }
        return send;
    }

    /** Starts a receive, {@code -1} meaning any source or tag. */
    public ReceiveOperation receive(int source, int tag, MemorySegment... target) {
        return post(new ReceiveOperation(source, tag, MessageMemory.of(target)));
    }

    /**
     * The same into memory that is made when the message's size is known.
     *
     * @param bytesMax a longer message is refused
     */
    public ReceiveOperation receive(
            int source, int tag, long bytesMax, LongFunction<MemorySegment> fitted) {
        return post(new ReceiveOperation(source, tag, bytesMax, fitted));
    }

    /**
     * Waits for a message, {@code -1} meaning any source or tag.
     *
     * @param takes whether to take it out of matching
     */
    public ProbeOperation probe(int source, int tag, boolean takes) {
        return post(new ProbeOperation(source, tag, takes));
    }

    /** The same of what is here now; null if nothing is, though something may still come. */
    public @Nullable ProbeOperation tryProbe(int source, int tag, boolean takes) {
        ProbeOperation probe = new ProbeOperation(source, tag, takes);
        if (channel.isClosed()) {
            probe.fail(channel.closedFailure());
        } else if (!matcher.tryPost(probe)) {
            RuntimeException hopeless = channel.whyNobodyCanSend(source);
            if (hopeless == null) {
                return null;
            }
            probe.fail(hopeless);
        }
        return probe;
    }

    /** Receives the message that this operation has taken out of matching. */
    public ReceiveOperation receive(ProbeOperation taker, MemorySegment... target) {
        Arrival message = taker.taken();
        ReceiveOperation receive =
                new ReceiveOperation(message.source, message.tag, MessageMemory.of(target));
        if (channel.isClosed()) {
            receive.fail(channel.closedFailure());
        } else {
            receive.begunNanos = fabric.nowNanos();
            matcher.receive(message, receive);
        }
        return receive;
    }

    /**
     * Gives up waiting: nothing is consumed, a message that was flowing in is kept for the next one
     * that matches. It ends with the failure given, unless it is over already.
     */
    public void giveUp(MessageWait wait, RuntimeException failure) {
        if (wait.isDone()) {
            return;
        }
        if (!matcher.remove(wait) && wait instanceof ReceiveOperation receive) {
            PeerPort port = receive.isMatched() ? channel.portTo(receive.status().source()) : null;
            Arrival message = port == null ? null : port.flowingTo(receive);
            if (message != null && message.unbind(receive)) {
                matcher.giveBack(message);
            }
        }
        wait.fail(failure);
    }

    /**
     * Gives up a message: it is taken back if nothing of it has been sent, else the rest goes on
     * from a copy. The operation ends with the failure given, unless it is over already.
     */
    public void giveUp(SendOperation send, RuntimeException failure) {
        if (!send.isDone() && !cancel(send)) {
            send.detach();
        }
        send.fail(failure);
    }

    /** Takes a wait back if no message has come. */
    public boolean cancel(MessageWait wait) {
        return matcher.remove(wait);
    }

    /** Takes a message back if nothing of it has been sent. */
    public boolean cancel(SendOperation send) {
        PeerPort port = channel.portTo(send.dest);
        if (send.isDone()) {
            return false;
        }
        if (port == null) {
            return loopback.cancel(send);
        }
        boolean cancelled = port.outbox().cancel(send);
        port.advance(); // the peer must hear of it before what is sent next
        fabric.flush();
        return cancelled;
    }

    /** Whether anybody waits for a message that has not come. */
    public boolean isAwaited() {
        return matcher.isAwaited();
    }

    /** Those who wait for a message that has not come, in the order in which they began. */
    public List<MessageWait> waits() {
        return matcher.waits();
    }

    Matcher matcher() {
        return matcher;
    }

    /** Ends what waits for this rank that is gone, and what waits for anybody if nobody is left. */
    void handleGone(int rank, Supplier<Boolean> isNobodyLeft, RuntimeException failure) {
        matcher.failWaits(wait -> wait.source == rank, failure);
        if (isNobodyLeft.get()) {
            matcher.failWaits(wait -> wait.source == MessageWait.ANY, failure);
        }
    }

    void failAll(RuntimeException failure) {
        matcher.failAll(failure);
        loopback.failAll(failure);
    }

    void report(ChannelReport.Collector collector) {
        matcher.report(collector);
        loopback.report(collector);
    }

    private <T extends MessageWait> T post(T wait) {
        if (channel.isClosed()) {
            wait.fail(channel.closedFailure());
            return wait;
        }
        matcher.post(wait);
        if (wait.isDone()) {
            return wait;
        }
        wait.begunNanos = fabric.nowNanos();
        RuntimeException hopeless = wait.isMatched() ? null : channel.whyNobodyCanSend(wait.source);
        if (hopeless != null && matcher.remove(wait)) {
            wait.fail(hopeless);
        }
        return wait;
    }
}
