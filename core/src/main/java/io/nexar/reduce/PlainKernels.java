package io.nexar.reduce;

import io.nexar.DataType;
import io.nexar.StandardReduceOp;

/**
 * Kernels that need nothing but Java, of every operation and type.
 *
 * <p>All number kernels work alike: a block of both operands is copied into arrays, a loop over
 * arrays combines them, and the block is copied out. HotSpot turns such loops into vector
 * instructions. Of a loop over two memories that might be one it makes single ones, which take
 * longer than those copies.
 */
record PlainKernels() implements KernelSource {
    @Override
    public Kernel kernel(StandardReduceOp op, DataType type) {
        return switch (type) {
            case F64 -> DoubleKernel.find(op);
            case F32, F16, BF16 -> FloatOperations.find(op, type);
            case I8, I16, I32, U8, U16, U32 -> IntOperations.find(op, type);
            case I64, U64 -> LongOperations.find(op, type);
            case F32_I32, F64_I64, I32_I32, I64_I64 -> PairKernel.find(op, type);
        };
    }
}
