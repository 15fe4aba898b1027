package io.nexar.cli.status;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Times and sizes as people read them. */
final class Units {

    private Units() {}

    /** {@code 0.3 s}, {@code 12.3 s}, {@code 5 min 20 s}, {@code 3 h 12 min}. */
    static String time(long nanos) {
        long seconds = TimeUnit.NANOSECONDS.toSeconds(nanos);
        if (seconds < 60) {
            return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
        }
        return seconds < 3600
                ? seconds / 60 + " min " + seconds % 60 + " s"
                : seconds / 3600 + " h " + seconds % 3600 / 60 + " min";
    }

    /** {@code 17 B}, {@code 3 KiB}, {@code 512 MiB}. */
    static String bytes(long bytes) {
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
        long value = bytes;
        int unit = 0;
        while (value >= 10 * 1024 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        return value + " " + units[unit];
    }
}
