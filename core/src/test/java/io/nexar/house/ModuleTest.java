package io.nexar.house;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;

/** What the module shows of itself. That it compiles as a module is the build's own work. */
class ModuleTest {
    @Test
    void theModuleExportsTheContractAndNothingElse() {
        ModuleDescriptor module =
                ModuleFinder.of(Path.of("target/classes"))
                        .find("io.nexar")
                        .orElseThrow()
                        .descriptor();
        assertThat(module.exports())
                .extracting(ModuleDescriptor.Exports::source)
                .containsExactlyInAnyOrder(
                        "io.nexar", "io.nexar.spi", "io.nexar.transport", "io.nexar.wire");
    }
}
