package io.nexar.reduce;

import io.nexar.DataType;
import io.nexar.StandardReduceOp;

/** Where kernels of the standard operations come from. All sources give the same bits. */
interface KernelSource {
    /** The kernel of an operation that the type has. */
    Kernel kernel(StandardReduceOp op, DataType type);
}
