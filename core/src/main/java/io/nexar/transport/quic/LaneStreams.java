package io.nexar.transport.quic;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicStreamChannel;
import io.netty.handler.codec.quic.QuicStreamPriority;
import io.netty.util.concurrent.Future;
import io.nexar.transport.Lane;
import io.nexar.wire.Utf8;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The event loop's side of a link: its connection, and the stream of each lane. What other threads
 * ask for is done in the event loop, one task for each flush, whatever the number of frames.
 */
final class LaneStreams {
    /** Fits the smallest datagram with room for QUIC's own; a longer reason is cut. */
    private static final int REASON_BYTES_MAX = 600;

    /** Application error codes of a QUIC close; the reason is in the text. */
    static final int CODE_CLOSED = 1;

    static final int CODE_REFUSED = 2;

    /** The peer is no member any more: see {@link io.nexar.transport.Link#giveUp}. */
    static final int CODE_GIVEN_UP = 3;

    /** Heartbeats that wait for an event loop that is held up: as many as are worth anything. */
    private static final int HEARTBEATS_WAITING_MAX = 16;

    private final QuicChannel channel;
    private final Pump pump;
    private final EventLoop loop;
    private final @Nullable QuicStreamChannel[] streams = new QuicStreamChannel[Lane.COUNT];
    private final Runnable write = this::write;
    private final AtomicBoolean isWriteDue = new AtomicBoolean();
    private final AtomicInteger heartbeatsWaiting = new AtomicInteger();
    private @Nullable QuicLink link;

    LaneStreams(QuicChannel channel, Pump pump) {
        this.channel = channel;
        this.pump = pump;
        this.loop = channel.eventLoop();
    }

    ByteBufAllocator allocator() {
        return channel.alloc();
    }

    // ---- any thread ----

    /** Writes what the lanes have: at once and in this thread where that may drive the loop. */
    void writeSoon() {
        if (!pump.tryRun(write) && isWriteDue.compareAndSet(false, true)) {
            execute(write);
        }
    }

    void resumeReading(Lane lane) {
        execute(() -> {
            QuicStreamChannel stream = streams[lane.ordinal()];
            if (stream != null) {
                stream.config().setAutoRead(true);
            }
        });
    }

    /** Sends what was taken so far as far as QUIC takes it at once, then closes. */
    void closeSoon(QuicLink closing, int code, String reason) {
        boolean isAccepted =
                execute(() -> {
                    write();
                    close(code, reason);
                });
        if (!isAccepted) {
            closing.onDown(reason);
        }
    }

    boolean sendHeartbeat(byte[] payload) {
        if (heartbeatsWaiting.incrementAndGet() > HEARTBEATS_WAITING_MAX) {
            heartbeatsWaiting.decrementAndGet();
            return false;
        }
        return execute(() -> {
            heartbeatsWaiting.decrementAndGet();
            Datagrams.sendHeartbeat(channel, payload);
        });
    }

    /** False if the event loop is gone, and the connection with it. */
    private boolean execute(Runnable task) {
        try {
            loop.execute(task);
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    // ---- event loop ----

    void attach(QuicLink newLink) {
        link = newLink;
    }

    /** False if the lane has a stream already. */
    boolean tryAttach(Lane lane, QuicStreamChannel stream) {
        if (streams[lane.ordinal()] != null) {
            return false;
        }
        streams[lane.ordinal()] = stream;
        // Lower goes first; lanes of one urgency would share. Small before large: Lane's order.
        stream.updatePriority(new QuicStreamPriority(lane.ordinal(), true));
        return true;
    }

    boolean isComplete() {
        return Arrays.stream(streams).allMatch(stream -> stream != null);
    }

    void writeHello(Lane lane, int value) {
        QuicStreamChannel stream = streams[lane.ordinal()];
        if (stream != null) {
            stream.writeAndFlush(Hello.of(value));
        }
    }

    private void write() {
        isWriteDue.set(false); // before taking: what comes later makes a task of its own
        QuicLink from = link;
        if (from == null) {
            return;
        }
        for (int lane = 0; lane < Lane.COUNT; lane++) {
            QuicStreamChannel stream = streams[lane];
            if (stream != null) {
                write(from, from.outgoing(Lane.of(lane)), stream);
            }
        }
        pump.endReads();
    }

    private void write(QuicLink from, OutgoingLane lane, QuicStreamChannel stream) {
        List<ByteBuf> buffers = lane.takeAll();
        if (!buffers.isEmpty()) {
            int bytes = buffers.stream().mapToInt(ByteBuf::capacity).sum();
            stream.write(joined(buffers))
                    .addListener(written -> onWritten(from, lane, bytes, written));
        }
    }

    /** Netty sends after each write, and what is left of a buffer in a datagram of its own. */
    private ByteBuf joined(List<ByteBuf> buffers) {
        if (buffers.size() == 1) {
            return buffers.getFirst();
        }
        return allocator().compositeDirectBuffer(buffers.size()).addComponents(true, buffers);
    }

    private void onWritten(QuicLink from, OutgoingLane lane, int bytes, Future<?> written) {
        if (lane.isSenderToWakeAfter(bytes)) {
            from.wakeUp();
        }
        if (!written.isSuccess() && channel.isActive()) {
            from.close("a stream took no more: " + written.cause());
        }
    }

    void close(int code, String reason) {
        byte[] text = Utf8.cut(reason, REASON_BYTES_MAX);
        channel.close(true, code, Unpooled.directBuffer(text.length).writeBytes(text));
    }

    void keepAlive() {
        Datagrams.keepAlive(channel);
    }
}
