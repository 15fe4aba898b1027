package io.nexar.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nexar.Algorithm;
import io.nexar.cli.simulate.Stopwatch.Kind;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Placement;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.CostModelText;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.collective.plan.cost.Slicing;
import io.nexar.collective.plan.cost.Topology;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * Measures a cost model here, predicts with it, measures the same calls, and prints both as the
 * table of docs/simulate.md. A machine that does other things as well makes it meaningless, so it
 * runs with {@code -Dnexar.test.full=true} only.
 */
class PredictionTest {
    private static final Slicing USUAL = new Slicing(64 << 10, 4);
    private static final long[] LENGTHS = {1 << 10, 32 << 10, 256 << 10, 2 << 20};
    private static final Operation[] OPERATIONS = {
        Operation.ALL_REDUCE, Operation.ALL_GATHER, Operation.REDUCE_SCATTER, Operation.ALL_TO_ALL
    };

    /** How far a predicted ratio of two times may be from the measured one. */
    private static final double TOLERANCE = 1.25;

    /** A prediction, and what came of it. */
    private record Row(Kind kind, double predicted, double measured) {}

    private static CostModel measured(int ranks, String transport, CostModel start) {
        LinkClass link = transport.equals("local") ? LinkClass.JVM : LinkClass.HOST;
        Measurement.Timer timer =
                Measurement.inThisProcess(ranks, transport, Stopwatch.Effort.USUAL);
        return new Measurement(ranks, link, start, timer).measure();
    }

    @ParameterizedTest
    @CsvSource({"2,local", "4,local", "2,quic", "4,quic"})
    @Timeout(900)
    void theSimulationSaysWhichAlgorithmIsFasterAndByHowMuch(int ranks, String transport) {
        assumeTrue(Boolean.getBoolean("nexar.test.full"), "measures times: -Dnexar.test.full=true");
        CostModel local = measured(ranks, "local", CostModel.DEFAULT);
        CostModel model = transport.equals("local") ? local : measured(ranks, transport, local);
        System.out.print(CostModelText.format(model));
        LinkClass link = transport.equals("local") ? LinkClass.JVM : LinkClass.HOST;
        Topology topology = Topology.of(Placement.oneHost(ranks), link);
        int right = 0;
        int pairs = 0;
        int wins = 0;
        int races = 0;
        try (Stopwatch stopwatch =
                new Stopwatch(
                        ranks, Measurement.config(transport, USUAL), Stopwatch.Effort.USUAL)) {
            for (Operation operation : OPERATIONS) {
                List<Forecast> forecasts =
                        Forecast.of(operation, new Forecast.Setting(topology, model, USUAL));
                for (long bytes : LENGTHS) {
                    List<Row> rows = rows(stopwatch, operation, forecasts, bytes);
                    print(ranks, transport, rows);
                    pairs += rows.size() * (rows.size() - 1) / 2;
                    right += rightPairs(rows);
                    races++;
                    wins += isRightWinner(rows) ? 1 : 0;
                }
            }
        }
        System.out.printf(
                "%d ranks, %s: %d of %d pairs, %d of %d winners%n",
                ranks, transport, right, pairs, wins, races);
        assertThat((double) wins / races).isGreaterThan(0.75);
    }

    private static List<Row> rows(
            Stopwatch stopwatch, Operation operation, List<Forecast> forecasts, long bytes) {
        List<Kind> kinds =
                forecasts.stream()
                        .map(forecast -> new Kind(operation, forecast.algorithm(), bytes))
                        .toList();
        double[] measured = stopwatch.time(kinds);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < measured.length; i++) {
            rows.add(new Row(kinds.get(i), forecasts.get(i).nanos(bytes), measured[i]));
        }
        return rows;
    }

    private static int rightPairs(List<Row> rows) {
        int right = 0;
        for (int i = 0; i < rows.size(); i++) {
            for (int k = 0; k < i; k++) {
                double predicted = rows.get(i).predicted / rows.get(k).predicted;
                double measured = rows.get(i).measured / rows.get(k).measured;
                double off = predicted / measured;
                right += off < TOLERANCE && off > 1 / TOLERANCE ? 1 : 0;
            }
        }
        return right;
    }

    /** Whether the one that should be the fastest is, or nearly. */
    private static boolean isRightWinner(List<Row> rows) {
        Row winner = Collections.min(rows, Comparator.comparingDouble(Row::predicted));
        double best = rows.stream().mapToDouble(Row::measured).min().orElseThrow();
        return winner.measured <= TOLERANCE * best;
    }

    private static void print(int ranks, String transport, List<Row> rows) {
        Row first = rows.getFirst();
        StringBuilder line = new StringBuilder();
        for (Row row : rows) {
            Algorithm algorithm = row.kind.algorithm();
            line.append(
                    String.format(
                            Locale.ROOT,
                            " %s %s/%s %.2f/%.2f |",
                            algorithm,
                            Units.time(row.predicted),
                            Units.time(row.measured),
                            row.predicted / first.predicted,
                            row.measured / first.measured));
        }
        System.out.printf(
                "| %d %s | %s | %s |%s%n",
                ranks,
                transport,
                first.kind.operation().methodName(),
                Units.bytes(first.kind.bytes()),
                line);
    }
}
