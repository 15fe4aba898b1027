package io.nexar.config;

import io.nexar.ConfigurationException;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The edge: the only place that looks at the environment, at system properties, and at the settings
 * file. Every name in them that begins like one of ours must be one of ours.
 */
public final class SettingsReader {

    private static final String VARIABLE_PREFIX = "NEXAR_";

    /** System properties of the project's own tests and tools, which are no settings. */
    private static final List<String> NOT_SETTINGS = List.of("nexar.test.", "nexar.docs.");

    private static final String FILE_KEY = "nexar.config";

    private SettingsReader() {}

    /**
     * What this process was started with.
     *
     * @throws ConfigurationException if a name is unknown, a value is wrong, or the file can't be
     *     read
     */
    public static Settings ofThisProcess() {
        Map<String, String> properties = new TreeMap<>();
        Properties system = System.getProperties();
        for (String name : system.stringPropertyNames()) {
            properties.put(name, system.getProperty(name, ""));
        }
        return read(System.getenv(), properties);
    }

    /** The variables of this process, for what other launchers say there. */
    public static Map<String, String> environment() {
        return System.getenv();
    }

    /**
     * The same of given values.
     *
     * @param environment names and values; only those that begin with {@code NEXAR_} are looked at,
     *     and an empty value is as good as none
     * @param properties names and values; only those that begin with {@code nexar.} are looked at
     */
    public static Settings read(Map<String, String> environment, Map<String, String> properties) {
        Settings settings = Settings.DEFAULTS;
        for (Map.Entry<String, String> variable : new TreeMap<>(environment).entrySet()) {
            String name = variable.getKey();
            if (name.startsWith(VARIABLE_PREFIX) && !variable.getValue().isEmpty()) {
                Option option = Options.byVariable(name);
                settings = settings.with(Layer.ENVIRONMENT, option, name, variable.getValue());
            }
        }
        for (Map.Entry<String, String> property : new TreeMap<>(properties).entrySet()) {
            String name = property.getKey();
            if (name.startsWith(Option.KEY_PREFIX)
                    && NOT_SETTINGS.stream().noneMatch(name::startsWith)) {
                Option option = Options.byKey(name, Layer.FLAG.place());
                settings = settings.with(Layer.FLAG, option, name, property.getValue());
            }
        }
        String file = settings.text(Options.byKey(FILE_KEY, Layer.CODE.place()));
        return file.isEmpty() ? settings : withFile(settings, file);
    }

    /**
     * The same with the values of a properties file in UTF-8.
     *
     * @throws ConfigurationException if it can't be read, or says anything but settings, each once
     */
    public static Settings withFile(Settings settings, String file) {
        Properties properties = new OnceOnly();
        try (Reader reader = Files.newBufferedReader(Path.of(file), StandardCharsets.UTF_8)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException problem) {
            throw ConfigurationException.conflict(
                    FILE_KEY, file, "the file can't be read: " + problem);
        }
        Settings result = settings;
        for (String key : properties.stringPropertyNames()) {
            Option option = Options.byKey(key, "the settings file " + file);
            if (key.equals(FILE_KEY)) {
                throw ConfigurationException.conflict(
                        FILE_KEY, file, "a settings file can't name another one");
            }
            result = result.with(Layer.FILE, option, key, properties.getProperty(key, ""));
        }
        return result;
    }

    /** Properties in which a key may stand once; otherwise the last one would win in silence. */
    private static final class OnceOnly extends Properties {

        private static final long serialVersionUID = 1L;

        @Override
        public synchronized @Nullable Object put(Object key, Object value) {
            if (containsKey(key)) {
                throw new IllegalArgumentException(key + " stands there twice");
            }
            return super.put(key, value);
        }
    }
}
