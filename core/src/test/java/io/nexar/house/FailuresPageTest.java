package io.nexar.house;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.NexarException;
import io.nexar.Scope;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Holds docs/failures.md to the tree of exceptions: none that a user may get is missing there. */
class FailuresPageTest {
    private static final Path PAGE = Path.of("..", "docs", "failures.md");

    @Test
    void everyErrorHasARow() throws IOException {
        List<String> errors =
                Arrays.stream(NexarException.class.getPermittedSubclasses())
                        .map(Class::getSimpleName)
                        .toList();

        assertThat(firstCells())
                .containsAll(errors.stream().map(name -> '`' + name + '`').toList());
    }

    @Test
    void everyScopeHasARow() throws IOException {
        assertThat(firstCells())
                .containsAll(Arrays.stream(Scope.values()).map(Scope::name).toList());
    }

    private static List<String> firstCells() throws IOException {
        return Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| "))
                .map(line -> line.substring(2, line.indexOf(" |", 2)).strip())
                .toList();
    }
}
