package io.nexar.config;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * One row of the option table.
 *
 * @param key the name, {@code nexar.a.bC}
 * @param kind what values look like
 * @param defaultText the value if nobody gives one; empty: not set
 * @param scope whether all processes must agree
 * @param secret whether the value is never shown
 * @param doc what it does and why the default is what it is; a sentence or two
 */
public record Option(
        String key,
        ValueKind kind,
        String defaultText,
        OptionScope scope,
        boolean secret,
        String doc) {

    /** What is shown instead of a secret. */
    public static final String MASK = "***";

    /** Every key begins so. */
    static final String KEY_PREFIX = "nexar.";

    private static final Pattern TOKEN_IN_TEXT = Pattern.compile("token=[^&\\s]*");

    /** The name on the command line: {@code --a-b-c} of {@code nexar.a.bC}. */
    public String flag() {
        return "--" + words(key.substring(KEY_PREFIX.length()), "-").toLowerCase(Locale.ROOT);
    }

    /** The name in the environment: {@code NEXAR_A_B_C} of {@code nexar.a.bC}. */
    public String variable() {
        return words(key, "_").toUpperCase(Locale.ROOT);
    }

    private static String words(String name, String separator) {
        return name.replace(".", separator)
                .replaceAll("([a-z0-9])([A-Z])", "$1" + separator + "$2");
    }

    /** The value as it may be shown: a secret is not, nor the token inside of a join string. */
    public String mask(String value) {
        if (value.isEmpty()) {
            return value;
        }
        return secret ? MASK : TOKEN_IN_TEXT.matcher(value).replaceAll("token=***");
    }
}
