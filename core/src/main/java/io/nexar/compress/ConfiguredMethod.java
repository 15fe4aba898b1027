package io.nexar.compress;

import io.nexar.CompressionState;
import io.nexar.CompressionState.Method;
import io.nexar.ConfigurationException;
import io.nexar.spi.Compressor;

import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The method that a setting names: one of ours, or a compressor that the program brings. */
public final class ConfiguredMethod {
    /** The setting that chooses one. */
    public static final String OPTION = "nexar.compressor";

    private static final Pattern TOP_K = Pattern.compile("topK\\(([^,()]+)\\)");
    private static final Pattern RANDOM_K = Pattern.compile("randomK\\(([^,()]+), *(-?\\d+)\\)");

    private ConfiguredMethod() {}

    /**
     * The method of that name.
     *
     * @throws ConfigurationException if there is none, naming those there are
     */
    public static Method named(String name) {
        Matcher top = TOP_K.matcher(name);
        Matcher random = RANDOM_K.matcher(name);
        try {
            if (top.matches()) {
                return CompressionState.topK(Double.parseDouble(top.group(1))).method();
            } else if (random.matches()) {
                double fraction = Double.parseDouble(random.group(1));
                return CompressionState.randomK(fraction, Long.parseLong(random.group(2))).method();
            }
        } catch (IllegalArgumentException wrong) {
            throw ConfigurationException.conflict(OPTION, name, String.valueOf(wrong.getMessage()));
        }
        return switch (name) {
            case "none" -> new Method.None();
            case "quantize8" -> new Method.Quantize8();
            default -> new Method.Custom(found(name));
        };
    }

    private static Compressor found(String name) {
        List<Compressor> found =
                ServiceLoader.load(Compressor.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
        return found.stream()
                .filter(compressor -> compressor.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        ConfigurationException.conflict(
                                OPTION,
                                name,
                                "there is no such compressor; there are none, quantize8, topK(F),"
                                        + " randomK(F, SEED) and "
                                        + found.stream().map(Compressor::name).toList()));
    }
}
