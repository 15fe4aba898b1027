package io.nexar.reduce;

import io.nexar.DataType;
import io.nexar.ReduceOp;
import io.nexar.StandardReduceOp;
import io.nexar.UserReduceOp;

import java.util.EnumMap;
import java.util.Map;

/**
 * The one table of kernels: what combines elements of a type with an operation. Made once; a user's
 * operation gets its kernel when it is asked for.
 *
 * <p>All number kernels work alike: a block of both operands is copied into arrays, a loop over
 * arrays combines them, and the block is copied out. HotSpot turns such loops into vector
 * instructions. Of a loop over two memories that might be one it makes single ones, which take
 * longer than those copies.
 */
public final class Kernels {
    private static final Map<DataType, Map<StandardReduceOp, Kernel>> TABLE = table();

    private Kernels() {}

    /**
     * Returns the kernel of this operation on elements of this type.
     *
     * @throws IllegalArgumentException if the type does not have the operation
     */
    public static Kernel find(ReduceOp op, DataType type) {
        Kernel kernel =
                switch (op) {
                    case StandardReduceOp standard ->
                            TABLE.getOrDefault(type, Map.of()).get(standard);
                    case UserReduceOp user ->
                            user.supports(type) ? UserKernel.of(user, type) : null;
                };
        if (kernel == null) {
            throw new IllegalArgumentException(
                    "%s does not apply to %s elements".formatted(op.name(), type));
        }
        return kernel;
    }

    private static Map<DataType, Map<StandardReduceOp, Kernel>> table() {
        Map<DataType, Map<StandardReduceOp, Kernel>> table = new EnumMap<>(DataType.class);
        for (DataType type : DataType.values()) {
            Map<StandardReduceOp, Kernel> row = new EnumMap<>(StandardReduceOp.class);
            for (StandardReduceOp op : StandardReduceOp.values()) {
                if (op.supports(type)) {
                    row.put(op, make(op, type));
                }
            }
            table.put(type, row);
        }
        return table;
    }

    private static Kernel make(StandardReduceOp op, DataType type) {
        return switch (type) {
            case F64 -> DoubleKernel.find(op);
            case F32, F16, BF16 -> FloatOperations.find(op, type);
            case I8, I16, I32, U8, U16, U32 -> IntOperations.find(op, type);
            case I64, U64 -> LongOperations.find(op, type);
            case F32_I32, F64_I64, I32_I32, I64_I64 -> PairKernel.find(op, type);
        };
    }
}
