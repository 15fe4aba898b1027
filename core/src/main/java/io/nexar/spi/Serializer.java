package io.nexar.spi;

import java.nio.ByteBuffer;

/**
 * Turns objects into bytes and back, for the object forms of {@link io.nexar.Communicator} and for
 * {@link io.nexar.Rpc}. Found by {@link java.util.ServiceLoader}, chosen by name. Safe from any
 * number of threads.
 *
 * <p>Never load a class because the bytes name it, and never trust a length in them: what a peer
 * sends is checked first.
 */
public interface Serializer {

    /** What the settings call it. */
    String name();

    /**
     * An object's bytes.
     *
     * @throws IllegalArgumentException if it can't be written, naming its class and the reason
     */
    byte[] write(Object value);

    /**
     * The object that the bytes hold.
     *
     * @param bytes from position to limit, exactly one object
     * @param type what the caller expects
     * @throws IllegalArgumentException if the bytes hold no such object, naming what is wrong
     */
    <T> T read(ByteBuffer bytes, Class<T> type);
}
