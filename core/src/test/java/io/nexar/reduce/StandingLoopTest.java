package io.nexar.reduce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;

/** Needs no Vector API: the loops here are the test's own. */
class StandingLoopTest {
    private static final StackWalker WALKER =
            StackWalker.getInstance(
                    java.util.Set.of(
                            StackWalker.Option.RETAIN_CLASS_REFERENCE,
                            StackWalker.Option.SHOW_HIDDEN_FRAMES));

    private final MemorySegment left = MemorySegment.ofArray(new byte[1]);
    private final MemorySegment right = MemorySegment.ofArray(new byte[2]);
    private final MemorySegment target = MemorySegment.ofArray(new byte[3]);

    @Test
    void handsEachArgumentOnInItsPlace() {
        Recorder recorder = new Recorder(null);
        StandingLoop loop = new StandingLoop(recorder);
        loop.reduce(left, 1, right, 2, target, 3, 4);
        loop.divide(target, 5, 6, 7);
        assertThat(recorder.calls)
                .isEqualTo("reduce 1 1 2 2 3 3 4 by a handle; divide 3 5 6 7 by a handle; ");
    }

    @Test
    void throwsWhatTheLoopThrows() {
        IllegalStateException closed = new IllegalStateException("closed");
        StandingLoop loop = new StandingLoop(new Recorder(closed));
        assertThatThrownBy(() -> loop.reduce(left, 0, right, 0, target, 0, 0)).isSameAs(closed);
        assertThatThrownBy(() -> loop.divide(target, 0, 0, 1)).isSameAs(closed);
        StandingLoop failing = new StandingLoop(new Recorder(new AssertionError("an error")));
        assertThatThrownBy(() -> failing.reduce(left, 0, right, 0, target, 0, 0))
                .isInstanceOf(AssertionError.class)
                .hasMessage("an error");
    }

    /** Writes down what it is called with, and how. */
    private static final class Recorder implements VectorLoop {
        private final @Nullable Throwable failure;
        private String calls = "";

        Recorder(@Nullable Throwable failure) {
            this.failure = failure;
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
            calls +=
                    "reduce %d %d %d %d %d %d %d%s; "
                            .formatted(
                                    left.byteSize(),
                                    leftOffset,
                                    right.byteSize(),
                                    rightOffset,
                                    target.byteSize(),
                                    targetOffset,
                                    bytes,
                                    caller());
            fail();
        }

        @Override
        public void divide(MemorySegment target, long offset, long bytes, int worldSize) {
            calls +=
                    "divide %d %d %d %d%s; "
                            .formatted(target.byteSize(), offset, bytes, worldSize, caller());
            fail();
        }

        private void fail() {
            if (failure instanceof RuntimeException e) {
                throw e;
            } else if (failure instanceof Error e) {
                throw e;
            }
        }

        /** A direct call could be inlined. */
        private static String caller() {
            Class<?> from =
                    WALKER.walk(
                            frames -> frames.skip(2).findFirst().orElseThrow().getDeclaringClass());
            return from.getName().startsWith("java.lang.invoke.") ? " by a handle" : "";
        }
    }
}
