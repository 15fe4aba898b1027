package io.nexar.config;

import io.nexar.ConfigurationException;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was set where: for each layer the texts that it gives, all of them checked. Immutable. What
 * stands behind {@link io.nexar.NexarConfig}.
 */
public final class Settings {

    /** Looks at nothing outside: defaults only. */
    public static final Settings DEFAULTS = new Settings(new EnumMap<>(Layer.class));

    private final Map<Layer, Map<String, String>> layers;

    private Settings(Map<Layer, Map<String, String>> layers) {
        this.layers = layers;
    }

    /**
     * The same with one more value.
     *
     * @param name the setting as the user wrote it, for the error
     * @throws ConfigurationException if the option can't take it
     */
    Settings with(Layer layer, Option option, String name, String text) {
        try {
            if (!text.isEmpty() || !option.defaultText().isEmpty()) {
                option.kind().parse(text);
            }
        } catch (IllegalArgumentException rule) {
            throw ConfigurationException.badValue(
                    name, option.mask(text), layer.place(), String.valueOf(rule.getMessage()));
        }
        Map<Layer, Map<String, String>> copy = new EnumMap<>(Layer.class);
        copy.putAll(layers);
        Map<String, String> values = new TreeMap<>(layers.getOrDefault(layer, Map.of()));
        values.put(option.key(), text);
        copy.put(layer, values);
        return new Settings(copy);
    }

    /** The same with a value that the program gives; errors as {@link Options#byKey}. */
    public Settings withCode(String key, String text) {
        return with(Layer.CODE, Options.byKey(key, Layer.CODE.place()), key, text);
    }

    /** The same with a flag, {@code --a-b-c}; errors as {@link Options#byKey}. */
    public Settings withFlag(String flag, String text) {
        return with(Layer.FLAG, Options.byFlag(flag), flag, text);
    }

    /** Which layer's value counts. */
    public Layer source(Option option) {
        for (Map.Entry<Layer, Map<String, String>> layer : layers.entrySet()) {
            if (layer.getValue().containsKey(option.key())) {
                return layer.getKey();
            }
        }
        return Layer.DEFAULT;
    }

    /** The value that counts; empty if it is not set. */
    public String text(Option option) {
        return layers.getOrDefault(source(option), Map.of())
                .getOrDefault(option.key(), option.defaultText());
    }

    /**
     * The value that counts, read.
     *
     * @throws IllegalStateException if it is not set, or not of that class
     */
    public <T> T value(Option option, Class<T> type) {
        String text = text(option);
        if (text.isEmpty()) {
            throw new IllegalStateException(option.key() + " is not set");
        }
        Object value = option.kind().parse(text);
        if (!type.isInstance(value)) {
            throw new IllegalStateException(
                    option.key()
                            + " is no "
                            + type.getSimpleName()
                            + ": "
                            + option.kind().describe());
        }
        return type.cast(value);
    }

    /** The same without secrets: what is shown of them is in their place. */
    public Settings masked() {
        Map<Layer, Map<String, String>> copy = new EnumMap<>(Layer.class);
        layers.forEach((layer, values) -> {
            Map<String, String> shown = new TreeMap<>();
            values.forEach(
                    (key, text) -> shown.put(key, Options.byKey(key, layer.place()).mask(text)));
            copy.put(layer, shown);
        });
        return new Settings(copy);
    }

    /**
     * A digest of what must agree in the whole job: SHA-256 over keys and meanings, so that {@code
     * 60s} and {@code 1m} agree, in hexadecimal.
     */
    public String fingerprint() {
        StringBuilder text = new StringBuilder();
        jobValues()
                .forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
        return Digests.sha256(text.toString());
    }

    /** What must agree in the whole job, by key: what the values mean, however they are written. */
    public Map<String, String> jobValues() {
        Map<String, String> values = new LinkedHashMap<>();
        for (Option option : Options.all()) {
            if (option.scope() == OptionScope.JOB) {
                String value = text(option);
                values.put(
                        option.key(),
                        value.isEmpty() ? "" : String.valueOf(option.kind().parse(value)));
            }
        }
        return values;
    }

    /** A line an option: key, value, and where it comes from; secrets masked. */
    @Override
    public String toString() {
        StringBuilder lines = new StringBuilder();
        for (Option option : Options.all()) {
            String text = text(option);
            lines.append(option.key())
                    .append(" = ")
                    .append(text.isEmpty() ? "(not set)" : option.mask(text))
                    .append("  [")
                    .append(source(option).place())
                    .append("]\n");
        }
        return lines.toString();
    }
}
