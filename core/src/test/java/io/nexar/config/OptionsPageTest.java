package io.nexar.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class OptionsPageTest {

    /** Surefire runs in the module's folder. */
    private static final Path PAGE = Path.of("..", "docs", "options.md");

    @Test
    void thePageIsWhatTheTableSays() throws IOException {
        if (Boolean.getBoolean("nexar.docs.write")) {
            Files.createDirectories(PAGE.toAbsolutePath().getParent());
            Files.writeString(PAGE, OptionsPage.render());
        }
        assertThat(PAGE)
                .as("docs/options.md; write it with -Dtest=OptionsPageTest -Dnexar.docs.write=true")
                .hasContent(OptionsPage.render());
    }
}
