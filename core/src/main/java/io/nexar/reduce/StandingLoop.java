package io.nexar.reduce;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * A loop that the compiler never makes a part of its caller. HotSpot inlines what is hot, but only
 * fifteen calls deep (MaxInlineLevel): between a link's poll and a loop are that many, and the
 * accesses to memory inside would be left as calls, four times slower. It does not look through a
 * handle that is no constant, so the loop is always compiled on its own.
 */
final class StandingLoop implements VectorLoop {
    private final MethodHandle reduce;
    private final MethodHandle divide;

    StandingLoop(VectorLoop loop) {
        this.reduce =
                bound(
                        loop,
                        "reduce",
                        MemorySegment.class,
                        long.class,
                        MemorySegment.class,
                        long.class,
                        MemorySegment.class,
                        long.class,
                        long.class);
        this.divide = bound(loop, "divide", MemorySegment.class, long.class, long.class, int.class);
    }

    private static MethodHandle bound(VectorLoop loop, String name, Class<?>... parameters) {
        try {
            return MethodHandles.lookup()
                    .findVirtual(
                            VectorLoop.class, name, MethodType.methodType(void.class, parameters))
                    .bindTo(loop);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(name + " of " + loop, e);
        }
    }

    @Override
    public void reduce(
            MemorySegment left,
            long leftOffset,
            MemorySegment right,
            long rightOffset,
            MemorySegment target,
            long targetOffset,
            long bytes) {
        try {
            reduce.invokeExact(left, leftOffset, right, rightOffset, target, targetOffset, bytes);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    @Override
    public void divide(MemorySegment target, long offset, long bytes, int worldSize) {
        try {
            divide.invokeExact(target, offset, bytes, worldSize);
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /** The loops throw nothing that is checked. */
    private static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException e ? e : new IllegalStateException(thrown);
    }
}
