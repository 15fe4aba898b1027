package io.nexar.reduce;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.Objects;

/**
 * Copies the class of a loop, one copy for each {@link LoopCase}. The Vector API becomes vector
 * instructions only where the compiler knows the operation and the class of every memory segment.
 * One class for all would be compiled for all of them together: a call for each access, thirty
 * times slower. A copy is compiled for its own case, which it holds as a constant.
 */
final class LoopClasses {
    private LoopClasses() {}

    /** Makes a copy of the loop. */
    static VectorLoop copy(Class<? extends VectorLoop> loop, LoopCase loopCase) {
        try {
            Lookup copy =
                    MethodHandles.lookup()
                            .defineHiddenClassWithClassData(bytes(loop), loopCase, true);
            return (VectorLoop)
                    copy.findConstructor(copy.lookupClass(), MethodType.methodType(void.class))
                            .invoke();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("cannot copy " + loop.getName(), e);
        }
    }

    private static byte[] bytes(Class<?> loop) {
        try (InputStream in = loop.getResourceAsStream(loop.getSimpleName() + ".class")) {
            return Objects.requireNonNull(in, loop.getName()).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + loop.getName(), e);
        }
    }

    /** Returns the case that the calling copy was made for. */
    static LoopCase caseOf(Lookup copy) {
        try {
            return MethodHandles.classData(copy, ConstantDescs.DEFAULT_NAME, LoopCase.class);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("not the lookup of " + copy.lookupClass(), e);
        }
    }
}
