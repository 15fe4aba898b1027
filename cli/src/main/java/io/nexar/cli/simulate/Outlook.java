package io.nexar.cli.simulate;

import io.nexar.Algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * All algorithms of an operation at several lengths: times, and which is the fastest where.
 *
 * @param nanos by length and algorithm
 */
public record Outlook(List<Forecast> forecasts, long[] lengths, double[][] nanos) {
    /** From here on this algorithm is the fastest, of the lengths that were looked at. */
    public record Threshold(long bytes, Algorithm algorithm) {}

    public static Outlook of(List<Forecast> forecasts, long[] lengths) {
        double[][] nanos =
                LongStream.of(lengths)
                        .mapToObj(bytes ->
                                forecasts.stream()
                                        .mapToDouble(forecast -> forecast.nanos(bytes))
                                        .toArray())
                        .toArray(double[][]::new);
        return new Outlook(forecasts, lengths, nanos);
    }

    /** For a picture: a curve for each algorithm. */
    public Plot.Curves curves() {
        return new Plot.Curves(
                lengths,
                forecasts.stream().map(forecast -> forecast.algorithm().name()).toList(),
                nanos);
    }

    /** The column of the fastest at a length; of equals the first. */
    public int fastest(int row) {
        int best = 0;
        for (int column = 1; column < nanos[row].length; column++) {
            best = nanos[row][column] < nanos[row][best] ? column : best;
        }
        return best;
    }

    public List<Threshold> thresholds() {
        List<Threshold> thresholds = new ArrayList<>();
        for (int row = 0; row < lengths.length; row++) {
            Algorithm algorithm = forecasts.get(fastest(row)).algorithm();
            if (thresholds.isEmpty() || thresholds.getLast().algorithm() != algorithm) {
                thresholds.add(new Threshold(lengths[row], algorithm));
            }
        }
        return thresholds;
    }
}
