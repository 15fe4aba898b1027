package io.nexar.reduce;

/**
 * Whether this Java has its Vector API at hand: {@code jdk.incubator.vector}, which a program adds
 * with {@code --add-modules}. Of our classes only {@link VectorKernels} and what that uses need it;
 * they are not touched where it is missing.
 */
final class VectorModule {
    private VectorModule() {}

    static boolean isPresent() {
        return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent();
    }

    /** Kernels for it, which are to be had only where it is present. */
    static KernelSource source() {
        return new VectorKernels(new PlainKernels());
    }
}
