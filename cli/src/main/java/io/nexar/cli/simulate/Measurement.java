package io.nexar.cli.simulate;

import io.nexar.Algorithm;
import io.nexar.NexarConfig;
import io.nexar.cli.simulate.Stopwatch.Kind;
import io.nexar.collective.EngineRules;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Placement;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.collective.plan.cost.Slicing;
import io.nexar.collective.plan.cost.Topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Finds the numbers of a cost model: times calls on ranks that somebody starts, and then looks for
 * the numbers with which the simulation of all of them comes nearest to what they took: for the
 * least squares of the logarithms of the ratios.
 *
 * <p>Short calls tell what calls, messages and latency cost, longer ones what bytes cost, the
 * longest what caches do, and the various algorithms tell one from the other.
 *
 * <p>On ranks of one JVM it finds what work costs, what a host's ranks share, and the links of a
 * JVM; on others the links of a host, with the rest as given.
 */
public final class Measurement {
    /** Simulating the calls of more takes minutes. */
    public static final int RANKS_MAX = 16;

    /** Pieces so small that their number decides, and so many under way that nobody waits. */
    private static final Slicing TINY = new Slicing(256, 256);

    /** From what fits into two cache lines for each rank to more than caches hold. */
    private static final long[] LENGTHS = {512, 8 << 10, 64 << 10, 512 << 10, 1 << 20, 3 << 20};

    /**
     * So many clusters, one after the other: where ranks share cores, each sits anew, and four on
     * two cores can sit in three ways; and the cores themselves may be near each other in one and
     * far in the next, where a machine is virtual.
     */
    private static final int CLUSTERS = 12;

    /** Each of them is looked at for a part: but the first finds code that is compiled. */
    private static final int PARTS = 4;

    private final int ranks;
    private final LinkClass link;
    private final Timer timer;
    private final CostModel start;

    /** Times calls on ranks that it starts; blocks. */
    public interface Timer {
        /** Nanoseconds of each kind of call. */
        double[] nanos(List<Kind> kinds, Slicing slicing);
    }

    /** A call that was timed, as it is simulated. */
    private record Sample(Forecast forecast, long bytes, double nanos) {
        double squareUnder(CostModel model) {
            double logarithm = Math.log(forecast.under(model).nanos(bytes) / nanos);
            return logarithm * logarithm;
        }
    }

    /**
     * @param link that of the ranks which the timer starts: JVM or HOST
     * @param start what is not measured
     */
    public Measurement(int ranks, LinkClass link, CostModel start, Timer timer) {
        this.ranks = ranks;
        this.link = link;
        this.start = start;
        this.timer = timer;
    }

    /**
     * Times calls on ranks of this process, over local or quic: on one cluster after the other.
     * What counts is the geometric mean over the half of them that are faster in all: who is slower
     * throughout has had a machine with something else to do, or with cores that are far from each
     * other.
     */
    public static Timer inThisProcess(int ranks, String transport, Stopwatch.Effort effort) {
        int clusters = Math.min(CLUSTERS, effort.turns());
        return (kinds, slicing) -> {
            NexarConfig config = config(transport, slicing);
            List<double[]> times = new ArrayList<>();
            for (int cluster = 0; cluster < clusters; cluster++) {
                try (var stopwatch = new Stopwatch(ranks, config, effort.part(PARTS))) {
                    times.add(stopwatch.time(kinds));
                }
            }
            times.sort(Comparator.comparingDouble(Stopwatch::geometricMean));
            List<double[]> faster = times.subList(0, Math.ceilDiv(clusters, 2));
            return IntStream.range(0, kinds.size())
                    .mapToDouble(i -> Stopwatch.geometricMean(ofKind(faster, i)))
                    .toArray();
        };
    }

    private static double[] ofKind(List<double[]> times, int kind) {
        return times.stream().mapToDouble(each -> each[kind]).toArray();
    }

    public CostModel measure() {
        List<Sample> samples = new ArrayList<>(samples(usual(), asItCuts(ranks, link)));
        if (ranks == 2) {
            // More ranks tell what a message costs by sending several at once.
            samples.addAll(samples(List.of(manyPieces()), TINY));
        }
        Unknowns unknowns = Unknowns.of(link, start, ranks);
        double[] found =
                Search.from(
                        unknowns.first(),
                        numbers -> {
                            CostModel model = unknowns.model(numbers);
                            double[] squares =
                                    samples.parallelStream()
                                            .mapToDouble(sample -> sample.squareUnder(model))
                                            .toArray();
                            return Arrays.stream(squares).sum() + unknowns.doubt(numbers);
                        });
        return unknowns.model(found);
    }

    /** As the engine cuts over these links, if nobody says otherwise. */
    static Slicing asItCuts(int ranks, LinkClass link) {
        LinkClass inHost = link == LinkClass.JVM ? link : LinkClass.RACK; // else sockets
        return EngineRules.of(NexarConfig.defaults(), inHost)
                .of(Placement.oneHost(ranks))
                .slicing();
    }

    private static List<Kind> usual() {
        List<Kind> kinds = new ArrayList<>();
        kinds.add(new Kind(Operation.BARRIER, Algorithm.DISSEMINATION, 0));
        for (long bytes : LENGTHS) {
            kinds.add(new Kind(Operation.ALL_REDUCE, Algorithm.DIRECT, bytes));
            kinds.add(new Kind(Operation.ALL_REDUCE, Algorithm.RECURSIVE_DOUBLING, bytes));
            kinds.add(new Kind(Operation.ALL_REDUCE, Algorithm.HALVING_DOUBLING, bytes));
            kinds.add(new Kind(Operation.ALL_REDUCE, Algorithm.REDUCE_SCATTER_ALLGATHER, bytes));
            kinds.add(new Kind(Operation.ALL_REDUCE, Algorithm.RING, bytes));
            kinds.add(new Kind(Operation.ALL_GATHER, Algorithm.DIRECT, bytes));
            kinds.add(new Kind(Operation.ALL_GATHER, Algorithm.RECURSIVE_DOUBLING, bytes));
            kinds.add(new Kind(Operation.REDUCE_SCATTER, Algorithm.DIRECT, bytes));
            kinds.add(new Kind(Operation.REDUCE_SCATTER, Algorithm.PAIRWISE, bytes));
            kinds.add(new Kind(Operation.REDUCE_SCATTER, Algorithm.HALVING_DOUBLING, bytes));
            kinds.add(new Kind(Operation.ALL_TO_ALL, Algorithm.DIRECT, bytes));
            kinds.add(new Kind(Operation.ALL_TO_ALL, Algorithm.BRUCK, bytes));
        }
        return kinds;
    }

    private static Kind manyPieces() {
        return new Kind(Operation.ALL_GATHER, Algorithm.RING, 512L * TINY.pieceBytes());
    }

    private List<Sample> samples(List<Kind> kinds, Slicing slicing) {
        double[] nanos = timer.nanos(kinds, slicing);
        Topology topology = Topology.of(Placement.oneHost(ranks), link);
        Forecast.Setting setting = new Forecast.Setting(topology, start, slicing);
        Map<Operation, List<Forecast>> forecasts = new EnumMap<>(Operation.class);
        List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < nanos.length; i++) {
            Kind kind = kinds.get(i);
            Forecast forecast =
                    forecasts
                            .computeIfAbsent(kind.operation(), one -> Forecast.of(one, setting))
                            .stream()
                            .filter(each -> each.algorithm() == kind.algorithm())
                            .findFirst()
                            .orElseThrow();
            samples.add(new Sample(forecast, kind.bytes(), nanos[i]));
        }
        return samples;
    }

    /** A cluster's settings for a transport and a way to cut. */
    public static NexarConfig config(String transport, Slicing slicing) {
        NexarConfig config = NexarConfig.defaults().with("nexar.transport", transport);
        for (Map.Entry<String, String> each : settings(slicing).entrySet()) {
            config = config.with(each.getKey(), each.getValue());
        }
        return config;
    }

    /** Settings for a way to cut. */
    public static Map<String, String> settings(Slicing slicing) {
        return Map.of(
                "nexar.collective.pieceBytes", String.valueOf(slicing.pieceBytes()),
                "nexar.collective.hostPieceBytes", String.valueOf(slicing.pieceBytes()),
                "nexar.collective.piecesInFlight", String.valueOf(slicing.inFlight()));
    }
}
