package io.nexar.cli.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What was measured for one size.
 *
 * @param transport that carried it
 * @param algorithm that ran, forced or chosen; {@link #NO_ALGORITHM} of a message
 * @param times in microseconds
 * @param isCorrect whether every rank's result was right
 */
public record BenchResult(
        BenchSpec spec,
        String transport,
        String algorithm,
        long bytes,
        int iterations,
        Times times,
        boolean isCorrect) {

    public static final String NO_ALGORITHM = "none";

    /** Of all iterations. A percentile is the time at that place of the sorted ones. */
    public record Times(double mean, double min, double p50, double p99, double max) {

        /** Of nanoseconds; {@code scale} is what part of an iteration's time counts. */
        public static Times of(long[] nanos, double scale) {
            long[] sorted = nanos.clone();
            Arrays.sort(sorted);
            double unit = scale / 1e3;
            int count = sorted.length;
            return new Times(
                    Arrays.stream(sorted).average().orElse(0) * unit,
                    sorted[0] * unit,
                    sorted[count / 2] * unit,
                    sorted[(int) (count * 99L / 100)] * unit,
                    sorted[count - 1] * unit);
        }
    }

    public double algorithmBandwidth() {
        return spec.op().algorithmBandwidth(bytes, spec.ranks(), times.mean);
    }

    public double busBandwidth() {
        return spec.op().busBandwidth(bytes, spec.ranks(), times.mean);
    }

    /** As programs read it, in this order. */
    public Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("op", spec.op().word());
        facts.put("transport", transport);
        facts.put("algorithm", algorithm);
        facts.put("datatype", spec.typeWord());
        facts.put("ranks", spec.ranks());
        facts.put("bytes", bytes);
        facts.put("iterations", iterations);
        facts.put("mean_us", rounded(times.mean));
        facts.put("min_us", rounded(times.min));
        facts.put("p50_us", rounded(times.p50));
        facts.put("p99_us", rounded(times.p99));
        facts.put("max_us", rounded(times.max));
        facts.put("algbw_GBps", rounded(algorithmBandwidth() * 1e3) / 1e3);
        facts.put("busbw_GBps", rounded(busBandwidth() * 1e3) / 1e3);
        facts.put("correct", isCorrect);
        return facts;
    }

    /** Nanoseconds, and kilobytes in a second: more digits no clock here has. */
    private static double rounded(double value) {
        return Math.rint(value * 1e3) / 1e3;
    }

    /** One line for the process that started the ranks. */
    String line() {
        return ("transport=%s algorithm=%s bytes=%d iterations=%d"
                        + " mean=%s min=%s p50=%s p99=%s max=%s correct=%s")
                .formatted(
                        transport,
                        algorithm,
                        bytes,
                        iterations,
                        times.mean,
                        times.min,
                        times.p50,
                        times.p99,
                        times.max,
                        isCorrect);
    }

    public static BenchResult parse(BenchSpec spec, String line) {
        Words values = Words.parse(line);
        return new BenchResult(
                spec,
                values.get("transport"),
                values.get("algorithm"),
                values.whole("bytes"),
                values.integer("iterations"),
                new Times(
                        values.real("mean"),
                        values.real("min"),
                        values.real("p50"),
                        values.real("p99"),
                        values.real("max")),
                values.flag("correct"));
    }
}
