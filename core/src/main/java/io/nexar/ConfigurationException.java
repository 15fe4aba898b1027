package io.nexar;

import org.jspecify.annotations.Nullable;

/**
 * A setting that does not exist, or a value that it can't take. Thrown where the setting is given,
 * before anything starts. Secret values are not in the message.
 */
public final class ConfigurationException extends NexarException {

    private static final long serialVersionUID = 1L;

    private final String key;
    private final @Nullable String value;
    private final @Nullable String nearest;

    private ConfigurationException(
            @Nullable OperationContext where,
            String detail,
            Facts facts,
            @Nullable Throwable cause) {
        super(where, Scope.PROCESS, detail, cause);
        this.key = facts.key;
        this.value = facts.value;
        this.nearest = facts.nearest;
    }

    private record Facts(String key, @Nullable String value, @Nullable String nearest) {}

    /**
     * No setting has that name.
     *
     * @param key the name as it was written: a key, a flag, or an environment variable
     * @param source where it was written, for example {@code the environment}
     * @param nearest the name that was probably meant, or null
     */
    public static ConfigurationException unknown(
            String key, String source, @Nullable String nearest) {
        String hint = nearest == null ? "" : "; did you mean " + nearest + "?";
        return new ConfigurationException(
                null,
                "unknown setting " + key + " in " + source + hint,
                new Facts(key, null, nearest),
                null);
    }

    /**
     * The setting can't take that value.
     *
     * @param key the name as it was written
     * @param value the value, already masked if it is a secret
     * @param source where it was written
     * @param rule what a value must be
     */
    public static ConfigurationException badValue(
            String key, String value, String source, String rule) {
        return new ConfigurationException(
                null,
                key + " = '" + value + "' in " + source + ": must be " + rule,
                new Facts(key, value, null),
                null);
    }

    /**
     * Settings that are right by themselves and wrong together, or that can't be had here.
     *
     * @param key the setting to change
     * @param value its value, already masked if it is a secret
     * @param problem what is wrong, as the rest of a sentence that begins with the setting
     */
    public static ConfigurationException conflict(String key, String value, String problem) {
        return new ConfigurationException(
                null, key + " = '" + value + "': " + problem, new Facts(key, value, null), null);
    }

    /** The setting's name as it was written. */
    public String key() {
        return key;
    }

    /** The refused value, masked if it is a secret; null if the name itself is unknown. */
    public @Nullable String value() {
        return value;
    }

    /** The name that was probably meant, or null. */
    public @Nullable String nearest() {
        return nearest;
    }

    @Override
    public ConfigurationException at(OperationContext where) {
        String detail = String.valueOf(getMessage());
        return new ConfigurationException(where, detail, new Facts(key, value, nearest), this);
    }
}
