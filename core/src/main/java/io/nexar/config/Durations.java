package io.nexar.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them: a whole number and a unit, {@code 500ms}, {@code 10s}, {@code
 * 5m}, {@code 1h}.
 */
public final class Durations {

    // At most 9 digits: the largest, in hours, still fits a long of nanoseconds many times over as
    // a Duration.
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

    private Durations() {}

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException if it is none, with the rule as its message
     */
    public static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "a duration: a whole number and ms, s, m or h, for example 500ms, 10s, 5m");
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }
}
