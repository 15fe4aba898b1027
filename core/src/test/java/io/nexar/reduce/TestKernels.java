package io.nexar.reduce;

import org.junit.jupiter.api.Named;

import java.util.stream.Stream;

/** The table of kernels that this JVM has; the build runs these tests with and without vectors. */
final class TestKernels {
    private TestKernels() {}

    static Stream<Named<Kernels>> all() {
        return Stream.of(
                VectorModule.isPresent()
                        ? Named.of("vectors", new Kernels(VectorModule.source()))
                        : Named.of("plain", new Kernels(new PlainKernels())));
    }
}
