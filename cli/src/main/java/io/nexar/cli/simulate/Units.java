package io.nexar.cli.simulate;

import java.util.Locale;

/** Times and lengths with the digits that a forecast has. */
public final class Units {
    private Units() {}

    /** {@code 850 ns}, {@code 12.3 us}, {@code 4.56 ms}, {@code 2.1 s}. */
    public static String time(double nanos) {
        String[] units = {"ns", "us", "ms", "s"};
        double value = nanos;
        int unit = 0;
        while (value >= 999.5 && unit < units.length - 1) {
            value /= 1000;
            unit++;
        }
        String digits = value >= 99.5 || unit == 0 ? "%.0f" : value >= 9.95 ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, digits, value) + " " + units[unit];
    }

    /** {@code 17 B}, {@code 3 KiB}, {@code 1.5 MiB}. */
    public static String bytes(long bytes) {
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
        double value = (double) bytes;
        int unit = 0;
        while (value >= 1024 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        boolean isWhole = value == Math.rint(value) || value >= 99.5;
        return String.format(Locale.ROOT, isWhole ? "%.0f" : "%.1f", value) + " " + units[unit];
    }
}
