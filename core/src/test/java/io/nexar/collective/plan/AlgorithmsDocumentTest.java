package io.nexar.collective.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.nexar.Algorithm;
import io.nexar.collective.plan.check.PlanChecker;
import io.nexar.collective.plan.check.PlanSummary;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
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
                for (Placement placement : placements(row, size)) {
                    PlanSummary summary = PlanChecker.check(row.entry(), placement, 0);
                    double shareBytes = VECTOR_BYTES / summary.shares();
                    String where = row + ", " + placement;
                    requireFigure(row.rounds(), placement, summary.messageRounds(), where);
                    requireFigure(
                            row.bytes(), placement, summary.sharesSentMax() * shareBytes, where);
                    requireFigure(
                            row.scratch(),
                            placement,
                            summary.scratchSlotsMax() * shareBytes,
                            where);
                }
            }
        }
    }

    /** With levels, all hosts alike; without, all ranks on one host. */
    private static List<Placement> placements(Row row, int size) {
        return row.entry().algorithm() == Algorithm.HIERARCHICAL
                ? IntStream.range(2, size)
                        .filter(ranksOnHost -> size % ranksOnHost == 0)
                        .mapToObj(ranksOnHost -> Placement.blocks(size, ranksOnHost))
                        .toList()
                : List.of(Placement.oneHost(size));
    }

    private static void requireFigure(
            String cell, Placement placement, double actual, String where) {
        if (cell.startsWith(AT_MOST)) {
            double bound = value(cell.substring(AT_MOST.length()), placement);
            assertThat(actual).as(where).isLessThanOrEqualTo(bound + 1e-6);
        } else {
            assertThat(actual).as(where).isCloseTo(value(cell, placement), within(1e-6));
        }
    }

    @Test
    void boundsHoldForEveryRootAndAreReachedWithinAHalf() throws IOException {
        for (Row row : rows()) {
            double nearest = row.bytes().startsWith(AT_MOST) ? 0 : 1;
            for (int size = 2; size <= 17; size++) {
                for (Placement placement : placements(row, size)) {
                    nearest = Math.max(nearest, nearest(row, placement));
                }
            }
            assertThat(nearest).as(row.toString()).isGreaterThanOrEqualTo(0.5);
        }
    }

    /** How near a plan comes to the bound on the bytes, of all roots. */
    private static double nearest(Row row, Placement placement) {
        int roots = row.entry().operation().isRooted() ? placement.size() : 1;
        double nearest = 0;
        for (int root = 0; root < roots; root++) {
            PlanSummary summary = PlanChecker.check(row.entry(), placement, root);
            double bytes = summary.sharesSentMax() * VECTOR_BYTES / summary.shares();
            double bound = value(row.bytes().replace(AT_MOST, ""), placement);
            assertThat(bytes)
                    .as("%s, %s, root %d", row, placement, root)
                    .isLessThanOrEqualTo(bound + 1e-6);
            nearest = Math.max(nearest, bound == 0 ? 1 : bytes / bound);
        }
        return nearest;
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

    private static double value(String formula, Placement placement) {
        int size = placement.size();
        int down = 31 - Integer.numberOfLeadingZeros(size);
        int up = logRoundedUp(size);
        Map<Character, Double> variables =
                new HashMap<>(
                        Map.of(
                                'N', VECTOR_BYTES,
                                'M', VECTOR_BYTES / size,
                                'P', (double) size,
                                'L', (double) down,
                                'C', (double) up,
                                'D', (double) logRoundedUp(size - 1),
                                'F', (double) (up - down),
                                'Q', (double) (1 << down),
                                'H', (double) (1 << up - 1)));
        variables.put('B', (double) IntStream.range(0, size).map(Integer::bitCount).sum());
        variables.put('S', (double) placement.fewestOnAHost());
        variables.put('T', (double) logRoundedUp(placement.fewestOnAHost()));
        variables.put('U', (double) logRoundedUp(placement.hosts()));
        return Formula.evaluate(formula, variables);
    }

    private static int logRoundedUp(int number) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(number - 1);
    }

    private static List<Row> rows() throws IOException {
        return Files.readAllLines(DOCUMENT).stream()
                .filter(line -> line.startsWith("|") && line.contains("](../core/"))
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
