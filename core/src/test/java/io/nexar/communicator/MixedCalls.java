package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.AsyncCommunicator;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.Neighborhood;
import io.nexar.ReduceOp;
import io.nexar.Request;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Every operation that starts and returns, with data that differs in each element, rank and call,
 * and its answer in plain loops. The number of a call says which it is and what is in it, so that
 * all ranks make the same.
 */
final class MixedCalls {
    /** How many kinds there are: call numbers go round them. */
    static final int KINDS = 20;

    /** The longest part of a rank: over a piece of 64 bytes, and over two. */
    private static final int PART_MAX = 20;

    private final Communicator communicator;
    private final AsyncCommunicator async;
    private final int size;
    private final int rank;

    MixedCalls(Communicator communicator) {
        this.communicator = communicator;
        this.async = communicator.async();
        this.size = communicator.size();
        this.rank = communicator.rank();
    }

    /** A call that was started, and what must hold when it is over. */
    record Call(Request<?> request, Runnable check) {
        void finish() {
            request.await();
            check.run();
        }
    }

    Call start(int number) {
        int part = 1 + number % PART_MAX;
        int root = number % size;
        return switch (number % KINDS) {
            case 0 -> new Call(async.barrier(), () -> {});
            case 1 -> broadcast(number, part, root);
            case 2 -> reduce(number, part, root);
            case 3 -> allReduce(number, part);
            case 4 -> allReduceInPlace(number, part);
            case 5 -> allReduceOfList(number, part);
            case 6 -> gather(number, part, root, even(part));
            case 7 -> gather(number, part, root, uneven(part));
            case 8 -> scatter(number, root, even(part), true);
            case 9 -> scatter(number, root, uneven(part), false);
            case 10 -> allGather(number, even(part), true);
            case 11 -> allGather(number, uneven(part), false);
            case 12 -> allGatherInPlace(number, part);
            case 13 -> reduceScatter(number, even(part), true);
            case 14 -> reduceScatter(number, uneven(part), false);
            case 15 -> allToAll(number, part, true);
            case 16 -> allToAll(number, part, false);
            case 17 -> scan(number, part);
            case 18 -> neighbors(number, part);
            default -> message(number, part);
        };
    }

    private static long value(int number, int owner, long index) {
        return number * 1_000_003L + owner * 10_007L + index;
    }

    private static long[] vector(int number, int owner, int count) {
        return LongStream.range(0, count).map(i -> value(number, owner, i)).toArray();
    }

    private long[] sum(int number, int ranks, int count) {
        long[] sum = new long[count];
        for (int owner = 0; owner < ranks; owner++) {
            long[] each = vector(number, owner, count);
            Arrays.setAll(sum, i -> sum[i] + each[i]);
        }
        return sum;
    }

    private long[] even(int part) {
        long[] counts = new long[size];
        Arrays.fill(counts, part);
        return counts;
    }

    /** Some of them zero. */
    private long[] uneven(int part) {
        long[] counts = new long[size];
        Arrays.setAll(counts, r -> (part + 7L * r) % (PART_MAX + 1) / (1 + r % 2));
        counts[part % size] = 0;
        return counts;
    }

    private static int total(long[] counts) {
        return (int) Arrays.stream(counts).sum();
    }

    private static int offset(long[] counts, int until) {
        return (int) Arrays.stream(counts, 0, until).sum();
    }

    /** What each rank has for all, one rank after the other. */
    private static long[] concatenated(int number, long[] counts) {
        return IntStream.range(0, counts.length)
                .mapToObj(owner -> vector(number, owner, (int) counts[owner]))
                .flatMapToLong(Arrays::stream)
                .toArray();
    }

    private static Call check(Request<?> request, long[] actual, long[] expected) {
        return new Call(request, () -> assertThat(actual).isEqualTo(expected));
    }

    private Call broadcast(int number, int part, int root) {
        long[] data = vector(number, rank, part);
        return check(async.broadcast(DataBuffer.of(data), root), data, vector(number, root, part));
    }

    private Call reduce(int number, int part, int root) {
        long[] result = new long[part];
        DataBuffer send = DataBuffer.of(vector(number, rank, part));
        long[] expected = rank == root ? sum(number, size, part) : new long[part];
        return check(
                async.reduce(send, DataBuffer.of(result), ReduceOp.SUM, root), result, expected);
    }

    private Call allReduce(int number, int part) {
        long[] result = new long[part];
        DataBuffer send = DataBuffer.of(vector(number, rank, part));
        return check(
                async.allReduce(send, DataBuffer.of(result), ReduceOp.SUM),
                result,
                sum(number, size, part));
    }

    private Call allReduceInPlace(int number, int part) {
        long[] data = vector(number, rank, part);
        return check(
                async.allReduce(DataBuffer.of(data), ReduceOp.SUM), data, sum(number, size, part));
    }

    private Call allReduceOfList(int number, int part) {
        long[] first = vector(number, rank, part);
        long[] second = vector(number + 1, rank, PART_MAX - part);
        Request<Void> request =
                async.allReduce(List.of(DataBuffer.of(first), DataBuffer.of(second)), ReduceOp.SUM);
        return new Call(
                request,
                () -> {
                    assertThat(first).isEqualTo(sum(number, size, part));
                    assertThat(second).isEqualTo(sum(number + 1, size, PART_MAX - part));
                });
    }

    private Call gather(int number, int part, int root, long[] counts) {
        DataBuffer send = DataBuffer.of(vector(number, rank, (int) counts[rank]));
        long[] all = new long[total(counts)];
        DataBuffer receive = rank == root ? DataBuffer.of(all) : null;
        boolean isEven = Arrays.stream(counts).allMatch(count -> count == part);
        return check(
                isEven
                        ? async.gather(send, receive, root)
                        : async.gather(send, receive, counts, root),
                all,
                rank == root ? concatenated(number, counts) : new long[all.length]);
    }

    private Call scatter(int number, int root, long[] counts, boolean isEven) {
        DataBuffer send = rank == root ? DataBuffer.of(vector(number, root, total(counts))) : null;
        long[] own = new long[(int) counts[rank]];
        int offset = offset(counts, rank);
        DataBuffer receive = DataBuffer.of(own);
        return check(
                isEven
                        ? async.scatter(send, receive, root)
                        : async.scatter(send, counts, receive, root),
                own,
                Arrays.copyOfRange(
                        vector(number, root, total(counts)), offset, offset + own.length));
    }

    private Call allGather(int number, long[] counts, boolean isEven) {
        DataBuffer send = DataBuffer.of(vector(number, rank, (int) counts[rank]));
        long[] all = new long[total(counts)];
        DataBuffer receive = DataBuffer.of(all);
        return check(
                isEven ? async.allGather(send, receive) : async.allGather(send, receive, counts),
                all,
                concatenated(number, counts));
    }

    private Call allGatherInPlace(int number, int part) {
        long[] all = new long[size * part];
        System.arraycopy(vector(number, rank, part), 0, all, rank * part, part);
        return check(async.allGather(DataBuffer.of(all)), all, concatenated(number, even(part)));
    }

    private Call reduceScatter(int number, long[] counts, boolean isEven) {
        DataBuffer send = DataBuffer.of(vector(number, rank, total(counts)));
        long[] own = new long[(int) counts[rank]];
        DataBuffer receive = DataBuffer.of(own);
        int offset = offset(counts, rank);
        return check(
                isEven
                        ? async.reduceScatter(send, receive, ReduceOp.SUM)
                        : async.reduceScatter(send, receive, counts, ReduceOp.SUM),
                own,
                Arrays.copyOfRange(sum(number, size, total(counts)), offset, offset + own.length));
    }

    /** In the uneven form rank r has r + d elements more for rank d. */
    private Call allToAll(int number, int part, boolean isEven) {
        long[] to = new long[size];
        long[] from = new long[size];
        Arrays.setAll(to, d -> part + (isEven ? 0 : rank + d));
        Arrays.setAll(from, s -> part + (isEven ? 0 : s + rank));
        DataBuffer send = DataBuffer.of(vector(number, rank, total(to)));
        long[] all = new long[total(from)];
        DataBuffer receive = DataBuffer.of(all);
        long[] expected =
                IntStream.range(0, size)
                        .mapToObj(s -> {
                            long[] its = new long[size];
                            Arrays.setAll(its, d -> part + (isEven ? 0 : s + d));
                            int offset = offset(its, rank);
                            return Arrays.copyOfRange(
                                    vector(number, s, total(its)),
                                    offset,
                                    offset + (int) its[rank]);
                        })
                        .flatMapToLong(Arrays::stream)
                        .toArray();
        return check(
                isEven ? async.allToAll(send, receive) : async.allToAll(send, to, receive, from),
                all,
                expected);
    }

    private Call scan(int number, int part) {
        long[] result = new long[part];
        DataBuffer send = DataBuffer.of(vector(number, rank, part));
        boolean isExclusive = number / KINDS % 2 == 1;
        DataBuffer receive = DataBuffer.of(result);
        return check(
                isExclusive
                        ? async.exclusiveScan(send, receive, ReduceOp.SUM)
                        : async.scan(send, receive, ReduceOp.SUM),
                result,
                sum(number, rank + (isExclusive ? 0 : 1), part));
    }

    private Call neighbors(int number, int part) {
        long[] all = new long[2 * part];
        DataBuffer send = DataBuffer.of(vector(number, rank, 2 * part));
        long[] above = vector(number, (rank + size - 1) % size, 2 * part);
        long[] below = vector(number, (rank + 1) % size, 2 * part);
        long[] expected = new long[2 * part];
        System.arraycopy(above, part, expected, 0, part);
        System.arraycopy(below, 0, expected, part, part);
        return check(
                async.neighborExchange(send, DataBuffer.of(all), Neighborhood.torus(size)),
                all,
                expected);
    }

    private Call message(int number, int part) {
        long[] got = new long[part];
        int next = (rank + 1) % size;
        int previous = (rank + size - 1) % size;
        DataBuffer send = DataBuffer.of(vector(number, rank, part));
        return check(
                async.sendReceive(send, next, number, DataBuffer.of(got), previous, number),
                got,
                vector(number, previous, part));
    }

    /** What has no form that starts and returns. */
    void runBlocking(int number) {
        int root = number % size;
        long[] own = vector(number, rank, 3);
        List<long[]> all = communicator.allGatherObjects(own, long[].class);
        for (int owner = 0; owner < size; owner++) {
            assertThat(all.get(owner)).isEqualTo(vector(number, owner, 3));
        }
        assertThat(communicator.broadcastObject(own, long[].class, root))
                .isEqualTo(vector(number, root, 3));
        assertThat(communicator.gatherObjects(number + rank, Integer.class, root))
                .isEqualTo(
                        rank == root
                                ? IntStream.range(number, number + size).boxed().toList()
                                : List.of());
    }
}
