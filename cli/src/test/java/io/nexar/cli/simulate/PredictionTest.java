package io.nexar.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nexar.Algorithm;
import io.nexar.cli.simulate.Stopwatch.Kind;
import io.nexar.cli.simulate.Stopwatch.Times;
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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Measures a cost model here, predicts with it, measures the same calls, and prints both as the
 * table of docs/simulate.md. A machine that does other things as well makes it meaningless: then
 * nothing is asserted, and it runs with {@code -Dnexar.test.full=true} only.
 */
class PredictionTest {
    private static final long[] LENGTHS = {1 << 10, 32 << 10, 256 << 10, 2 << 20};
    private static final Operation[] OPERATIONS = {
        Operation.ALL_REDUCE, Operation.ALL_GATHER, Operation.REDUCE_SCATTER, Operation.ALL_TO_ALL
    };

    /** How far a predicted ratio of two times may be from the measured one. */
    private static final double TOLERANCE = 1.25;

    /** Of ranks of one JVM, with room for a machine that is not quite quiet. */
    private static final double LEAST_PAIRS = 0.85;

    private static final double LEAST_WINNERS = 0.93;

    /**
     * A prediction, and what came of it.
     *
     * @param again measured once more, some minutes later: how far apart two measurements are
     */
    private record Row(Kind kind, double predicted, double measured, double again) {}

    /**
     * Times calls that are predicted together with those that the model is made from: in turn, on
     * the same clusters. How far apart a virtual machine's cores are is then the same for both; it
     * differs by more than algorithms do.
     */
    private static final class Race implements Measurement.Timer {
        private final Measurement.Timer timer;
        private final List<Kind> kinds;
        private double[] nanos = {};
        private double[] nanosAgain = {};

        Race(Measurement.Timer timer, List<Kind> kinds) {
            this.timer = timer;
            this.kinds = kinds;
        }

        @Override
        public List<Times> time(List<Kind> known, Slicing slicing) {
            if (nanos.length > 0) {
                return timer.time(known, slicing); // cut in another way
            }
            List<Kind> all = new ArrayList<>(known);
            all.addAll(kinds);
            List<Times> times = timer.time(all, slicing);
            nanos = means(times, known.size());
            nanosAgain = means(timer.time(kinds, slicing), 0);
            return times.stream()
                    .map(each -> new Times(each.form(), Arrays.copyOf(each.nanos(), known.size())))
                    .toList();
        }

        /** Of the kinds that are predicted, which stand behind so many others. */
        private double[] means(List<Times> times, int others) {
            return IntStream.range(0, kinds.size())
                    .mapToDouble(kind -> mean(times, others + kind))
                    .toArray();
        }

        /** Over the forms of seating, as a forecast has it. */
        private static double mean(List<Times> times, int kind) {
            return Stopwatch.geometricMean(
                    times.stream().mapToDouble(each -> each.nanos()[kind]).toArray());
        }
    }

    /**
     * How busy other processes keep the cores, where the system says it: two ranks that share a
     * core, because something else has the other one, take up to seven times as long for a call.
     *
     * @param othersTicks so far, of a hundredth of a second
     */
    private record Load(long beginNanos, long othersTicks) {
        /**
         * The system itself, and other programs that only look whether there is something to do.
         */
        static final double QUIET_CORES = 0.2;

        static Load begin() {
            return new Load(System.nanoTime(), ticksOfOthers());
        }

        double others() {
            return (ticksOfOthers() - othersTicks) * 1e7 / (System.nanoTime() - beginNanos);
        }

        /** Of all processes in user and system mode, less this one's. */
        private static long ticksOfOthers() {
            try {
                long all = sum(Files.readString(Path.of("/proc/stat")), 1, 3);
                String own = Files.readString(Path.of("/proc/self/stat"));
                return all - sum(own.substring(own.lastIndexOf(')')), 12, 2);
            } catch (IOException notLinux) {
                return 0;
            }
        }

        private static long sum(String text, int firstWord, int words) {
            return Arrays.stream(text.split("\\s+"))
                    .skip(firstWord)
                    .limit(words)
                    .mapToLong(Long::parseLong)
                    .sum();
        }
    }

    @ParameterizedTest
    @CsvSource({"2,local", "4,local", "2,quic", "4,quic"})
    @Timeout(900)
    void theSimulationSaysWhichAlgorithmIsFasterAndByHowMuch(int ranks, String transport) {
        assumeTrue(Boolean.getBoolean("nexar.test.full"), "measures times: -Dnexar.test.full=true");
        Load load = Load.begin();
        CostModel model = CostModel.DEFAULT;
        if (!transport.equals("local")) {
            Measurement.Timer local =
                    Measurement.inThisProcess(ranks, "local", Stopwatch.Effort.USUAL);
            model = new Measurement(ranks, LinkClass.JVM, model, local).measure();
        }
        LinkClass link = transport.equals("local") ? LinkClass.JVM : LinkClass.HOST;
        Topology topology = Topology.of(Placement.oneHost(ranks), link);
        Race race =
                new Race(
                        Measurement.inThisProcess(ranks, transport, Stopwatch.Effort.USUAL),
                        kinds(topology));
        model = new Measurement(ranks, link, model, race).measure();
        System.out.print(CostModelText.format(model));
        List<List<Row>> races = races(race, topology, model);
        double others = load.others();
        races.forEach(rows -> print(ranks, transport, rows));
        int pairs = races.stream().mapToInt(rows -> rows.size() * (rows.size() - 1) / 2).sum();
        int right = rightPairs(races, Row::predicted);
        int repeated = rightPairs(races, Row::again);
        long wins = races.stream().filter(PredictionTest::isRightWinner).count();
        String result =
                ("%d ranks, %s: %d of %d pairs, measured again %d, %d of %d winners;"
                                + " other work kept %.2f cores busy")
                        .formatted(
                                ranks,
                                transport,
                                right,
                                pairs,
                                repeated,
                                wins,
                                races.size(),
                                others);
        System.out.println(result);
        assumeTrue(others < Load.QUIET_CORES, "the machine is not quiet: " + result);
        if (transport.equals("local")) {
            assertThat((double) right / pairs).as(result).isGreaterThan(LEAST_PAIRS);
        }
        assertThat((double) wins / races.size()).as(result).isGreaterThan(LEAST_WINNERS);
    }

    private static List<Kind> kinds(Topology topology) {
        List<Kind> kinds = new ArrayList<>();
        Slicing any = new Slicing(64 << 10, 4);
        for (Operation operation : OPERATIONS) {
            for (Forecast forecast :
                    Forecast.of(
                            operation, new Forecast.Setting(topology, CostModel.DEFAULT, any))) {
                for (long bytes : LENGTHS) {
                    kinds.add(new Kind(operation, forecast.algorithm(), bytes));
                }
            }
        }
        return kinds;
    }

    /** A list for each operation and length. */
    private static List<List<Row>> races(Race race, Topology topology, CostModel model) {
        Slicing slicing = Measurement.asItCuts(topology.placement().size(), topology.between(0, 1));
        Map<String, List<Row>> races = new TreeMap<>();
        for (int i = 0; i < race.kinds.size(); i++) {
            Kind kind = race.kinds.get(i);
            Forecast.Setting setting = new Forecast.Setting(topology, model, slicing);
            double predicted = Forecast.of(kind, setting).nanos(kind.bytes());
            String name = "%s %10d".formatted(kind.operation(), kind.bytes());
            races.computeIfAbsent(name, _ -> new ArrayList<>())
                    .add(new Row(kind, predicted, race.nanos[i], race.nanosAgain[i]));
        }
        return List.copyOf(races.values());
    }

    /** For how many pairs of algorithms the ratio of these times is the measured one, nearly. */
    private static int rightPairs(List<List<Row>> races, ToDoubleFunction<Row> nanos) {
        int right = 0;
        for (List<Row> rows : races) {
            for (int i = 0; i < rows.size(); i++) {
                for (int k = 0; k < i; k++) {
                    double ratio =
                            nanos.applyAsDouble(rows.get(i)) / nanos.applyAsDouble(rows.get(k));
                    double measured = rows.get(i).measured / rows.get(k).measured;
                    right += isNear(ratio / measured) ? 1 : 0;
                }
            }
        }
        return right;
    }

    private static boolean isNear(double ratio) {
        return ratio < TOLERANCE && ratio > 1 / TOLERANCE;
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
