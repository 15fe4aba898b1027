package io.nexar.transport.tcp;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The bytes of one connection as they are before encryption and after decryption. One thread at a
 * time reads; one thread at a time, under its own lock, seals and writes.
 */
interface Wire {
    /** What is sealed at once, at most: TLS takes no more into a record (RFC 8446, 5.1). */
    int SEAL_BYTES_MAX = 16 * 1024;

    /** Memory for bytes in the clear, of the kind that is handled fastest. */
    ByteBuffer allocate(int bytes);

    /** A new poll begins: the socket is worth another look. */
    void beginReading();

    /**
     * Brings some bytes, without blocking: into {@code target} first, if there is one, then into
     * {@code plain}, which has room for {@link #SEAL_BYTES_MAX}.
     *
     * @return how many; 0: none now; -1: the peer has ended the connection
     */
    int read(@Nullable ByteBuffer target, ByteBuffer plain) throws IOException;

    /** The peer may be waiting for what is sealed next. */
    default void beginWriting() {}

    /** Whether {@link #seal} may be called before the next {@link #write}. */
    boolean hasRoom();

    /** Takes all of {@code source}, at most {@link #SEAL_BYTES_MAX} bytes. */
    void seal(ByteBuffer source) throws IOException;

    /** How much of a large payload {@link #sealPart} takes at once. */
    int partBytesMax();

    /**
     * Takes all of a part of a large payload. Its memory must not change until the peer has
     * acknowledged it, or {@link #detach} was called.
     */
    void sealPart(ByteBuffer part) throws IOException;

    /** Refers to the memory of payloads no longer. */
    void detach();

    /** Writes without blocking; true if all is written. */
    boolean write() throws IOException;

    /** Frees native memory. Safe at any time: later calls fail or bring nothing. */
    void dispose();
}
