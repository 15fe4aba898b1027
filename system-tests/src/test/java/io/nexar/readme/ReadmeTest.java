package io.nexar.readme;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;

class ReadmeTest {
    @Test
    void theProgramCompilesAsPrintedWithoutAWarning(@TempDir Path folder) throws IOException {
        assertThat(ReadmeProgram.read().compile(folder)).isEmpty();
        assertThat(folder.resolve(ReadmeProgram.CLASS_NAME + ".class")).exists();
    }

    @Test
    void aProgramThatDoesNotCompileIsNoticed(@TempDir Path folder) throws IOException {
        ReadmeProgram broken =
                new ReadmeProgram(
                        ReadmeProgram.read().text().replace("world.size()", "world.sise()"));
        assertThat(broken.compile(folder)).contains("sise").endsWith("not compiled");
    }
}
