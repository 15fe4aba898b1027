package io.nexar.communicator;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.ReduceOp;
import io.nexar.Request;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Pairs of calls that differ in one thing or in all, for ranks of one world to make. */
final class DifferingCalls {
    private DifferingCalls() {}

    /** A call, and how people know it again. */
    record Call(
            String text,
            Consumer<Communicator> blocking,
            Function<Communicator, Request<?>> async) {
        void make(Communicator world, boolean isBlocking) {
            if (isBlocking) {
                blocking.accept(world);
            } else {
                async.apply(world).await();
            }
        }
    }

    record Pair(Call one, Call other) {}

    static Call barrier() {
        return new Call("barrier", Communicator::barrier, world -> world.async().barrier());
    }

    private static Call broadcast(boolean isDouble, int count, int root) {
        return new Call(
                "broadcast #0 of %d %s, root %d".formatted(count, type(isDouble), root),
                world -> world.broadcast(buffer(world, isDouble, count), root),
                world -> world.async().broadcast(buffer(world, isDouble, count), root));
    }

    private static Call allReduce(boolean isDouble, int count, ReduceOp op) {
        return new Call(
                "allReduce #0 of %d %s with %s".formatted(count, type(isDouble), op.name()),
                world -> world.allReduce(buffer(world, isDouble, count), op),
                world -> world.async().allReduce(buffer(world, isDouble, count), op));
    }

    private static Call reduceScatter(boolean isDouble, int count, ReduceOp op) {
        return new Call(
                "reduceScatter #0 of %d %s with %s".formatted(count, type(isDouble), op.name()),
                world -> world.reduceScatter(buffer(world, isDouble, count), op),
                world -> world.async().reduceScatter(buffer(world, isDouble, count), op));
    }

    private static Call allGather(boolean isDouble, int count) {
        return new Call(
                "allGather #0 of %d %s".formatted(count, type(isDouble)),
                world -> world.allGather(buffer(world, isDouble, count)),
                world -> world.async().allGather(buffer(world, isDouble, count)));
    }

    private static Call reduce(boolean isDouble, int count, ReduceOp op, int root) {
        return new Call(
                "reduce #0 of %d %s with %s, root %d"
                        .formatted(count, type(isDouble), op.name(), root),
                world -> {
                    DataBuffer buffer = buffer(world, isDouble, count);
                    world.reduce(buffer, buffer, op, root);
                },
                world -> {
                    DataBuffer buffer = buffer(world, isDouble, count);
                    return world.async().reduce(buffer, buffer, op, root);
                });
    }

    private static Call gather(boolean isDouble, int count, int root) {
        return new Call(
                "gather #0 of ",
                world ->
                        world.gather(
                                buffer(world, isDouble, count),
                                buffer(world, isDouble, count * world.size()),
                                root),
                world ->
                        world.async()
                                .gather(
                                        buffer(world, isDouble, count),
                                        buffer(world, isDouble, count * world.size()),
                                        root));
    }

    private static Call scatter(boolean isDouble, int count, int root) {
        return new Call(
                "scatter #0 of ",
                world ->
                        world.scatter(
                                buffer(world, isDouble, count * world.size()),
                                buffer(world, isDouble, count),
                                root),
                world ->
                        world.async()
                                .scatter(
                                        buffer(world, isDouble, count * world.size()),
                                        buffer(world, isDouble, count),
                                        root));
    }

    private static Call allToAll(boolean isDouble, int count) {
        return new Call(
                "allToAll #0 of ",
                world -> {
                    DataBuffer buffer = buffer(world, isDouble, count * world.size());
                    world.allToAll(buffer, buffer);
                },
                world -> {
                    DataBuffer buffer = buffer(world, isDouble, count * world.size());
                    return world.async().allToAll(buffer, buffer);
                });
    }

    private static Call scan(boolean isDouble, int count, ReduceOp op) {
        return new Call(
                "scan #0 of %d %s with %s".formatted(count, type(isDouble), op.name()),
                world -> {
                    DataBuffer buffer = buffer(world, isDouble, count);
                    world.scan(buffer, buffer, op);
                },
                world -> {
                    DataBuffer buffer = buffer(world, isDouble, count);
                    return world.async().scan(buffer, buffer, op);
                });
    }

    private static Call exclusiveScan(boolean isDouble, int count, ReduceOp op) {
        return new Call(
                "exclusiveScan #0 of %d %s with %s".formatted(count, type(isDouble), op.name()),
                world -> {
                    DataBuffer buffer = buffer(world, isDouble, count);
                    world.exclusiveScan(buffer, buffer, op);
                },
                world -> {
                    DataBuffer buffer = buffer(world, isDouble, count);
                    return world.async().exclusiveScan(buffer, buffer, op);
                });
    }

    /** What one rank calls of two kinds of call that go together: each rank has so many for all. */
    private static Call unevenAllToAll(int count) {
        return new Call(
                "for rank ",
                world -> {
                    long[] counts = counts(world, count);
                    DataBuffer buffer = buffer(world, false, count * world.size());
                    world.allToAll(buffer, counts, buffer, counts);
                },
                world -> {
                    long[] counts = counts(world, count);
                    DataBuffer buffer = buffer(world, false, count * world.size());
                    return world.async().allToAll(buffer, counts, buffer, counts);
                });
    }

    private static Call unevenGather(int count) {
        return new Call(
                "for rank ",
                world ->
                        world.gather(own(world, count), all(world, count), counts(world, count), 0),
                world ->
                        world.async()
                                .gather(
                                        own(world, count),
                                        all(world, count),
                                        counts(world, count),
                                        0));
    }

    private static Call unevenScatter(int count) {
        return new Call(
                "for rank ",
                world ->
                        world.scatter(
                                all(world, count), counts(world, count), own(world, count), 0),
                world ->
                        world.async()
                                .scatter(
                                        all(world, count),
                                        counts(world, count),
                                        own(world, count),
                                        0));
    }

    private static Call unevenAllGather(int count) {
        return new Call(
                "allGather #0 of ",
                world ->
                        world.allGather(own(world, count), all(world, count), counts(world, count)),
                world ->
                        world.async()
                                .allGather(
                                        own(world, count),
                                        all(world, count),
                                        counts(world, count)));
    }

    private static Call unevenReduceScatter(int count) {
        return new Call(
                "reduceScatter #0 of ",
                world ->
                        world.reduceScatter(
                                all(world, count),
                                own(world, count),
                                counts(world, count),
                                ReduceOp.SUM),
                world ->
                        world.async()
                                .reduceScatter(
                                        all(world, count),
                                        own(world, count),
                                        counts(world, count),
                                        ReduceOp.SUM));
    }

    private static long[] counts(Communicator world, int count) {
        long[] counts = new long[world.size()];
        Arrays.fill(counts, count);
        return counts;
    }

    private static DataBuffer own(Communicator world, int count) {
        return buffer(world, false, count);
    }

    private static DataBuffer all(Communicator world, int count) {
        return buffer(world, false, count * world.size());
    }

    private static String type(boolean isDouble) {
        return isDouble ? "F64" : "F32";
    }

    private static DataBuffer buffer(Communicator world, boolean isDouble, int count) {
        if (isDouble) {
            double[] data = new double[count];
            Arrays.setAll(data, i -> world.rank() * 10_000 + i);
            return DataBuffer.of(data);
        }
        float[] data = new float[count];
        for (int i = 0; i < count; i++) {
            data[i] = world.rank() * 10_000 + i;
        }
        return DataBuffer.of(data);
    }

    static List<Pair> pairs(boolean isFull) {
        ReduceOp sum = ReduceOp.SUM;
        List<Call> operations =
                List.of(
                        barrier(),
                        broadcast(false, 1000, 0),
                        allReduce(false, 1000, sum),
                        reduceScatter(false, 1000, sum),
                        allGather(false, 1000),
                        reduce(false, 1000, sum, 0),
                        gather(false, 1000, 0),
                        scatter(false, 1000, 0),
                        allToAll(false, 1000),
                        scan(false, 1000, sum),
                        exclusiveScan(false, 1000, sum));
        List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < operations.size(); i++) {
            for (int j = 0; j < operations.size(); j++) {
                if (i != j) {
                    pairs.add(new Pair(operations.get(i), operations.get(j)));
                }
            }
        }
        for (boolean type : isFull ? new boolean[] {false, true} : new boolean[] {false}) {
            // Counts: one more; one that takes more slices; one that takes another algorithm.
            for (int[] counts : new int[][] {{1000, 1001}, {10, 2000}, {0, 1}, {20_000, 20_001}}) {
                pairs.add(new Pair(broadcast(type, counts[0], 0), broadcast(type, counts[1], 0)));
                pairs.add(
                        new Pair(allReduce(type, counts[0], sum), allReduce(type, counts[1], sum)));
                pairs.add(
                        new Pair(
                                reduceScatter(type, counts[0], sum),
                                reduceScatter(type, counts[1], sum)));
                pairs.add(new Pair(allGather(type, counts[0]), allGather(type, counts[1])));
                pairs.addAll(othersOf(type, counts[0], counts[1]));
            }
            pairs.add(new Pair(broadcast(type, 100, 0), broadcast(!type, 100, 0)));
            pairs.add(new Pair(allReduce(type, 100, sum), allReduce(!type, 100, sum)));
            pairs.add(new Pair(reduceScatter(type, 100, sum), reduceScatter(!type, 100, sum)));
            pairs.add(new Pair(allGather(type, 100), allGather(!type, 100)));
            pairs.add(new Pair(allReduce(type, 100, sum), allReduce(type, 100, ReduceOp.MAX)));
            pairs.add(
                    new Pair(
                            reduceScatter(type, 100, sum), reduceScatter(type, 100, ReduceOp.MIN)));
            pairs.add(new Pair(broadcast(type, 100, 0), broadcast(type, 100, 1)));
            pairs.add(new Pair(broadcast(type, 100, 1), broadcast(type, 100, 0)));
        }
        return pairs;
    }

    /** Of the operations that are not looked at in every way: counts, and what goes with them. */
    private static List<Pair> othersOf(boolean type, int one, int other) {
        ReduceOp sum = ReduceOp.SUM;
        ReduceOp max = ReduceOp.MAX;
        return List.of(
                new Pair(reduce(type, one, sum, 0), reduce(type, other, sum, 0)),
                new Pair(reduce(type, one, sum, 0), reduce(type, one, max, 0)),
                new Pair(reduce(type, one, sum, 0), reduce(type, one, sum, 1)),
                new Pair(gather(type, one, 0), gather(type, other, 0)),
                new Pair(gather(type, one, 0), gather(!type, one, 1)),
                new Pair(scatter(type, one, 0), scatter(type, other, 0)),
                new Pair(scatter(type, one, 1), scatter(!type, one, 0)),
                new Pair(allToAll(type, one), allToAll(type, other)),
                new Pair(allToAll(type, one), allToAll(!type, one)),
                new Pair(scan(type, one, sum), scan(type, other, sum)),
                new Pair(scan(type, one, sum), scan(type, one, max)),
                new Pair(exclusiveScan(type, one, sum), exclusiveScan(type, other, sum)),
                new Pair(exclusiveScan(type, one, sum), scan(type, one, sum)),
                new Pair(unevenAllToAll(one), unevenAllToAll(other)),
                new Pair(unevenGather(one), unevenGather(other)),
                new Pair(unevenScatter(one), unevenScatter(other)),
                new Pair(unevenAllGather(one), unevenAllGather(other)),
                new Pair(unevenReduceScatter(one), unevenReduceScatter(other)));
    }
}
