package io.nexar.reduce;

import io.nexar.DataType;
import io.nexar.StandardReduceOp;

import jdk.incubator.vector.VectorOperators;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A kernel of whole vectors: finds the loop for the memory that it gets, and leaves to the plain
 * kernel what does not fill a vector, and heap memory of another element type, to which the Vector
 * API has no fast access.
 *
 * <p>Loops are made when first asked for and kept. Two threads may make the same one; either will
 * do.
 */
final class VectorKernel implements Kernel {
    /**
     * Below this the plain kernel takes a quarter of a microsecond at most. A loop of few rounds
     * would stay uncompiled for tens of thousands of calls, in which each vector is an object.
     */
    private static final int BYTES_MIN = 2048;

    /** Up to here all integers are floats of their own. */
    private static final int WORLD_SIZE_MAX = 1 << 24;

    private final DataType type;
    private final VectorOperators.Binary operator;
    private final boolean dividesNumbers;
    private final Class<? extends VectorLoop> loopClass;
    private final Kernel plain;
    private final int vectorBytes;
    private final Class<?> arrayMemory;

    private record Known(LoopCase loopCase, @Nullable VectorLoop loop) {}

    /** The array is never written: one loop more is a new array. */
    private volatile Known[] known = {};

    VectorKernel(
            DataType type, StandardReduceOp op, VectorOperators.Binary operator, Kernel plain) {
        this.type = type;
        this.operator = operator;
        this.dividesNumbers = op == StandardReduceOp.AVG && type.isFloatingPoint();
        this.loopClass = type == DataType.BF16 ? Bf16Loop.class : NumberLoop.class;
        this.plain = plain;
        LoopCase any = new LoopCase(type, operator, Object.class, Object.class, Object.class);
        this.vectorBytes = any.species().vectorByteSize();
        this.arrayMemory = arrayMemory(any.species().elementType()).getClass();
    }

    private static MemorySegment arrayMemory(Class<?> elements) {
        if (elements == byte.class) {
            return MemorySegment.ofArray(new byte[0]);
        } else if (elements == short.class) {
            return MemorySegment.ofArray(new short[0]);
        } else if (elements == int.class) {
            return MemorySegment.ofArray(new int[0]);
        } else if (elements == long.class) {
            return MemorySegment.ofArray(new long[0]);
        }
        return elements == float.class
                ? MemorySegment.ofArray(new float[0])
                : MemorySegment.ofArray(new double[0]);
    }

    @Override
    public void reduce(
            MemorySegment left,
            long leftOffset,
            MemorySegment right,
            long rightOffset,
            MemorySegment target,
            long targetOffset,
            long items) {
        long bytes = items * type.bytes();
        long whole = bytes - bytes % vectorBytes;
        VectorLoop loop = bytes < BYTES_MIN ? null : loop(left, right, target);
        if (loop == null) {
            plain.reduce(left, leftOffset, right, rightOffset, target, targetOffset, items);
            return;
        }
        loop.reduce(left, leftOffset, right, rightOffset, target, targetOffset, whole);
        if (whole < bytes) {
            plain.reduce(
                    left,
                    leftOffset + whole,
                    right,
                    rightOffset + whole,
                    target,
                    targetOffset + whole,
                    (bytes - whole) / type.bytes());
        }
    }

    /** Halves are F32 between the operands, which the plain kernel does. */
    @Override
    public void combine(Operands operands, MemorySegment target, long targetOffset, long items) {
        if (type == DataType.BF16) {
            plain.combine(operands, target, targetOffset, items);
        } else {
            Kernel.super.combine(operands, target, targetOffset, items);
        }
    }

    @Override
    public boolean finishes() {
        return plain.finishes();
    }

    @Override
    public void scale(MemorySegment target, long offset, long items, int worldSize) {
        long bytes = items * type.bytes();
        boolean isFit = dividesNumbers && bytes >= BYTES_MIN && worldSize <= WORLD_SIZE_MAX;
        VectorLoop loop = isFit ? loop(target, target, target) : null;
        if (loop == null) {
            plain.scale(target, offset, items, worldSize);
            return;
        }
        long whole = bytes - bytes % vectorBytes;
        loop.divide(target, offset, whole, worldSize);
        plain.scale(target, offset + whole, (bytes - whole) / type.bytes(), worldSize);
    }

    private @Nullable VectorLoop loop(
            MemorySegment left, MemorySegment right, MemorySegment target) {
        for (Known each : known) {
            if (each.loopCase.isFor(left, right, target)) {
                return each.loop;
            }
        }
        return add(left, right, target);
    }

    private @Nullable VectorLoop add(
            MemorySegment left, MemorySegment right, MemorySegment target) {
        LoopCase loopCase =
                new LoopCase(type, operator, left.getClass(), right.getClass(), target.getClass());
        VectorLoop loop =
                isFast(left) && isFast(right) && isFast(target)
                        ? new StandingLoop(LoopClasses.copy(loopClass, loopCase))
                        : null;
        Known[] before = known;
        Known[] after = Arrays.copyOf(before, before.length + 1);
        after[before.length] = new Known(loopCase, loop);
        known = after;
        return loop;
    }

    private boolean isFast(MemorySegment memory) {
        return memory.isNative() || memory.getClass() == arrayMemory;
    }
}
