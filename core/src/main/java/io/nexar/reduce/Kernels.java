package io.nexar.reduce;

import io.nexar.DataType;
import io.nexar.ReduceOp;
import io.nexar.StandardReduceOp;
import io.nexar.UserReduceOp;

import java.util.EnumMap;
import java.util.Map;

/**
 * The table of kernels: what combines elements of a type with an operation. Those of standard
 * operations are made once, with the machine's vectors where {@link VectorModule} is there; a
 * user's operation gets its kernel when it is asked for.
 */
public final class Kernels {
    private static final Kernels OF_MACHINE =
            new Kernels(VectorModule.isPresent() ? VectorModule.source() : new PlainKernels());

    private final Map<DataType, Map<StandardReduceOp, Kernel>> table =
            new EnumMap<>(DataType.class);

    Kernels(KernelSource source) {
        for (DataType type : DataType.values()) {
            Map<StandardReduceOp, Kernel> row = new EnumMap<>(StandardReduceOp.class);
            for (StandardReduceOp op : StandardReduceOp.values()) {
                if (op.supports(type)) {
                    row.put(op, source.kernel(op, type));
                }
            }
            table.put(type, row);
        }
    }

    /**
     * Returns the kernel of this operation on elements of this type.
     *
     * @throws IllegalArgumentException if the type does not have the operation
     */
    public static Kernel find(ReduceOp op, DataType type) {
        return OF_MACHINE.kernel(op, type);
    }

    Kernel kernel(ReduceOp op, DataType type) {
        Kernel kernel =
                switch (op) {
                    case StandardReduceOp standard ->
                            table.getOrDefault(type, Map.of()).get(standard);
                    case UserReduceOp user ->
                            user.supports(type) ? UserKernel.of(user, type) : null;
                };
        if (kernel == null) {
            throw new IllegalArgumentException(
                    "%s does not apply to %s elements".formatted(op.name(), type));
        }
        return kernel;
    }
}
