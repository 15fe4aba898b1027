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
import java.util.stream.IntStream;

/** Holds docs/algorithms.md and the planners' class comments to the plans. */
class AlgorithmsDocumentTest {
    private static final Path DOCUMENT = Path.of("..", "docs", "algorithms.md");

    /** Powers of two and their neighbours; the plans of all sizes are checked elsewhere. */
    private static final int[] SIZES = {2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 64};

    /** Any number of bytes will do: the formulas are linear in N. */
    private static final double VECTOR_BYTES = 1000;

    private static final String AT_MOST = "<= ";

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
                requireFigure(row.bytes(), size, summary.sharesSentMax() * shareBytes, where);
                requireFigure(row.scratch(), size, summary.scratchSlotsMax() * shareBytes, where);
            }
        }
    }

    private static void requireFigure(String cell, int size, double actual, String where) {
        if (cell.startsWith(AT_MOST)) {
            double bound = value(cell.substring(AT_MOST.length()), size);
            assertThat(actual).as(where).isLessThanOrEqualTo(bound + 1e-6);
        } else {
            assertThat(actual).as(where).isCloseTo(value(cell, size), within(1e-6));
        }
    }

    @Test
    void boundsHoldForEveryRootAndAreReachedWithinAHalf() throws IOException {
        for (Row row : rows()) {
            double nearest = row.bytes().startsWith(AT_MOST) ? 0 : 1;
            for (int size = 2; size <= 17; size++) {
                for (int root = 0; root < (row.entry().operation().isRooted() ? size : 1); root++) {
                    PlanSummary summary = PlanChecker.check(row.entry(), size, root);
                    double bytes = summary.sharesSentMax() * VECTOR_BYTES / summary.shares();
                    double bound = value(row.bytes().replace(AT_MOST, ""), size);
                    assertThat(bytes)
                            .as("%s, %d ranks, root %d", row, size, root)
                            .isLessThanOrEqualTo(bound + 1e-6);
                    nearest = Math.max(nearest, bound == 0 ? 1 : bytes / bound);
                }
            }
            assertThat(nearest).as(row.toString()).isGreaterThanOrEqualTo(0.5);
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
        int up = logRoundedUp(size);
        return Formula.evaluate(
                formula,
                Map.of(
                        'N', VECTOR_BYTES,
                        'M', VECTOR_BYTES / size,
                        'P', (double) size,
                        'L', (double) down,
                        'C', (double) up,
                        'D', (double) logRoundedUp(size - 1),
                        'F', (double) (up - down),
                        'Q', (double) (1 << down),
                        'H', (double) (1 << up - 1),
                        'B', (double) IntStream.range(0, size).map(Integer::bitCount).sum()));
    }

    private static int logRoundedUp(int number) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(number - 1);
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
