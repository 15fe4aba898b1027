package io.nexar.transport.tcp;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * The connection without encryption, once both ends have shown who they are: for a network that
 * everybody on it may read and write. Large payloads go from and to their own memory, without a
 * copy in between.
 */
final class PlainWire implements Wire {
    /**
     * Where a frame may begin, no more is read at once: a small one and its neighbours fit, and of
     * a large one most is still in the socket when its place is known.
     */
    private static final int HEAD_BYTES = 4 * 1024;

    /** As much as a socket takes at once, more or less. */
    private static final int PART_BYTES_MAX = 128 * 1024;

    /** Heads and small frames together, and room for the rest of a part when memory goes back. */
    private static final int SEALED_BYTES_MAX = 2 * SEAL_BYTES_MAX + PART_BYTES_MAX;

    private final SocketChannel channel;
    private final ByteBuffer taken;
    private final ByteBuffer outgoing = ByteBuffer.allocateDirect(SEALED_BYTES_MAX);

    /** The same memory: its position is how far the socket has taken it. */
    private final ByteBuffer unwritten = outgoing.duplicate();

    private final ByteBuffer[] targets = new ByteBuffer[2];
    private boolean isDrained;

    /** The part of a large payload that goes out behind {@code outgoing}. */
    private @Nullable ByteBuffer part;

    private final ByteBuffer[] both = new ByteBuffer[2];

    /**
     * @param taken what was read together with the end of the handshake
     * @param unsent the end of the handshake, as far as the socket has not taken it
     */
    PlainWire(SocketChannel channel, ByteBuffer taken, ByteBuffer unsent) {
        this.channel = channel;
        this.outgoing.put(unsent);
        this.taken = allocate(taken.remaining()).put(taken).flip();
    }

    @Override
    public ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes);
    }

    @Override
    public void beginReading() {
        isDrained = false;
    }

    @Override
    public int read(@Nullable ByteBuffer target, ByteBuffer plain) throws IOException {
        if (taken.hasRemaining()) {
            int bytes = Math.min(taken.remaining(), plain.remaining());
            plain.put(plain.position(), taken, taken.position(), bytes);
            plain.position(plain.position() + bytes);
            taken.position(taken.position() + bytes);
            return bytes;
        }
        if (isDrained) {
            return 0;
        }
        int limit = plain.limit();
        plain.limit(Math.min(limit, plain.position() + HEAD_BYTES));
        try {
            int room = plain.remaining() + (target == null ? 0 : target.remaining());
            int got = target == null ? channel.read(plain) : scatter(target, plain);
            isDrained = got < room;
            return got;
        } finally {
            plain.limit(limit);
        }
    }

    private int scatter(ByteBuffer target, ByteBuffer plain) throws IOException {
        targets[0] = target;
        targets[1] = plain;
        return (int) channel.read(targets);
    }

    @Override
    public boolean hasRoom() {
        return part == null && outgoing.position() <= SEAL_BYTES_MAX;
    }

    @Override
    public void seal(ByteBuffer source) {
        outgoing.put(source);
    }

    @Override
    public int partBytesMax() {
        return PART_BYTES_MAX;
    }

    @Override
    public void sealPart(ByteBuffer source) {
        part = source.duplicate();
        source.position(source.limit());
    }

    @Override
    public void detach() {
        ByteBuffer rest = part;
        if (rest != null) {
            part = null;
            outgoing.put(rest);
        }
    }

    @Override
    public boolean write() throws IOException {
        ByteBuffer rest = part;
        unwritten.limit(outgoing.position());
        if (rest == null) {
            if (unwritten.hasRemaining()) {
                channel.write(unwritten);
            }
        } else {
            both[0] = unwritten;
            both[1] = rest;
            channel.write(both);
        }
        if (unwritten.hasRemaining() || (rest != null && rest.hasRemaining())) {
            return false;
        }
        part = null;
        outgoing.clear();
        unwritten.clear();
        return true;
    }

    @Override
    public void dispose() {
        // Nothing native but what the collector frees.
    }
}
