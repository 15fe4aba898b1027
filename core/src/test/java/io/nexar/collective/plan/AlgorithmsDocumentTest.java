package io.nexar.collective.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.nexar.collective.plan.check.PlanChecker;
import io.nexar.collective.plan.check.PlanSummary;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Holds docs/algorithms.md and the planners' class comments to the plans. */
class AlgorithmsDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "algorithms.md");

    /** Powers of two and their neighbours; the plans of all sizes are checked elsewhere. */
    private static final int[] SIZES = {2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 64};

    /** Any number of bytes will do: the formulas are linear in N. */
    private static final double VECTOR_BYTES = 1000;

    private static final Pattern LINK = Pattern.compile("\\[(\\w+)]\\((\\S+)\\)");

    record Row(
            String operation,
            String algorithm,
            String planner,
            String rounds,
            String bytes,
            String scratch,
            String order) {
        PlanCatalog.Entry entry() {
            return PlanCatalog.entries().stream()
                    .filter(entry -> entry.operation().methodName().equals(operation))
                    .filter(entry -> entry.algorithm().name().equals(algorithm))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("not in the catalog: " + this));
        }
    }

    @Test
    void theTableHasTheCatalogsRows() throws IOException {
        assertThat(rows())
                .extracting(row -> row.operation() + " " + row.algorithm() + " " + row.order())
                .containsExactlyElementsOf(
                        PlanCatalog.entries().stream()
                                .map(entry ->
                                        entry.operation().methodName()
                                                + " "
                                                + entry.algorithm()
                                                + " "
                                                + entry.order().name().toLowerCase(Locale.ROOT))
                                .toList());
    }

    @Test
    void theFiguresAreThoseOfThePlans() throws IOException {
        for (Row row : rows()) {
            for (int size : SIZES) {
                PlanSummary summary = PlanChecker.check(row.entry(), size, 0);
                double shareBytes = VECTOR_BYTES / summary.shares();
                String where = row + ", ranks: " + size;
                assertThat((double) summary.messageRounds())
                        .as(where)
                        .isEqualTo(value(row.rounds(), size));
                assertThat(summary.sharesSentMax() * shareBytes)
                        .as(where)
                        .isCloseTo(value(row.bytes(), size), within(1e-6));
                assertThat(summary.scratchSlotsMax() * shareBytes)
                        .as(where)
                        .isCloseTo(value(row.scratch(), size), within(1e-6));
            }
        }
    }

    @Test
    void everyPlannersCommentStatesTheCostOfItsRow() throws IOException {
        for (Row row : rows()) {
            Matcher link = LINK.matcher(row.planner());
            assertThat(link.matches()).as(row.planner()).isTrue();
            Path source = DOCUMENT.resolveSibling(link.group(2));
            assertThat(source.getFileName()).hasToString(link.group(1) + ".java");
            String comment = Files.readString(source).replaceAll("\\s*\\n \\* ?", " ");
            assertThat(comment)
                    .contains(
                            "Cost: rounds %s, bytes per rank %s"
                                    .formatted(row.rounds(), row.bytes()));
        }
    }

    @Test
    void formulasAreReadAsPeopleReadThem() {
        Map<Character, Double> variables = Map.of('N', 12.0, 'P', 4.0);
        assertThat(Formula.evaluate("2N(P-1)/P", variables)).isEqualTo(18);
        assertThat(Formula.evaluate("P-1-1", variables)).isEqualTo(2);
        assertThatIllegalArgumentException().isThrownBy(() -> Formula.evaluate("2X", variables));
        assertThatIllegalArgumentException().isThrownBy(() -> Formula.evaluate("(P", variables));
    }

    private static double value(String formula, int size) {
        int down = 31 - Integer.numberOfLeadingZeros(size);
        int up = Integer.bitCount(size) == 1 ? down : down + 1;
        return Formula.evaluate(
                formula,
                Map.of(
                        'N', VECTOR_BYTES,
                        'P', (double) size,
                        'L', (double) down,
                        'C', (double) up,
                        'F', (double) (up - down)));
    }

    private static List<Row> rows() throws IOException {
        return Files.readAllLines(DOCUMENT).stream()
                .filter(line -> line.startsWith("|"))
                .skip(2)
                .map(line -> line.substring(1).split("\\|"))
                .map(cells ->
                        new Row(
                                cells[0].strip(),
                                cells[1].strip(),
                                cells[2].strip(),
                                cells[3].strip(),
                                cells[4].strip(),
                                cells[5].strip(),
                                cells[6].strip()))
                .toList();
    }
}
