package io.nexar.collective;

import io.nexar.memory.ClosedArena;
import io.nexar.reduce.FailedOperation;

import java.lang.foreign.MemorySegment;

/** Explains what the caller did to a call: closed its memory, or gave an operation that throws. */
final class ClosedMemory {
    private ClosedMemory() {}

    static IllegalStateException explain(CollectiveCall call, IllegalStateException cause) {
        return new IllegalStateException(
                "%s #%s: %s"
                        .formatted(
                                call.plan().request().operation().methodName(),
                                Long.toUnsignedString(call.sequence()),
                                problem(call, cause)),
                cause);
    }

    private static String problem(CollectiveCall call, IllegalStateException cause) {
        if (cause instanceof FailedOperation) {
            return String.valueOf(cause.getMessage());
        }
        ClosedArena.forgetInterrupt();
        for (int vector = 0; vector < call.vectors(); vector++) {
            if (isClosed(call.output(vector))) {
                return "the memory of the receive buffer was closed before the call was over";
            }
            if (isClosed(call.input(vector))) {
                return "the memory of the send buffer was closed before the call was over";
            }
        }
        return "memory that a peer sends from could not be read: " + cause.getMessage();
    }

    private static boolean isClosed(MemorySegment segment) {
        return !segment.scope().isAlive();
    }
}
