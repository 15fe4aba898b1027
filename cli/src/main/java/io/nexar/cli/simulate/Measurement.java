package io.nexar.cli.simulate;

import io.nexar.Algorithm;
import io.nexar.NexarConfig;
import io.nexar.cli.simulate.Stopwatch.Kind;
import io.nexar.cli.simulate.Stopwatch.Times;
import io.nexar.collective.EngineRules;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Placement;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.collective.plan.cost.Slicing;
import io.nexar.collective.plan.cost.Topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
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
     * Of these there is every algorithm: where turns of a core decide, and where caches begin to.
     */
    private static final long[] LENGTHS_OF_ALL = {1536, 128 << 10};

    private static final Set<Operation> TIMED =
            EnumSet.of(
                    Operation.ALL_REDUCE,
                    Operation.ALL_GATHER,
                    Operation.REDUCE_SCATTER,
                    Operation.ALL_TO_ALL);

    /**
     * So many clusters, one after the other: the cores may be near each other in one and far in the
     * next, where a machine is virtual.
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
        /** What each kind of call takes: once, or in each form of seating. */
        List<Times> time(List<Kind> kinds, Slicing slicing);
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
        boolean isSeated = transport.equals("local"); // others have threads that work for ranks
        return (kinds, slicing) -> {
            NexarConfig config = config(transport, slicing);
            List<List<Times>> times = new ArrayList<>();
            for (int cluster = 0; cluster < clusters; cluster++) {
                try (var stopwatch = new Stopwatch(ranks, config, effort.part(PARTS))) {
                    times.add(stopwatch.time(kinds, isSeated));
                }
            }
            times.sort(Comparator.comparingDouble(Measurement::inAll));
            return means(times.subList(0, Math.ceilDiv(clusters, 2)));
        };
    }

    private static double inAll(List<Times> cluster) {
        return Stopwatch.geometricMean(
                cluster.stream().flatMapToDouble(form -> Arrays.stream(form.nanos())).toArray());
    }

    /** Over clusters, of each form and kind. */
    private static List<Times> means(List<List<Times>> clusters) {
        List<Times> means = new ArrayList<>();
        for (int form = 0; form < clusters.getFirst().size(); form++) {
            int at = form;
            double[][] nanos =
                    clusters.stream().map(each -> each.get(at).nanos()).toArray(double[][]::new);
            means.add(new Times(clusters.getFirst().get(at).form(), means(nanos)));
        }
        return means;
    }

    private static double[] means(double[][] nanosByKind) {
        return IntStream.range(0, nanosByKind[0].length)
                .mapToDouble(kind ->
                        Stopwatch.geometricMean(
                                Arrays.stream(nanosByKind)
                                        .mapToDouble(each -> each[kind])
                                        .toArray()))
                .toArray();
    }

    public CostModel measure() {
        List<Sample> samples = new ArrayList<>(samples(usual(), asItCuts(ranks, link)));
        if (ranks == 2) {
            // More ranks tell what a message costs by sending several at once.
            samples.addAll(samples(List.of(manyPieces()), TINY));
        }
        Unknowns unknowns = Unknowns.of(link, start, ranks);
        ToDoubleFunction<double[]> loss =
                numbers -> {
                    CostModel model = unknowns.model(numbers);
                    double[] squares =
                            samples.parallelStream()
                                    .mapToDouble(sample -> sample.squareUnder(model))
                                    .toArray();
                    return Arrays.stream(squares).sum() + unknowns.doubt(numbers);
                };
        return unknowns.model(Search.from(unknowns.starts(), loss));
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
        PlanCatalog.entries().stream()
                .filter(entry -> TIMED.contains(entry.operation()))
                .filter(entry -> entry.algorithm() != Algorithm.HIERARCHICAL)
                .forEach(entry -> {
                    for (long bytes : LENGTHS_OF_ALL) {
                        kinds.add(new Kind(entry.operation(), entry.algorithm(), bytes));
                    }
                });
        return kinds;
    }

    private static Kind manyPieces() {
        return new Kind(Operation.ALL_GATHER, Algorithm.RING, 512L * TINY.pieceBytes());
    }

    private List<Sample> samples(List<Kind> kinds, Slicing slicing) {
        Topology topology = Topology.of(Placement.oneHost(ranks), link);
        Forecast.Setting setting = new Forecast.Setting(topology, start, slicing);
        List<Forecast> forecasts = kinds.stream().map(kind -> Forecast.of(kind, setting)).toList();
        List<Sample> samples = new ArrayList<>();
        for (Times times : timer.time(kinds, slicing)) {
            for (int i = 0; i < kinds.size(); i++) {
                Forecast forecast = forecasts.get(i).seated(times.form());
                samples.add(new Sample(forecast, kinds.get(i).bytes(), times.nanos()[i]));
            }
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
