package io.nexar.cli.simulate;

import io.nexar.Algorithm;
import io.nexar.NexarConfig;
import io.nexar.cli.simulate.Stopwatch.Kind;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Placement;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.collective.plan.cost.LinkCost;
import io.nexar.collective.plan.cost.Slicing;
import io.nexar.collective.plan.cost.Topology;

import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Finds the numbers of a cost model: times a few calls on ranks that somebody starts, and sets one
 * number after another to what makes the simulation of a call take as long as the call took. A
 * number is told by the call that it decides: a call's own cost by a barrier, latency by the rounds
 * of a short ring, the work for a piece by a vector of many tiny pieces, copying and combining by
 * long vectors. Others decide a little as well, so it goes round a few times.
 *
 * <p>On ranks of one JVM it finds what a call, copying and combining cost, and the links of a JVM;
 * on others the links of a host, with the rest as given.
 */
public final class Measurement {
    public static final int RANKS_MAX = 64;

    /** A call's cost and latency need that many to part. */
    private static final int TURNS = 12;

    /** From a hundredth of a nanosecond to a second; steps of a thousandth at the end. */
    private static final double LEAST = 0.01;

    private static final double MOST = 1e9;
    private static final int HALVINGS = 40;

    private static final Slicing USUAL = new Slicing(64 << 10, 4);

    /** Pieces so small that their number decides, and so many under way that nobody waits. */
    private static final Slicing TINY = new Slicing(256, 256);

    private final int ranks;
    private final LinkClass link;
    private final Timer timer;
    private CostModel model;

    /** Times calls on so many ranks; blocks. */
    public interface Timer {
        double nanos(Kind kind, Slicing slicing);
    }

    /** A number of the model, and the call that tells it. */
    private record Unknown(
            Kind kind, Slicing slicing, BiFunction<CostModel, Double, CostModel> set) {}

    /**
     * @param link that of the ranks which the timer starts: JVM or HOST
     * @param start what is not measured
     */
    public Measurement(int ranks, LinkClass link, CostModel start, Timer timer) {
        this.ranks = ranks;
        this.link = link;
        this.model = start;
        this.timer = timer;
    }

    /** Times calls on ranks of this process, over local or quic. */
    public static Timer inThisProcess(int ranks, String transport, Stopwatch.Effort effort) {
        return (kind, slicing) -> {
            try (Stopwatch stopwatch = new Stopwatch(ranks, config(transport, slicing), effort)) {
                return stopwatch.time(List.of(kind))[0];
            }
        };
    }

    public CostModel measure() {
        model = withCores(model, Runtime.getRuntime().availableProcessors());
        if (link == LinkClass.JVM) {
            model = model.with(link, new LinkCost(500, 500, 0, 0));
        }
        List<Unknown> numbers = link == LinkClass.JVM ? ofJvm() : ofHost();
        double[] nanos =
                numbers.stream()
                        .mapToDouble(number -> timer.nanos(number.kind, number.slicing))
                        .toArray();
        for (int turn = 0; turn < TURNS; turn++) {
            for (int i = 0; i < nanos.length; i++) {
                model = fit(numbers.get(i), nanos[i]);
            }
        }
        return model;
    }

    private List<Unknown> ofJvm() {
        return List.of(
                new Unknown(barrier(), USUAL, Measurement::withCall),
                latency(),
                message(),
                new Unknown(gather(), USUAL, (m, v) -> rates(m, v, m.reduceByteNanos())),
                new Unknown(reduce(), USUAL, (m, v) -> rates(m, m.copyByteNanos(), v)));
    }

    private List<Unknown> ofHost() {
        return List.of(
                latency(),
                message(),
                new Unknown(
                        gather(),
                        USUAL,
                        (m, v) -> {
                            LinkCost old = m.link(link);
                            return m.with(
                                    link,
                                    new LinkCost(old.latencyNanos(), old.messageNanos(), v, 0));
                        }));
    }

    private static Kind barrier() {
        return new Kind(Operation.BARRIER, Algorithm.DISSEMINATION, 0);
    }

    /** A ring has more rounds than a barrier: what a round takes, apart from a call. */
    private Unknown latency() {
        return new Unknown(
                new Kind(Operation.ALL_REDUCE, Algorithm.RING, 8L * ranks),
                USUAL,
                (m, v) -> {
                    LinkCost old = m.link(link);
                    return m.with(link, new LinkCost(v, old.messageNanos(), old.byteNanos(), 0));
                });
    }

    /** Of two ranks a long vector of tiny pieces tells it, of more the messages to all others. */
    private Unknown message() {
        boolean isPair = ranks == 2;
        return new Unknown(
                new Kind(
                        Operation.ALL_GATHER,
                        isPair ? Algorithm.RING : Algorithm.DIRECT,
                        isPair ? 512L * TINY.pieceBytes() : 256L * ranks),
                isPair ? TINY : USUAL,
                (m, v) -> {
                    LinkCost old = m.link(link);
                    return m.with(link, new LinkCost(old.latencyNanos(), v, old.byteNanos(), 0));
                });
    }

    /** A share of 1 MiB a rank: sixteen pieces, and within the caches as much as is usual. */
    private Kind gather() {
        return new Kind(Operation.ALL_GATHER, Algorithm.RING, (1L << 20) * ranks);
    }

    private Kind reduce() {
        return new Kind(Operation.ALL_REDUCE, Algorithm.RING, (1L << 20) * ranks);
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
                "nexar.collective.piecesInFlight", String.valueOf(slicing.inFlight()));
    }

    /** Halves the range of the number, which makes the call longer the greater it is. */
    private CostModel fit(Unknown number, double measuredNanos) {
        Forecast forecast = forecast(number);
        double low = Math.log(LEAST);
        double high = Math.log(MOST);
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            CostModel tried = number.set.apply(model, Math.exp(middle));
            if (forecast.under(tried).nanos(number.kind.bytes()) < measuredNanos) {
                low = middle;
            } else {
                high = middle;
            }
        }
        double value = Math.exp(low);
        return number.set.apply(model, value <= 2 * LEAST ? 0 : value);
    }

    private Forecast forecast(Unknown number) {
        Topology topology = Topology.of(Placement.oneHost(ranks), link);
        Forecast.Setting setting = new Forecast.Setting(topology, model, number.slicing);
        return Forecast.of(number.kind.operation(), setting).stream()
                .filter(forecast -> forecast.algorithm() == number.kind.algorithm())
                .findFirst()
                .orElseThrow();
    }

    private static CostModel rates(CostModel m, double copy, double reduce) {
        return new CostModel(m.links(), m.callNanos(), copy, reduce, m.cores());
    }

    private static CostModel withCall(CostModel m, double nanos) {
        return new CostModel(m.links(), nanos, m.copyByteNanos(), m.reduceByteNanos(), m.cores());
    }

    private static CostModel withCores(CostModel m, int cores) {
        return new CostModel(
                m.links(), m.callNanos(), m.copyByteNanos(), m.reduceByteNanos(), cores);
    }
}
