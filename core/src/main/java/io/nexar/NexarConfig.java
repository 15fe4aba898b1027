package io.nexar;

import io.nexar.config.FileText;
import io.nexar.config.Layer;
import io.nexar.config.Option;
import io.nexar.config.Options;
import io.nexar.config.Settings;
import io.nexar.config.SettingsReader;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * The settings of a runtime: an immutable value, safe to share. {@code docs/options.md} lists every
 * option.
 *
 * <p>A setting may be given in five places; the strongest one that gives it counts: a flag ({@link
 * #withFlag}, or {@code -Dnexar.a.bC=...} of the JVM), the environment ({@code NEXAR_A_B_C}), code
 * ({@link #with}), a properties file, the default. So a value in code is what the program wants
 * unless the person who starts it says otherwise.
 *
 * <p>An unknown name and a bad value are a {@link ConfigurationException} at once, which names the
 * place, the rule, and the nearest name. Durations are written {@code 500ms}, {@code 10s}, {@code
 * 5m}, {@code 1h}; sizes in bytes or as {@code 64KiB}, {@code 1MiB}.
 */
public final class NexarConfig {

    private static final NexarConfig DEFAULTS = new NexarConfig(Settings.DEFAULTS);

    private final Settings settings;

    private NexarConfig(Settings settings) {
        this.settings = settings;
    }

    /** The defaults; looks at nothing outside. */
    public static NexarConfig defaults() {
        return DEFAULTS;
    }

    /**
     * What this process was started with: {@code NEXAR_*} variables, {@code nexar.*} system
     * properties, and the file that {@code nexar.config} names in one of these. Reads them at each
     * call.
     *
     * @throws ConfigurationException if a name is unknown, a value is wrong, or the file can't be
     *     read
     */
    public static NexarConfig fromEnvironment() {
        return new NexarConfig(SettingsReader.ofThisProcess());
    }

    /**
     * The same with one more value, as given in code: a flag or the environment is stronger.
     *
     * @throws ConfigurationException if the key is unknown or can't take the value
     */
    public NexarConfig with(String key, String value) {
        return new NexarConfig(settings.withCode(key, value));
    }

    /**
     * The same with one more value, as given on a command line: stronger than everything else.
     *
     * @param flag in the form {@code --a-b-c}
     * @throws ConfigurationException if the flag is unknown or can't take the value
     */
    public NexarConfig withFlag(String flag, String value) {
        return new NexarConfig(settings.withFlag(flag, value));
    }

    /**
     * The same with the values of a properties file: weaker than everything but the defaults.
     *
     * @throws ConfigurationException if the file can't be read, or says anything but settings
     */
    public NexarConfig withFile(Path file) {
        return new NexarConfig(SettingsReader.withFile(settings, file.toString()));
    }

    /**
     * The value that counts, as it was written; empty if the option is not set.
     *
     * @throws ConfigurationException if the key is unknown
     */
    public String get(String key) {
        return settings.text(option(key));
    }

    /** Whether the option has a value, be it the default; errors as {@link #get}. */
    public boolean isSet(String key) {
        return !get(key).isEmpty();
    }

    /**
     * The value of an option that is a duration.
     *
     * @throws ConfigurationException if the key is unknown
     * @throws IllegalStateException if the option is not set, or no duration
     */
    public Duration duration(String key) {
        return settings.value(option(key), Duration.class);
    }

    /** The value of an option that is a size, in bytes; errors as {@link #duration}. */
    public long bytes(String key) {
        return settings.value(option(key), Long.class);
    }

    /** The value of an option that is a whole number; errors as {@link #duration}. */
    public int integer(String key) {
        return settings.value(option(key), Integer.class);
    }

    /** The value of an option that is true or false; errors as {@link #duration}. */
    public boolean flag(String key) {
        return settings.value(option(key), Boolean.class);
    }

    /** The value of an option that is a range of ports; errors as {@link #duration}. */
    public PortRange ports(String key) {
        return settings.value(option(key), PortRange.class);
    }

    /** What stands in the file that an option names; errors as {@link #duration}. */
    public String fileText(String key) {
        return settings.value(option(key), FileText.class).text();
    }

    /** The same with secrets replaced by {@code ***}: for showing, not for joining. */
    public NexarConfig masked() {
        return new NexarConfig(settings.masked());
    }

    /**
     * A digest of what must agree in the whole job: SHA-256 in hexadecimal. Equal meanings agree,
     * however they are written.
     */
    public String fingerprint() {
        return settings.fingerprint();
    }

    /** What must agree in the whole job, by key; no secrets among it. */
    public Map<String, String> jobSettings() {
        return settings.jobValues();
    }

    /** A line an option: key, value, and where it comes from; secrets masked. */
    @Override
    public String toString() {
        return settings.toString();
    }

    private static Option option(String key) {
        return Options.byKey(key, Layer.CODE.place());
    }
}
