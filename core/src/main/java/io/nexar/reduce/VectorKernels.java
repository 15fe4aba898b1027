package io.nexar.reduce;

import io.nexar.DataType;
import io.nexar.StandardReduceOp;

import jdk.incubator.vector.VectorOperators;

import org.jspecify.annotations.Nullable;

/**
 * Kernels that read, combine and write the memory of both operands vector by vector, without the
 * copies of the plain ones. What has no vector form here stays plain: pairs, LAND LOR LXOR, which
 * nobody runs over much, and F16, for which the API has no conversions, while plain loops become
 * the machine's.
 *
 * @param plain for those, and for what does not fill a vector
 */
record VectorKernels(KernelSource plain) implements KernelSource {
    @Override
    public Kernel kernel(StandardReduceOp op, DataType type) {
        Kernel kernel = plain.kernel(op, type);
        VectorOperators.Binary operator =
                type.isPair() || type == DataType.F16 ? null : operator(op, type.isUnsigned());
        return operator == null ? kernel : new VectorKernel(type, op, operator, kernel);
    }

    private static VectorOperators.@Nullable Binary operator(
            StandardReduceOp op, boolean isUnsigned) {
        return switch (op) {
            case SUM, AVG -> VectorOperators.ADD;
            case PROD -> VectorOperators.MUL;
            case MIN -> isUnsigned ? VectorOperators.UMIN : VectorOperators.MIN;
            case MAX -> isUnsigned ? VectorOperators.UMAX : VectorOperators.MAX;
            case BAND -> VectorOperators.AND;
            case BOR -> VectorOperators.OR;
            case BXOR -> VectorOperators.XOR;
            case LAND, LOR, LXOR, MINLOC, MAXLOC -> null;
        };
    }
}
