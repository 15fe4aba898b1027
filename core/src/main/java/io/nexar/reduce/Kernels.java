package io.nexar.reduce;

import io.nexar.DataType;
import io.nexar.ReduceOp;
import io.nexar.StandardReduceOp;

import java.util.EnumMap;
import java.util.Map;

/**
 * The one table of kernels: which class combines elements of a type with an operation. A new pair
 * is a new entry here and nothing else.
 */
public final class Kernels {
    private static final Map<DataType, Map<StandardReduceOp, Kernel>> TABLE = table();

    private Kernels() {}

    /**
     * Returns the kernel of this operation on elements of this type.
     *
     * @throws IllegalArgumentException if the type does not have the operation
     * @throws UnsupportedOperationException if the pair is legal, but has no entry yet
     */
    public static Kernel find(ReduceOp op, DataType type) {
        if (!op.supports(type)) {
            throw new IllegalArgumentException(
                    "%s does not apply to %s elements".formatted(op.name(), type));
        }
        Map<StandardReduceOp, Kernel> ofType = TABLE.get(type);
        Kernel kernel =
                ofType != null && op instanceof StandardReduceOp standard
                        ? ofType.get(standard)
                        : null;
        if (kernel == null) {
            throw new UnsupportedOperationException(
                    "%s of %s elements has no kernel yet; F32 F64 I32 I64 have SUM MIN MAX AVG"
                            .formatted(op.name(), type));
        }
        return kernel;
    }

    private static Map<DataType, Map<StandardReduceOp, Kernel>> table() {
        Map<DataType, Map<StandardReduceOp, Kernel>> table = new EnumMap<>(DataType.class);
        table.put(
                DataType.F32,
                numbers(
                        new F32Kernels.Sum(),
                        new F32Kernels.Min(),
                        new F32Kernels.Max(),
                        new F32Kernels.Average()));
        table.put(
                DataType.F64,
                numbers(
                        new F64Kernels.Sum(),
                        new F64Kernels.Min(),
                        new F64Kernels.Max(),
                        new F64Kernels.Average()));
        table.put(
                DataType.I32,
                numbers(
                        new I32Kernels.Sum(),
                        new I32Kernels.Min(),
                        new I32Kernels.Max(),
                        new I32Kernels.Average()));
        table.put(
                DataType.I64,
                numbers(
                        new I64Kernels.Sum(),
                        new I64Kernels.Min(),
                        new I64Kernels.Max(),
                        new I64Kernels.Average()));
        return table;
    }

    private static Map<StandardReduceOp, Kernel> numbers(
            Kernel sum, Kernel min, Kernel max, Kernel average) {
        Map<StandardReduceOp, Kernel> row = new EnumMap<>(StandardReduceOp.class);
        row.put(StandardReduceOp.SUM, sum);
        row.put(StandardReduceOp.MIN, min);
        row.put(StandardReduceOp.MAX, max);
        row.put(StandardReduceOp.AVG, average);
        return row;
    }
}
