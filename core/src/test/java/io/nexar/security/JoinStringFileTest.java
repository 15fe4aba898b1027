package io.nexar.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.ConfigurationException;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;

class JoinStringFileTest {

    private static final JoinString JOIN =
            JoinString.parse(
                    "nexar://[::1]:7000/digits?pin=MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI"
                            + "&token=c2VjcmV0LXNlY3JldC1zZWNyZXQtMTIz");

    @TempDir Path directory;
    private Path file;

    @BeforeEach
    void name() {
        file = directory.resolve("join");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private static void chmod(Path path, String mode) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
    }

    @Test
    void comesBackFromAFileThatOnlyItsOwnerReads() throws IOException {
        JOIN.writeTo(file);
        assertThat(mode(file)).isEqualTo("rw-------");
        assertThat(Files.readString(file)).isEqualTo(JOIN.reveal() + "\n");
        assertThat(JoinString.readFrom(file)).isEqualTo(JOIN);
    }

    @Test
    void replacesAFileThatWasOpenToOthersAndLeavesNothingBeside() throws IOException {
        Files.writeString(file, "old");
        chmod(file, "rw-rw-rw-");
        JOIN.writeTo(file);
        assertThat(mode(file)).isEqualTo("rw-------");
        assertThat(JoinString.readFrom(file)).isEqualTo(JOIN);
        try (Stream<Path> all = Files.list(directory)) {
            assertThat(all).containsExactly(file);
        }
    }

    @Test
    void aFailedWriteLeavesNothingBeside() throws IOException {
        Files.createDirectory(file);
        Files.writeString(file.resolve("inside"), "x"); // a full directory cannot be replaced
        assertThatThrownBy(() -> JOIN.writeTo(file))
                .hasMessageContaining(file.toString())
                .hasMessageContaining("cannot be written");
        try (Stream<Path> all = Files.list(directory)) {
            assertThat(all).containsExactly(file);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rw-r--r--",
                "rw----r--",
                "rw-r-----",
                "rw--w----",
                "rw-----w-",
                "rw---x---"
            })
    void aFileOpenToOthersIsRefusedByNameAndRule(String mode) throws IOException {
        JOIN.writeTo(file);
        chmod(file, mode);
        assertThatThrownBy(() -> JoinString.readFrom(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(mode)
                .hasMessageContaining("chmod 600")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain(JOIN.token().reveal()));
    }

    @Test
    void aFileThatEvenItsOwnerCannotChangeIsFine() throws IOException {
        JOIN.writeTo(file);
        chmod(file, "r--------");
        assertThat(JoinString.readFrom(file)).isEqualTo(JOIN);
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatThrownBy(() -> JoinString.readFrom(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("cannot be read");
    }

    @Test
    void aMissingDirectoryIsNamed() {
        Path nowhere = directory.resolve("none").resolve("join");
        assertThatThrownBy(() -> JOIN.writeTo(nowhere))
                .hasMessageContaining(nowhere.toString())
                .hasMessageContaining("cannot be written");
    }

    @Test
    void aFileWithSomethingElseIsRefusedByNameAndBounded() throws IOException {
        JOIN.writeTo(file);
        Files.writeString(file, "nonsense");
        assertThatThrownBy(() -> JoinString.readFrom(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("nexar://");
        Files.writeString(file, "x".repeat(100_000));
        assertThatThrownBy(() -> JoinString.readFrom(file))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("longer than");
    }
}
