package io.nexar.cli.bench;

import io.nexar.cli.bench.BenchResult.Times;
import io.nexar.cli.simulate.Plot;

import java.util.List;
import java.util.Locale;

/** Results for people, a line each, so that those of a long measurement can be seen coming. */
public final class BenchTable {
    private static final String ROW = "%12s %10s %11s %11s %11s %11s %11s %8s %8s  %-7s  %s";

    private BenchTable() {}

    /** What was measured, and the names of the columns; times are in microseconds. */
    public static List<String> header(BenchResult first) {
        String columns =
                ROW.formatted(
                        "BYTES",
                        "ITERATIONS",
                        "MEAN us",
                        "MIN us",
                        "P50 us",
                        "P99 us",
                        "MAX us",
                        "ALG GB/s",
                        "BUS GB/s",
                        "RESULT",
                        "ALGORITHM");
        return List.of(title(first), columns);
    }

    /** Results for a picture. */
    public static Plot.Curves curves(List<BenchResult> results) {
        return new Plot.Curves(
                results.stream().mapToLong(BenchResult::bytes).toArray(),
                List.of("p99", "p50", "fastest"),
                results.stream()
                        .map(BenchResult::times)
                        .map(times ->
                                new double[] {
                                    1e3 * times.p99(), 1e3 * times.p50(), 1e3 * times.min()
                                })
                        .toArray(double[][]::new));
    }

    public static String title(BenchResult first) {
        BenchSpec spec = first.spec();
        StringBuilder title = new StringBuilder(spec.op().word());
        if (spec.op().hasSize()) {
            title.append(" of ").append(spec.typeWord()).append(spec.isOnHeap() ? " arrays" : "");
        }
        if (spec.op().isReducing()) {
            title.append(", ").append(spec.reduceOp().name().toLowerCase(Locale.ROOT));
        }
        title.append(", %d ranks over %s".formatted(spec.ranks(), first.transport()));
        if (spec.op().isCollective()) {
            title.append(", algorithm ").append(spec.algorithm());
        }
        title.append(
                spec.timing() == BenchSpec.Timing.RANK0
                        ? "; times of rank 0"
                        : "; times of the slowest rank, after a barrier");
        return title.toString();
    }

    public static String row(BenchResult result) {
        Times times = result.times();
        return ROW.formatted(
                result.bytes(),
                result.iterations(),
                digits(times.mean()),
                digits(times.min()),
                digits(times.p50()),
                digits(times.p99()),
                digits(times.max()),
                String.format(Locale.ROOT, "%.4f", result.algorithmBandwidth()),
                String.format(Locale.ROOT, "%.4f", result.busBandwidth()),
                result.isCorrect() ? "correct" : "WRONG",
                result.algorithm());
    }

    private static String digits(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.1f", value);
    }
}
