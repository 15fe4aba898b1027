package io.nexar.reduce;

import org.junit.jupiter.api.Named;

import java.util.stream.Stream;

/**
 * The tables of kernels that this JVM can have: with the machine's vectors if it has the module.
 */
final class TestKernels {
    private TestKernels() {}

    static Kernels plain() {
        return new Kernels(new PlainKernels());
    }

    static Stream<Named<Kernels>> all() {
        Named<Kernels> plain = Named.of("plain", plain());
        return VectorModule.isPresent()
                ? Stream.of(plain, Named.of("vectors", new Kernels(VectorModule.source())))
                : Stream.of(plain);
    }
}
