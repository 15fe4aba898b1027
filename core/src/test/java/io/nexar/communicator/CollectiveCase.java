package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Algorithm;
import io.nexar.Communicator;
import io.nexar.DataType;
import io.nexar.Partition;
import io.nexar.ReduceOp;

/**
 * One collective with distinct data in every element and rank, checked on this rank against plain
 * loops. Whole numbers below 2^20 keep float sums exact, so that every order gives one result.
 */
record CollectiveCase(DataType type, int count, int offset, ReduceOp op) {
    void broadcast(Communicator world, int root) {
        TypedArray data = new TypedArray(type, offset, count);
        for (int i = 0; i < count; i++) {
            data.set(i, world.rank() == root ? value(root, i) : -1 - i);
        }
        world.broadcast(data.buffer(), root);
        for (int i = 0; i < count; i++) {
            require(data, i, TypedArray.box(type, value(root, i)));
        }
        requireGuards(data);
    }

    void allReduce(Communicator world, Algorithm algorithm, boolean inPlace) {
        TypedArray send = filled(world.rank());
        TypedArray receive = inPlace ? send : new TypedArray(type, offset, count);
        Communicator view = world.withAlgorithm(algorithm);
        if (inPlace) {
            view.allReduce(send.buffer(), op);
        } else {
            view.allReduce(send.buffer(), receive.buffer(), op);
            requireUnchanged(send, world.rank());
        }
        for (int i = 0; i < count; i++) {
            require(receive, i, reduced(world.size(), i));
        }
        requireGuards(receive);
    }

    void reduceScatter(Communicator world, boolean inPlace) {
        Partition shares = new Partition(count, world.size());
        int first = (int) shares.offset(world.rank());
        int own = (int) shares.count(world.rank());
        TypedArray send = filled(world.rank());
        if (inPlace) {
            assertThat(world.reduceScatter(send.buffer(), op).count()).isEqualTo(own);
            for (int i = 0; i < own; i++) {
                require(send, first + i, reduced(world.size(), first + i));
            }
            requireGuards(send);
            return;
        }
        TypedArray receive = new TypedArray(type, offset, own);
        world.reduceScatter(send.buffer(), receive.buffer(), op);
        for (int i = 0; i < own; i++) {
            require(receive, i, reduced(world.size(), first + i));
        }
        requireUnchanged(send, world.rank());
        requireGuards(receive);
    }

    void allGather(Communicator world, boolean inPlace) {
        int size = world.size();
        if (inPlace) {
            Partition shares = new Partition(count, size);
            TypedArray data = new TypedArray(type, offset, count);
            int first = (int) shares.offset(world.rank());
            for (int i = 0; i < shares.count(world.rank()); i++) {
                data.set(first + i, value(world.rank(), first + i));
            }
            world.allGather(data.buffer());
            for (int rank = 0; rank < size; rank++) {
                for (int i = 0; i < shares.count(rank); i++) {
                    int at = (int) shares.offset(rank) + i;
                    require(data, at, TypedArray.box(type, value(rank, at)));
                }
            }
            requireGuards(data);
            return;
        }
        TypedArray send = filled(world.rank());
        TypedArray receive = new TypedArray(type, offset, count * size);
        world.allGather(send.buffer(), receive.buffer());
        for (int i = 0; i < count * size; i++) {
            require(receive, i, TypedArray.box(type, value(i / count, i % count)));
        }
        requireUnchanged(send, world.rank());
        requireGuards(receive);
    }

    private TypedArray filled(int rank) {
        TypedArray data = new TypedArray(type, offset, count);
        for (int i = 0; i < count; i++) {
            data.set(i, value(rank, i));
        }
        return data;
    }

    /** Distinct for each rank and element; every other one negative. */
    private static long value(int rank, int index) {
        long magnitude = (long) index * 9 + rank + 1;
        return index % 2 == 0 ? magnitude : -magnitude;
    }

    private Object reduced(int size, int index) {
        long result = value(0, index);
        for (int rank = 1; rank < size; rank++) {
            long next = value(rank, index);
            if (op == ReduceOp.MIN) {
                result = next < result ? next : result;
            } else if (op == ReduceOp.MAX) {
                result = next > result ? next : result;
            } else {
                result += next;
            }
        }
        if (op != ReduceOp.AVG) {
            return TypedArray.box(type, result);
        }
        return switch (type) {
            case F32 -> (float) result / (float) size;
            case F64 -> (double) result / (double) size;
            default -> TypedArray.box(type, result / size);
        };
    }

    private void requireUnchanged(TypedArray send, int rank) {
        for (int i = 0; i < count; i++) {
            require(send, i, TypedArray.box(type, value(rank, i)));
        }
        requireGuards(send);
    }

    private void require(TypedArray data, int index, Object expected) {
        if (!data.get(index).equals(expected)) {
            throw new AssertionError(
                    "%s: element %d is %s, not %s"
                            .formatted(this, index, data.get(index), expected));
        }
    }

    private void requireGuards(TypedArray data) {
        if (!data.areGuardsWhole()) {
            throw new AssertionError(this + " wrote outside the buffer");
        }
    }
}
