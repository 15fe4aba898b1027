package io.nexar.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

class ProgramsTest {

    @TempDir private Path folder;

    @BeforeEach
    void makePrograms() throws IOException {
        Files.createDirectories(folder.resolve("first/same"));
        Files.createDirectories(folder.resolve("second"));
        program(folder.resolve("second/same"));
        program(folder.resolve("second/other"));
        Files.writeString(folder.resolve("second/data"), "");
    }

    @Test
    void aNameIsLookedUpInOrderAndFoldersAreNoPrograms() {
        assertThat(programs().find("same")).contains(folder.resolve("second/same"));
        assertThat(programs().find("data")).isEmpty();
        assertThat(programs().find("missing")).isEmpty();
    }

    @Test
    void whatCannotRunIsRefusedWithTheExitCodesOfAShell() {
        refused("missing", 127, "command 'missing' is not found on the PATH");
        refused("", 127, "command '' is not found on the PATH");
        refused(folder + "/none", 127, "does not exist");
        refused(folder + "/second/data", 126, "is not an executable file");
        refused(folder.toString(), 126, "is not an executable file");
        refused("a/b\0c", 127, "is no file name");
        programs().require("other");
        programs().require(folder + "/second/other");
    }

    private void refused(String name, int exitCode, String message) {
        assertThatThrownBy(() -> programs().require(name))
                .isInstanceOfSatisfying(
                        LaunchException.class, e -> assertThat(e.exitCode()).isEqualTo(exitCode))
                .hasMessageContaining(message);
    }

    private Programs programs() {
        return new Programs(folder.resolve("first") + ":" + folder.resolve("second"));
    }

    private static void program(Path path) throws IOException {
        Files.createFile(
                path,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
}
