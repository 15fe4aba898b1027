package io.nexar.serial;

import io.nexar.ConfigurationException;
import io.nexar.spi.Serializer;

import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/** The serializers that can be had: ours, and those that the program brings. */
public final class Serializers {
    /** The setting that chooses one. */
    public static final String OPTION = "nexar.serializer";

    private Serializers() {}

    /**
     * The serializer of that name.
     *
     * @throws ConfigurationException if there is none, naming those there are
     */
    public static Serializer named(String name) {
        List<Serializer> found =
                Stream.concat(
                                Stream.of(new RecordSerializer()),
                                ServiceLoader.load(Serializer.class).stream()
                                        .map(ServiceLoader.Provider::get))
                        .toList();
        return found.stream()
                .filter(serializer -> serializer.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        ConfigurationException.conflict(
                                OPTION,
                                name,
                                "there is no such serializer; there are "
                                        + found.stream().map(Serializer::name).toList()));
    }
}
