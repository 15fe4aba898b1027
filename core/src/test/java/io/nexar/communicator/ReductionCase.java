package io.nexar.communicator;

import io.nexar.Algorithm;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.Partition;
import io.nexar.StandardReduceOp;
import io.nexar.reduce.Arithmetic;
import io.nexar.reduce.Bits;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One reduction of one type, with distinct data in every element and rank, checked on this rank
 * against exact arithmetic. Floats are drawn so that sums and products are exact and every order
 * gives one result; everything else is any bits.
 */
record ReductionCase(DataType type, StandardReduceOp op, int count, int offset, long seed) {
    private static final byte GUARD = 0x5A;
    private static final int GUARD_ELEMENTS = 5;

    /** Elements in the middle of guards, on the heap or off it. */
    private record Place(MemorySegment whole, DataBuffer buffer, long start) {}

    /** Returns the bytes of the result. */
    byte[] allReduce(Communicator world, Algorithm algorithm, boolean inPlace) {
        Place send = filled(world.rank(), world.size());
        byte[] before = bytes(send);
        Place receive = inPlace ? send : place(count, world.rank() + 1);
        Communicator view = world.withAlgorithm(algorithm);
        if (inPlace) {
            view.allReduce(send.buffer(), op);
        } else {
            view.allReduce(send.buffer(), receive.buffer(), op);
            requireSame(before, bytes(send));
        }
        require(world, receive, 0, count);
        return bytes(receive);
    }

    void reduceScatter(Communicator world, boolean inPlace) {
        Partition shares = new Partition(count, world.size());
        int first = (int) shares.offset(world.rank());
        int own = (int) shares.count(world.rank());
        Place send = filled(world.rank(), world.size());
        if (inPlace) {
            DataBuffer share = world.reduceScatter(send.buffer(), op);
            if (share.count() != own) {
                throw new AssertionError(this + ": a share of " + share);
            }
            requireGuards(send);
            requireElements(world, share.segment(), first, own);
            return;
        }
        byte[] before = bytes(send);
        Place receive = place(own, world.rank());
        world.reduceScatter(send.buffer(), receive.buffer(), op);
        requireSame(before, bytes(send));
        require(world, receive, first, own);
    }

    private void require(Communicator world, Place place, int first, int own) {
        requireGuards(place);
        requireElements(world, place.buffer().segment(), first, own);
    }

    private void requireElements(Communicator world, MemorySegment memory, int first, int own) {
        List<long[][]> all = new ArrayList<>();
        for (int rank = 0; rank < world.size(); rank++) {
            all.add(values(rank, world.size()));
        }
        for (int i = 0; i < own; i++) {
            long[] expected = expected(all, first + i);
            long at = (long) i * type.bytes();
            boolean isRight =
                    Bits.take(memory, type.valueType(), at) == expected[0]
                            && (!type.isPair()
                                    || Bits.take(
                                                    memory,
                                                    type.indexType(),
                                                    at + type.valueType().bytes())
                                            == expected[1]);
            if (!isRight) {
                throw new AssertionError(
                        "%s on rank %d of %d: element %d is %x instead of %x"
                                .formatted(
                                        this,
                                        world.rank(),
                                        world.size(),
                                        first + i,
                                        Bits.take(memory, type.valueType(), at),
                                        expected[0]));
            }
        }
    }

    private long[] expected(List<long[][]> all, int index) {
        long[] result = all.getFirst()[index];
        for (int rank = 1; rank < all.size(); rank++) {
            long[] next = all.get(rank)[index];
            if (type.isPair()) {
                result = Arithmetic.leftWins(type, op, result, next) ? result : next;
            } else {
                result = new long[] {Arithmetic.reduce(type, op, result[0], next[0])};
            }
        }
        return type.isPair()
                ? result
                : new long[] {Arithmetic.finish(type, op, result[0], all.size())};
    }

    /** What a rank brings: any rank can tell. */
    private long[][] values(int rank, int size) {
        Random random = new Random(seed * 31 + rank);
        long[][] values = new long[count][];
        for (int i = 0; i < count; i++) {
            values[i] =
                    type.isPair()
                            ? new long[] {pairValue(random), index(random)}
                            : new long[] {value(random, rank, size)};
        }
        return values;
    }

    private long value(Random random, int rank, int size) {
        if (!type.isFloatingPoint()) {
            return Bits.wild(type, random);
        }
        return switch (op) {
            // Up to 7 bits in all: exact in BF16 over 5 ranks, whatever the order.
            case SUM, AVG -> Arithmetic.ofWhole(type, random.nextInt(51) - 25 + rank % size);
            case PROD ->
                    Arithmetic.ofWhole(type, (random.nextBoolean() ? 1 : -1) << random.nextInt(3));
            default -> notNan(random);
        };
    }

    /** Of several NaNs the first one in an algorithm's order counts, so here is none. */
    private long notNan(Random random) {
        long bits = Bits.wild(type, random);
        return Arithmetic.isNan(type, bits) ? 0 : bits;
    }

    /** Few values, so that many are equal, NaNs and zeros of both signs among them. */
    private long pairValue(Random random) {
        DataType value = type.valueType();
        if (random.nextInt(4) == 0) {
            long bits = Bits.wild(value, random);
            return value.isFloatingPoint() && Arithmetic.isNan(value, bits)
                    ? Arithmetic.nan(value)
                    : bits;
        }
        return value.isFloatingPoint()
                ? Arithmetic.ofWhole(value, random.nextInt(3) - 1)
                : Arithmetic.cut(value, random.nextInt(3) - 1L);
    }

    private long index(Random random) {
        return Arithmetic.cut(type.indexType(), random.nextInt(9) - 4L);
    }

    private Place filled(int rank, int size) {
        Place place = place(count, rank);
        long[][] values = values(rank, size);
        MemorySegment memory = place.buffer().segment();
        for (int i = 0; i < count; i++) {
            long at = (long) i * type.bytes();
            Bits.put(memory, type.valueType(), at, values[i][0]);
            if (type.isPair()) {
                Bits.put(memory, type.indexType(), at + type.valueType().bytes(), values[i][1]);
            }
        }
        return place;
    }

    private Place place(int elements, int salt) {
        long bytes = (long) (offset + elements + GUARD_ELEMENTS) * type.bytes();
        MemorySegment whole = Bits.memory(type, bytes, ((seed + salt) & 1) == 0).fill(GUARD);
        long start = (long) offset * type.bytes();
        MemorySegment part = whole.asSlice(start, (long) elements * type.bytes());
        return new Place(whole, DataBuffer.of(part, type), start);
    }

    private static byte[] bytes(Place place) {
        return place.buffer().segment().toArray(ValueLayout.JAVA_BYTE);
    }

    private void requireSame(byte[] before, byte[] after) {
        if (!java.util.Arrays.equals(before, after)) {
            throw new AssertionError(this + ": the send buffer was written");
        }
    }

    private void requireGuards(Place place) {
        long end = place.start() + place.buffer().byteSize();
        for (long at = 0; at < place.whole().byteSize(); at++) {
            boolean isInside = at >= place.start() && at < end;
            if (!isInside && place.whole().get(ValueLayout.JAVA_BYTE, at) != GUARD) {
                throw new AssertionError(this + " wrote outside the buffer");
            }
        }
    }
}
