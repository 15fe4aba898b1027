package io.nexar.communicator;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Memory for one message that is made when its size is known. */
final class FittedMemory {
    private final long bytesMax;
    private byte @Nullable [] made;

    FittedMemory(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    long bytesMax() {
        return bytesMax;
    }

    /** With the progress lock held. */
    MemorySegment make(long bytes) {
        made = new byte[(int) bytes];
        return MemorySegment.ofArray(made);
    }

    /** What came, once the receive is over. */
    ByteBuffer bytes() {
        return ByteBuffer.wrap(Objects.requireNonNull(made));
    }
}
