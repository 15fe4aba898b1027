package io.nexar.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

class OutcomePageTest {
    @Test
    void thePageListsTheOutcomesThatAreTestedAndNoOther() throws IOException {
        List<String> expected = new ArrayList<>();
        expected.add(Outcome.HEADING);
        expected.add("|---|---|---|---|---|---|");
        Outcome.all().forEach(row -> expected.add(row.markdown()));

        List<String> page = Files.readAllLines(Path.of("..", "docs", "failures.md"));
        int first = page.indexOf(Outcome.HEADING);

        assertThat(first).as("the line with " + Outcome.HEADING).isNotNegative();
        assertThat(page.stream().skip(first).takeWhile(line -> line.startsWith("|")))
                .containsExactlyElementsOf(expected);
    }
}
