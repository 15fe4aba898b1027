package io.nexar.property;

import io.nexar.Algorithm;
import io.nexar.DataType;
import io.nexar.collective.plan.Placement;
import io.nexar.collective.plan.PlanCatalog;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * One call, as all ranks make it, and what each of them puts in; all of it follows from the seed.
 *
 * @param counts elements of each rank's share; of a list, of each buffer; of an uneven allToAll,
 *     what rank r sends to rank s at {@code r * size + s}; else one number, each rank's count
 */
record Case(
        long seed,
        Form form,
        Algorithm algorithm,
        DataType type,
        @Nullable Reduction reduction,
        int size,
        List<Long> counts,
        int root,
        boolean isInPlace,
        Call.Way way,
        Draw.Profile profile) {

    /** More slices than are in flight at once, where a piece is 1 KiB. */
    private static final int LONG_COUNT = 1500;

    /** A case of that many ranks. */
    static Case draw(long seed, int size) {
        SplittableRandom random = new SplittableRandom(seed);
        Form form = Form.values()[random.nextInt(Form.values().length)];
        DataType type = DataType.values()[random.nextInt(DataType.values().length)];
        Reduction reduction = null;
        if (form.operation().isReducing()) {
            List<Reduction> fitting = Reduction.of(type, form.operation().isScan());
            reduction = fitting.get(random.nextInt(fitting.size()));
        }
        List<Algorithm> algorithms = algorithms(form, reduction, Placement.oneHost(size));
        return new Case(
                seed,
                form,
                algorithms.get(random.nextInt(algorithms.size())),
                type,
                reduction,
                size,
                counts(random, form, size, reduction == null ? 1 : reduction.width()),
                random.nextInt(size),
                form.isAlwaysInPlace() || form.place() != Form.Place.NEVER && random.nextBoolean(),
                Call.Way.values()[random.nextInt(Call.Way.values().length)],
                Draw.Profile.values()[random.nextInt(Draw.Profile.values().length)]);
    }

    /** What is put in by a rank that has so many elements to give. */
    List<Element> input(int rank) {
        SplittableRandom random = new SplittableRandom(seed + 31L * (rank + 1));
        return new Draw(type, reduction, profile).elements(random, inputCount(rank));
    }

    long inputCount(int rank) {
        return switch (form) {
            case BROADCAST -> rank == root ? counts.getFirst() : 0;
            case REDUCE, ALL_REDUCE, SCAN, EXCLUSIVE_SCAN -> counts.getFirst();
            case GATHER, GATHER_UNEVEN, ALL_GATHER, ALL_GATHER_UNEVEN, ALL_GATHER_ONE ->
                    counts.get(rank);
            case SCATTER, SCATTER_UNEVEN -> rank == root ? total() : 0;
            case ALL_REDUCE_LIST, REDUCE_SCATTER, REDUCE_SCATTER_UNEVEN, REDUCE_SCATTER_ONE ->
                    total();
            case ALL_TO_ALL, ALL_TO_ALL_UNEVEN -> sum(sendCounts(rank));
        };
    }

    long outputCount(int rank) {
        return switch (form) {
            case BROADCAST, ALL_REDUCE, SCAN, EXCLUSIVE_SCAN, REDUCE -> counts.getFirst();
            case GATHER, GATHER_UNEVEN -> rank == root ? total() : 0;
            case ALL_GATHER, ALL_GATHER_UNEVEN, ALL_GATHER_ONE, ALL_REDUCE_LIST -> total();
            case SCATTER,
                    SCATTER_UNEVEN,
                    REDUCE_SCATTER,
                    REDUCE_SCATTER_UNEVEN,
                    REDUCE_SCATTER_ONE ->
                    counts.get(rank);
            case ALL_TO_ALL, ALL_TO_ALL_UNEVEN -> sum(receiveCounts(rank));
        };
    }

    /** Where a rank's share lies in the whole. */
    long offset(int rank) {
        return counts.subList(0, rank).stream().mapToLong(count -> count).sum();
    }

    long[] sendCounts(int rank) {
        return IntStream.range(0, size).mapToLong(to -> counts.get(rank * size + to)).toArray();
    }

    long[] receiveCounts(int rank) {
        return IntStream.range(0, size).mapToLong(from -> counts.get(from * size + rank)).toArray();
    }

    long[] shares() {
        return counts.stream().mapToLong(count -> count).toArray();
    }

    private long total() {
        return sum(shares());
    }

    private static long sum(long[] numbers) {
        return LongStream.of(numbers).sum();
    }

    private static List<Algorithm> algorithms(
            Form form, @Nullable Reduction reduction, Placement placement) {
        List<Algorithm> algorithms = new ArrayList<>(List.of(Algorithm.AUTO));
        for (Algorithm algorithm : PlanCatalog.algorithms(form.operation())) {
            boolean isOrdered =
                    reduction == null
                            || reduction.isCommutative()
                            || PlanCatalog.entry(form.operation(), algorithm)
                                    .keepsRankOrder(placement);
            boolean isEvenOnly = form == Form.ALL_TO_ALL_UNEVEN && algorithm == Algorithm.BRUCK;
            if (isOrdered && !isEvenOnly) {
                algorithms.add(algorithm);
            }
        }
        return algorithms;
    }

    private static List<Long> counts(SplittableRandom random, Form form, int size, int width) {
        long unit = count(random, size);
        if (form.isPartitioned()) {
            return IntStream.range(0, size)
                    .mapToObj(rank -> width * (unit / size + (rank < unit % size ? 1 : 0)))
                    .toList();
        }
        int numbers =
                switch (form) {
                    case ALL_REDUCE_LIST -> random.nextInt(5);
                    case ALL_TO_ALL, ALL_TO_ALL_UNEVEN -> size * size;
                    case BROADCAST, REDUCE, ALL_REDUCE, SCAN, EXCLUSIVE_SCAN -> 1;
                    default -> size;
                };
        boolean isEven = !form.isUneven() && form != Form.ALL_REDUCE_LIST;
        long share = Math.max(1, unit / Math.max(1, numbers / size));
        return IntStream.range(0, numbers)
                .mapToObj(i -> width * (isEven ? share - 1 : uneven(random, share)))
                .collect(Collectors.toList());
    }

    private static long uneven(SplittableRandom random, long share) {
        return random.nextInt(3) == 0 ? 0 : random.nextLong(share + 1);
    }

    /** The odd ones around the number of ranks, a prime, and now and then several slices. */
    private static long count(SplittableRandom random, int size) {
        return switch (random.nextInt(9)) {
            case 0 -> 0;
            case 1 -> 1;
            case 2 -> size - 1;
            case 3 -> size;
            case 4 -> size + 1;
            case 5 -> 17;
            case 6 -> 100;
            case 7 -> random.nextInt(64);
            default -> random.nextInt(4) == 0 ? LONG_COUNT + random.nextInt(100) : 131;
        };
    }
}
