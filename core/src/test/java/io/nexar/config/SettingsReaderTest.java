package io.nexar.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.nexar.ConfigurationException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

class SettingsReaderTest {

    private static final String KEY = "nexar.timeout.dial";
    private static final Option DIAL = Options.byKey(KEY, "a test");

    @TempDir Path directory;

    @Test
    void theStrongestPlaceThatGivesAValueCounts() throws IOException {
        Path file = file(KEY + " = 4s");
        Map<String, String> fileVariable = Map.of("NEXAR_CONFIG", file.toString());
        Settings inFile = SettingsReader.read(fileVariable, Map.of());
        assertCounts(Settings.DEFAULTS, DIAL.defaultText(), Layer.DEFAULT);
        assertCounts(inFile, "4s", Layer.FILE);
        assertCounts(inFile.withCode(KEY, "3s"), "3s", Layer.CODE);
        Map<String, String> variables =
                Map.of("NEXAR_CONFIG", file.toString(), "NEXAR_TIMEOUT_DIAL", "2s");
        Settings inEnvironment = SettingsReader.read(variables, Map.of()).withCode(KEY, "3s");
        assertCounts(inEnvironment, "2s", Layer.ENVIRONMENT);
        assertCounts(inEnvironment.withFlag("--timeout-dial", "1s"), "1s", Layer.FLAG);
        assertCounts(
                SettingsReader.read(variables, Map.of(KEY, "1s")).withCode(KEY, "3s"),
                "1s",
                Layer.FLAG);
    }

    private static void assertCounts(Settings settings, String text, Layer layer) {
        assertThat(settings.text(DIAL)).isEqualTo(text);
        assertThat(settings.source(DIAL)).isEqualTo(layer);
    }

    @Test
    void otherPeoplesNamesAreNotLookedAt() {
        Settings settings =
                SettingsReader.read(
                        Map.of("PATH", "/bin", "NEXARIUM", "x", "nexar.rank", "1"),
                        Map.of(
                                "java.home",
                                "x",
                                "nexar.test.full",
                                "true",
                                "nexar.docs.write",
                                "x"));
        assertThat(settings).hasToString(Settings.DEFAULTS.toString());
    }

    @Test
    void anEmptyVariableIsAsGoodAsNone() {
        assertCounts(
                SettingsReader.read(Map.of("NEXAR_TIMEOUT_DIAL", ""), Map.of()),
                DIAL.defaultText(),
                Layer.DEFAULT);
    }

    @Test
    void anUnknownNameIsAnErrorThatNamesTheNearestInItsOwnSpelling() throws IOException {
        assertUnknown(
                () -> SettingsReader.read(Map.of("NEXAR_WORLDSIZE", "4"), Map.of()),
                "NEXAR_WORLDSIZE",
                "NEXAR_WORLD_SIZE");
        assertUnknown(
                () -> SettingsReader.read(Map.of(), Map.of("nexar.timeout.diel", "4s")),
                "nexar.timeout.diel",
                KEY);
        assertUnknown(
                () -> Settings.DEFAULTS.withFlag("--interfaces", "eth0"),
                "--interfaces",
                "--interface");
        assertUnknown(
                () -> Settings.DEFAULTS.withCode("nexar.colective.pieceBytes", "1"),
                "nexar.colective.pieceBytes",
                "nexar.collective.pieceBytes");
        Path file = file("nexar.tokn = x");
        assertUnknown(
                () -> SettingsReader.read(Map.of("NEXAR_CONFIG", file.toString()), Map.of()),
                "nexar.tokn",
                "nexar.token");
        assertUnknown(
                () -> Settings.DEFAULTS.withCode("spark.executor.cores", "1"),
                "spark.executor.cores",
                null);
    }

    private static void assertUnknown(Runnable reading, String key, @Nullable String nearest) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(reading::run)
                .withMessageContaining(key)
                .satisfies(failure -> {
                    assertThat(failure.key()).isEqualTo(key);
                    assertThat(failure.nearest()).isEqualTo(nearest);
                    if (nearest != null) {
                        assertThat(failure).hasMessageContaining("did you mean " + nearest);
                    }
                });
    }

    @Test
    void aBadValueIsAnErrorThatNamesValuePlaceAndRule() throws IOException {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> SettingsReader.read(Map.of("NEXAR_TIMEOUT_DIAL", "5"), Map.of()))
                .withMessageContainingAll(
                        "NEXAR_TIMEOUT_DIAL = '5'", "the environment", "ms, s, m or h");
        Path file = file("nexar.check = none");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> SettingsReader.withFile(Settings.DEFAULTS, file.toString()))
                .withMessageContainingAll("nexar.check = 'none'", "one of basic, full");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> Settings.DEFAULTS.withCode("nexar.check", ""));
    }

    @Test
    void aFileThatCannotBeReadIsAnError() throws IOException {
        String missing = directory.resolve("missing.properties").toString();
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> SettingsReader.read(Map.of("NEXAR_CONFIG", missing), Map.of()))
                .withMessageContaining(missing);
        for (String text :
                new String[] {
                    "nexar.rank = 1\nnexar.rank = 2", "nexar.rank = \\u00", "nexar.config = other"
                }) {
            String file = file(text).toString();
            assertThatExceptionOfType(ConfigurationException.class)
                    .isThrownBy(() -> SettingsReader.withFile(Settings.DEFAULTS, file))
                    .withMessageContaining(file);
        }
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> SettingsReader.withFile(Settings.DEFAULTS, "\0"));
    }

    private Path file(String text) throws IOException {
        return Files.writeString(Files.createTempFile(directory, "nexar", ".properties"), text);
    }
}
