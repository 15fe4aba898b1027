package io.nexar.config;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes as people write them: bytes, or a whole number with {@code KiB}, {@code MiB} or {@code
 * GiB}.
 */
public final class Sizes {

    // At most 9 digits: 999,999,999 GiB still fit a long.
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9})(B|KiB|MiB|GiB)?");

    private Sizes() {}

    /**
     * Reads a size.
     *
     * @return bytes
     * @throws IllegalArgumentException if it is none, with the rule as its message
     */
    public static long parseBytes(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "a size: a whole number of bytes, or of KiB, MiB or GiB, for example 64KiB");
        }
        String unit = matcher.group(2) == null ? "B" : matcher.group(2);
        int shift =
                switch (unit) {
                    case "KiB" -> 10;
                    case "MiB" -> 20;
                    case "GiB" -> 30;
                    default -> 0;
                };
        return Long.parseLong(matcher.group(1)) << shift;
    }
}
