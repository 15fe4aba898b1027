package io.nexar.cli.launch;

import java.time.Duration;

/** Durations as they are written on the command line and in settings: {@code 500ms 10s 5m 2h}. */
final class DurationText {

    private DurationText() {}

    /** In the largest unit that divides it. */
    static String of(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 1000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1000;
        if (seconds % 60 != 0) {
            return seconds + "s";
        }
        return seconds % 3600 == 0 ? seconds / 3600 + "h" : seconds / 60 + "m";
    }
}
