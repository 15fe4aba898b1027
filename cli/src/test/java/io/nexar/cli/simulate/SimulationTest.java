package io.nexar.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nexar.Algorithm;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Placement;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.collective.plan.cost.CacheCost;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.HostCost;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.collective.plan.cost.LinkCost;
import io.nexar.collective.plan.cost.PlanCost;
import io.nexar.collective.plan.cost.Slicing;
import io.nexar.collective.plan.cost.Topology;
import io.nexar.collective.plan.cost.WorkCost;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

class SimulationTest {
    private static final Slicing SLICING = new Slicing(1000, 4);
    private static final LinkCost FREE = new LinkCost(0, 0, 0, 0);

    static Stream<Operation> operations() {
        return PlanCatalog.entries().stream().map(PlanCatalog.Entry::operation).distinct();
    }

    private static CostModel model(LinkCost host, LinkCost rack, double copy, double reduce) {
        return new CostModel(
                Map.of(
                        LinkClass.JVM, FREE,
                        LinkClass.HOST, host,
                        LinkClass.RACK, rack,
                        LinkClass.FAR, FREE),
                new WorkCost(7, 0, copy, reduce),
                HostCost.AMPLE);
    }

    private static Forecast forecast(
            Operation operation, Algorithm algorithm, Topology topology, CostModel model) {
        return Forecast.of(operation, new Forecast.Setting(topology, model, SLICING)).stream()
                .filter(forecast -> forecast.algorithm() == algorithm)
                .findFirst()
                .orElseThrow();
    }

    private static Topology oneHost(int size) {
        return Topology.of(Placement.oneHost(size), LinkClass.HOST);
    }

    /** Each round: a message is sent, travels, and is received. */
    @Test
    void aBarrierTakesItsRoundsOfSendingTravellingAndReceiving() {
        CostModel model = model(new LinkCost(100, 10, 0, 0), FREE, 0, 0);
        for (int rounds = 1; rounds <= 5; rounds++) {
            Forecast barrier =
                    forecast(
                            Operation.BARRIER,
                            Algorithm.DISSEMINATION,
                            oneHost(1 << rounds),
                            model);
            assertThat(barrier.isSimulated()).isTrue();
            assertThat(barrier.nanos(0)).isCloseTo(7 + rounds * 120, within(1e-6));
        }
    }

    /** R. Thakur and others' figure: 2(P-1) rounds, N/P bytes in each, half of them combined. */
    @Test
    void aRingTakesWhatThePaperSays() {
        CostModel model = model(new LinkCost(100, 10, 2, 0), FREE, 1, 3);
        Forecast ring = forecast(Operation.ALL_REDUCE, Algorithm.RING, oneHost(4), model);
        double share = 500;
        double combining = 3 * (100 + 2 * (10 + 2 * share) + 3 * share);
        double passingOn = 3 * (100 + 2 * (10 + 2 * share) + 1 * share);
        assertThat(ring.nanos(2000)).isCloseTo(7 + combining + passingOn, within(1e-6));
    }

    /** Many slices: the root has nothing else to do than to send one piece after another. */
    @Test
    void slicesFollowEachOtherAsFastAsTheBusiestRankWorks() {
        CostModel model = model(new LinkCost(100, 10, 1, 0), FREE, 0, 0);
        Forecast broadcast =
                forecast(Operation.BROADCAST, Algorithm.BINOMIAL_TREE, oneHost(2), model);
        int slices = 1000;
        double piece = 10 + 1000;
        assertThat(broadcast.nanos(slices * 1000L))
                .isCloseTo(slices * piece, within(slices * piece * 0.01));
    }

    @Test
    void theRanksOfAHostShareItsWire() {
        CostModel model = model(FREE, new LinkCost(0, 0, 0, 2), 0, 0);
        Placement dealt = Placement.of(List.of(0, 1, 0, 1, 0, 1, 0, 1)); // partners are elsewhere
        Forecast doubling =
                forecast(
                        Operation.ALL_REDUCE,
                        Algorithm.RECURSIVE_DOUBLING,
                        Topology.of(dealt, LinkClass.HOST),
                        model);
        // One of three rounds leaves the host, for four ranks on one wire.
        assertThat(doubling.nanos(1000)).isCloseTo(7 + 4 * 2 * 1000, within(1e-6));
    }

    /**
     * Of two ranks on a core one leaves the barrier before the call, makes the call, sends, and
     * yields; the other hears of the barrier, makes the call, sends, hears of it, goes on to the
     * barrier behind it, and yields; and the first hears of the call.
     */
    @ParameterizedTest
    @ValueSource(doubles = {0, 100})
    void ranksThatShareACoreWaitForEachOther(double switchNanos) {
        CostModel shared =
                model(new LinkCost(0, 10, 0, 0), FREE, 0, 0)
                        .with(new HostCost(1, switchNanos, CacheCost.AMPLE));
        Forecast barrier = forecast(Operation.BARRIER, Algorithm.DISSEMINATION, oneHost(2), shared);
        double first = 7 + 10;
        double other = 10 + 7 + 10 + 10 + 7 + 10;
        assertThat(barrier.nanos(0))
                .isCloseTo(first + switchNanos + other + switchNanos + 10, within(1e-6));
    }

    @Test
    void bytesThatAreInTheCacheOfTheCoreNeedNotBeFetched() {
        CostModel alone = model(FREE, FREE, 0, 0).with(new HostCost(1, 0, CacheCost.AMPLE));
        CostModel fetching = alone.with(LinkClass.JVM, new LinkCost(0, 0, 1, 0));
        Topology two = Topology.of(Placement.oneHost(2), LinkClass.JVM);
        assertThat(forecast(Operation.ALL_REDUCE, Algorithm.RING, two, fetching).nanos(1000))
                .isEqualTo(forecast(Operation.ALL_REDUCE, Algorithm.RING, two, alone).nanos(1000));
    }

    @Test
    void aCallTakesLongerTheMoreStepsItsPlanHas() {
        CostModel free = model(FREE, FREE, 0, 0);
        CostModel model = free.with(new WorkCost(7, 5, 0, 0));
        // Three messages each way, each with its step, and one that an average would need.
        assertThat(
                        forecast(Operation.REDUCE_SCATTER, Algorithm.PAIRWISE, oneHost(4), model)
                                .nanos(16))
                .isCloseTo(7 + 7 * 5, within(1e-6));
    }

    @Test
    void ranksAreSeatedEvenlyInThreeForms() {
        assertThat(Seating.ALL).hasSize(6);
        assertThat(cores(Seating.Form.DEALT, 4, 2)).containsExactly(0, 1, 0, 1);
        assertThat(cores(Seating.Form.BLOCKS, 4, 2)).containsExactly(0, 0, 1, 1);
        assertThat(cores(Seating.Form.SNAKE, 4, 2)).containsExactly(0, 1, 1, 0);
        for (Seating.Form form : Seating.Form.values()) {
            for (int ranks = 1; ranks <= 20; ranks++) {
                int[] onCore = new int[Math.min(3, ranks)];
                cores(form, ranks, onCore.length).forEach(core -> onCore[core]++);
                assertThat(onCore)
                        .as("%s of %d", form, ranks)
                        .contains(Math.ceilDiv(ranks, onCore.length))
                        .doesNotContain(0);
            }
        }
    }

    @Test
    void aForecastIsTheMeanOfThoseOfTheFormsOfSeating() {
        CostModel model = model(FREE, FREE, 0, 0).with(new HostCost(2, 1000, CacheCost.AMPLE));
        Topology four = Topology.of(Placement.oneHost(4), LinkClass.JVM);
        Forecast ring = forecast(Operation.ALL_REDUCE, Algorithm.RING, four, model);
        double[] ofForms =
                Stream.of(Seating.Form.values())
                        .mapToDouble(form -> ring.seated(form).nanos(1000))
                        .toArray();
        assertThat(ofForms[0]).isNotEqualTo(ofForms[1]);
        assertThat(Stopwatch.geometricMean(ofForms)).isCloseTo(ring.nanos(1000), within(1e-6));
        assertThat(ring.seated(null).nanos(1000)).isEqualTo(ring.nanos(1000));
    }

    private static List<Integer> cores(Seating.Form form, int ranks, int cores) {
        Seating seating = new Seating(form, false);
        return IntStream.range(0, ranks).map(i -> seating.core(i, ranks, cores)).boxed().toList();
    }

    /**
     * An allGather of two: input and output are one and a half vectors of 1000 bytes, and the input
     * has just been written. So to copy it costs what its place in the output does, which lay there
     * since the call before; and what comes has to be written as well.
     */
    @Test
    void whatFitsIntoNoCacheOfACoreComesFromThatOfTheHost() {
        for (double part : new double[] {0, 0.25, 0.5}) {
            double coreBytes = 1500 / (1 + part);
            CacheCost caches = new CacheCost(coreBytes, 3, 0, 0, 0);
            CostModel model = model(FREE, FREE, 1, 0).with(new HostCost(0, 0, caches));
            Forecast gather = forecast(Operation.ALL_GATHER, Algorithm.RING, oneHost(2), model);
            assertThat(gather.nanos(1000)).isCloseTo(7 + 500 * (2 + 2 * 3 * part), within(1e-6));
        }
    }

    /** Both ranks go through 3000 bytes in all, and nothing is near a core. */
    @Test
    void whatFitsIntoNoCacheComesFromMemory() {
        for (double part : new double[] {0, 0.25, 0.5}) {
            CacheCost caches = new CacheCost(1, 0, 0, 3000 / (1 + part), 3);
            CostModel model = model(FREE, FREE, 1, 0).with(new HostCost(0, 0, caches));
            Forecast gather = forecast(Operation.ALL_GATHER, Algorithm.RING, oneHost(2), model);
            assertThat(gather.nanos(1000)).isCloseTo(7 + 500 * (2 + 2 * 3 * part), within(1e-6));
        }
    }

    /**
     * Of two ranks of a JVM each reads half of the other's input, then half of what it has made: to
     * make it anew it must be claimed from who has read it.
     */
    @Test
    void whatAnotherCoreHasReadIsClaimedToBeWritten() {
        CostModel free = model(FREE, FREE, 0, 0);
        CacheCost claiming = new CacheCost(0, 0, 1, 0, 0);
        Topology jvm = Topology.of(Placement.oneHost(2), LinkClass.JVM);
        CostModel fetching = free.with(LinkClass.JVM, new LinkCost(0, 0, 1, 0));
        assertThat(forecast(Operation.ALL_REDUCE, Algorithm.RING, jvm, fetching).nanos(1000))
                .isCloseTo(7 + 500 + 500, within(1e-6));
        CostModel claimed = free.with(new HostCost(0, 0, claiming));
        assertThat(forecast(Operation.ALL_REDUCE, Algorithm.RING, jvm, claimed).nanos(1000))
                .isCloseTo(7 + 500, within(1e-6));
        CostModel small = claimed.with(new HostCost(0, 0, new CacheCost(1, 0, 1, 0, 0)));
        assertThat(forecast(Operation.ALL_REDUCE, Algorithm.RING, jvm, small).nanos(1000))
                .isCloseTo(7, within(1e-6));
    }

    @Test
    void theSameQuestionHasTheSameAnswer() {
        for (Forecast forecast :
                Forecast.of(
                        Operation.ALL_REDUCE,
                        new Forecast.Setting(oneHost(7), CostModel.DEFAULT, SLICING))) {
            assertThat(forecast.nanos(123_456)).isEqualTo(forecast.nanos(123_456));
        }
    }

    /** Long vectors are extended from shorter ones: there must be no bend. */
    @Test
    void aVectorTwiceAsLongTakesTwiceAsLong() {
        for (Forecast forecast :
                Forecast.of(
                        Operation.ALL_REDUCE,
                        new Forecast.Setting(oneHost(5), CostModel.DEFAULT, SLICING))) {
            double ratio = forecast.nanos(20_000_000) / forecast.nanos(10_000_000);
            assertThat(ratio).as(forecast.algorithm().name()).isBetween(1.9, 2.1);
        }
    }

    /**
     * What chooses an algorithm in a job is an estimate from the same plans. Where the two differ,
     * they must not differ by much, for any algorithm. Between hosts a round counts as slow as its
     * slowest link, though no rank may wait for all of them: there it is further off. So it is
     * where ranks share a core and one hands out: who begins last finds his part there.
     */
    @ParameterizedTest
    @MethodSource("operations")
    void theEstimateIsNearTheSimulation(Operation operation) {
        CacheCost caches = new CacheCost(1 << 20, 0.02, 0.08, 16 << 20, 0.08);
        CostModel crowded = CostModel.DEFAULT.with(new HostCost(2, 3000, caches));
        for (Placement placement :
                new Placement[] {
                    Placement.oneHost(2),
                    Placement.oneHost(7),
                    Placement.oneHost(16),
                    Placement.blocks(12, 4)
                }) {
            Topology topology = Topology.of(placement, LinkClass.HOST);
            requireNear(operation, topology, CostModel.DEFAULT);
            if (!placement.hasLevels()) {
                requireNear(operation, Topology.of(placement, LinkClass.JVM), crowded);
            }
        }
    }

    private static void requireNear(Operation operation, Topology topology, CostModel model) {
        Slicing usual = new Slicing(64 << 10, 4);
        boolean hasLevels = topology.placement().hasLevels();
        boolean isHandedOut = operation == Operation.BROADCAST || operation == Operation.SCATTER;
        double most = hasLevels ? 5 : model.host().cores() == 0 ? 2 : isHandedOut ? 8 : 2.5;
        for (Forecast forecast :
                Forecast.of(operation, new Forecast.Setting(topology, model, usual))) {
            PlanCost estimate =
                    PlanCost.of(PlanCatalog.entry(operation, forecast.algorithm()), topology);
            for (long bytes = 8; bytes <= 64 << 20; bytes *= 8) {
                double ratio = estimate.nanos(model, usual, (double) bytes) / forecast.nanos(bytes);
                assertThat(ratio)
                        .as("%s, %s, %d bytes", forecast.algorithm(), topology, bytes)
                        .isBetween(hasLevels ? 0.4 : 0.5, most);
            }
        }
    }
}
