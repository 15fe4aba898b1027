package io.nexar.transport.tcp;

import io.netty.util.ReferenceCountUtil;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * TLS 1.3 in place: the engine works between two buffers, one record a call, with no pipeline and
 * no thread of its own. Records go out together, some 32 KiB in one write.
 */
final class TlsWire implements Wire {
    /** A frame of 64 KiB is five records, and comes at once where the socket allows it. */
    private static final int NET_BYTES = 160 * 1024;

    private static final int HEADER_BYTES = 5; // RFC 8446, 5.1: type, version, u16 length

    /** RFC 8446, 5.2: a ciphertext has at most 256 bytes more than its plaintext. */
    private static final int RECORD_BYTES_MAX = HEADER_BYTES + SEAL_BYTES_MAX + 256;

    /** The engine may put one before a record when a key has served long enough. */
    private static final int KEY_UPDATE_BYTES_MAX = 64;

    /**
     * So many records go out in one write at first: the peer decrypts the first part of a frame
     * while this side encrypts the next. Whole frames were slower by a sixth, single records by
     * more system calls.
     */
    private static final int FIRST_RECORDS = 2;

    /**
     * And so many once that has begun: what the kernel does for a write is done less often. Seven
     * fill two of its segments of 64 KiB at most, as four do, which are a little more than one.
     */
    private static final int MORE_RECORDS = 7;

    private final SocketChannel channel;
    private final SSLEngine engine;
    private final boolean isDirect;
    private final int roomBytes;
    private final ByteBuffer incoming;
    private final ByteBuffer outgoing;

    /** The same memory: its position is how far the socket has taken it. */
    private final ByteBuffer unwritten;

    private final ByteBuffer[] targets = new ByteBuffer[2];
    private boolean isDrained;

    /** What lies sealed before it is written, but for the last record. */
    private int roundBytes;

    /**
     * @param isNative whether it is OpenSSL's, which wants direct buffers; the JDK's is faster with
     *     arrays
     */
    record Engine(SSLEngine ssl, boolean isNative) {}

    /**
     * @param taken what the handshake has read already
     * @param unsent the end of the handshake, as far as the socket has not taken it
     */
    TlsWire(SocketChannel channel, Engine engine, ByteBuffer taken, ByteBuffer unsent) {
        this.channel = channel;
        this.engine = engine.ssl();
        this.isDirect = engine.isNative();
        int recordBytesMax = engine.ssl().getSession().getPacketBufferSize();
        // The JDK's engine may cut what fits one record into two, and wants room for a whole one.
        this.roomBytes = (isDirect ? 1 : 2) * recordBytesMax + KEY_UPDATE_BYTES_MAX;
        this.incoming = allocate(NET_BYTES).put(taken).flip();
        this.outgoing = allocate((MORE_RECORDS - 1) * RECORD_BYTES_MAX + roomBytes).put(unsent);
        this.unwritten = outgoing.duplicate().clear();
    }

    @Override
    public ByteBuffer allocate(int bytes) {
        return isDirect ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
    }

    @Override
    public void beginReading() {
        isDrained = false;
    }

    @Override
    public int read(@Nullable ByteBuffer target, ByteBuffer plain) throws IOException {
        while (true) {
            int record = recordBytes();
            if (record == 0) {
                int got = isDrained ? 0 : fill();
                if (got <= 0) {
                    return got;
                }
                continue;
            }
            SSLEngineResult result = open(record, target, plain);
            if (result.bytesProduced() > 0) {
                return result.bytesProduced();
            }
            if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                return -1;
            }
            runTasks(result.getHandshakeStatus());
        }
    }

    /** The length of the next record if all of it is here; else 0. */
    private int recordBytes() throws SSLException {
        if (incoming.remaining() < HEADER_BYTES) {
            return 0;
        }
        int bytes = HEADER_BYTES + Short.toUnsignedInt(incoming.getShort(incoming.position() + 3));
        if (bytes > RECORD_BYTES_MAX) {
            throw new SSLException("a record of " + bytes + " bytes is no TLS 1.3 record");
        }
        return incoming.remaining() >= bytes ? bytes : 0;
    }

    private int fill() throws IOException {
        incoming.compact();
        int room = incoming.remaining();
        int got;
        try {
            got = channel.read(incoming);
        } finally {
            incoming.flip();
        }
        isDrained = got < room;
        return got;
    }

    private SSLEngineResult open(int record, @Nullable ByteBuffer target, ByteBuffer plain)
            throws SSLException {
        int end = incoming.limit();
        int before = incoming.position();
        incoming.limit(before + record);
        try {
            if (target == null) {
                return checked(engine.unwrap(incoming, plain), before);
            }
            targets[0] = target;
            targets[1] = plain;
            return checked(engine.unwrap(incoming, targets), before);
        } finally {
            incoming.limit(end);
        }
    }

    private SSLEngineResult checked(SSLEngineResult result, int before) throws SSLException {
        boolean isStuck =
                incoming.position() == before
                        && result.bytesProduced() == 0
                        && result.getStatus() != SSLEngineResult.Status.CLOSED
                        && result.getHandshakeStatus() != HandshakeStatus.NEED_TASK;
        if (isStuck) {
            throw new SSLException("TLS does not get on: " + result);
        }
        return result;
    }

    private void runTasks(HandshakeStatus status) {
        if (status == HandshakeStatus.NEED_TASK) {
            for (Runnable task = engine.getDelegatedTask();
                    task != null;
                    task = engine.getDelegatedTask()) {
                task.run();
            }
        }
    }

    @Override
    public void beginWriting() {
        roundBytes = (FIRST_RECORDS - 1) * SEAL_BYTES_MAX;
    }

    @Override
    public boolean hasRoom() {
        return outgoing.position() < roundBytes && outgoing.remaining() >= roomBytes;
    }

    @Override
    public void seal(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            int before = source.remaining();
            int produced = outgoing.position();
            SSLEngineResult result = engine.wrap(source, outgoing);
            if (result.getStatus() != SSLEngineResult.Status.OK
                    || (source.remaining() == before && outgoing.position() == produced)) {
                throw new SSLException("TLS takes nothing more: " + result);
            }
        }
    }

    @Override
    public int partBytesMax() {
        return SEAL_BYTES_MAX;
    }

    @Override
    public void sealPart(ByteBuffer part) throws IOException {
        seal(part);
    }

    @Override
    public void detach() {
        // What is sealed lies here alone.
    }

    @Override
    public boolean write() throws IOException {
        if (unwritten.limit(outgoing.position()).hasRemaining()) {
            channel.write(unwritten);
        }
        if (unwritten.hasRemaining()) {
            return false;
        }
        outgoing.clear();
        unwritten.clear();
        roundBytes = (MORE_RECORDS - 1) * SEAL_BYTES_MAX;
        return true;
    }

    @Override
    public void dispose() {
        ReferenceCountUtil.safeRelease(engine);
    }
}
