package io.nexar.communicator;

import io.nexar.OperationContext;
import io.nexar.ProtocolException;
import io.nexar.spi.Serializer;

import java.nio.ByteBuffer;

/**
 * How objects become bytes, and how many bytes one may be.
 *
 * @param bytesMax the same on all ranks, so that what comes with more is no honest mistake
 */
public record ObjectFormat(Serializer serializer, long bytesMax) {
    /** The setting of the bound, for errors to name. */
    static final String BYTES_MAX_OPTION = "nexar.object.bytesMax";

    /** An object's bytes, if they are not too many. */
    byte[] write(Object value) {
        byte[] bytes = serializer.write(value);
        if (bytes.length > bytesMax) {
            throw new IllegalArgumentException(
                    "an object of %d bytes; %s is %d, and larger data has buffers"
                            .formatted(bytes.length, BYTES_MAX_OPTION, bytesMax));
        }
        return bytes;
    }

    /** What a rank has sent, as what the caller wants. */
    <T> T read(ByteBuffer bytes, Class<T> type, int source, OperationContext where) {
        int length = bytes.remaining();
        try {
            return serializer.read(bytes, type);
        } catch (IllegalArgumentException e) {
            throw new ProtocolException(
                    where,
                    "rank " + source,
                    "%d bytes are no %s: %s".formatted(length, type.getName(), e.getMessage()),
                    e);
        }
    }

    /** Refuses what no rank with the same settings sends. */
    ProtocolException tooLong(long bytes, int source) {
        return new ProtocolException(
                "rank " + source,
                "an object of %d bytes; %s is %d".formatted(bytes, BYTES_MAX_OPTION, bytesMax));
    }
}
