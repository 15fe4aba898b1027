package io.nexar.cli.simulate;

import io.nexar.Algorithm;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Placement;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.collective.plan.PlanRequest;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.PlanCost;
import io.nexar.collective.plan.cost.Slicing;
import io.nexar.collective.plan.cost.Topology;
import io.nexar.collective.plan.cost.Traffic;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.IntStream;

/**
 * How long one algorithm takes for any length: its plans run event by event where all ranks' plans
 * together are small enough, else the estimate of {@link PlanCost}, which looks at the plans of
 * some ranks.
 */
public final class Forecast {
    /** All ranks' steps together: plans of this size are made in a second or two. */
    private static final long STEPS_MAX = 100_000;

    /** Pieces of steps in one run: a second's work. */
    private static final long EVENTS_MAX = 1_000_000;

    /** With so many windows full of slices each further slice takes as long as the one before. */
    private static final int WINDOWS_SIMULATED = 6;

    private final PlanCatalog.Entry entry;
    private final Setting setting;
    private final PlanCost cost;
    private final List<Plan> plans;

    /** What the forecast is the mean of, where ranks share cores. */
    private final List<Seating> seatings;

    /** Where and how calls run. */
    public record Setting(Topology topology, CostModel model, Slicing slicing) {}

    private Forecast(Forecast other, Setting setting, List<Seating> seatings) {
        this.entry = other.entry;
        this.cost = other.cost;
        this.plans = other.plans;
        this.setting = setting;
        this.seatings = seatings;
    }

    private Forecast(PlanCatalog.Entry entry, Setting setting) {
        this.entry = entry;
        this.setting = setting;
        this.cost = PlanCost.of(entry, setting.topology);
        Placement placement = setting.topology.placement();
        this.plans =
                (long) placement.size() * cost.stepsMax() <= STEPS_MAX
                        ? plans(placement)
                        : List.of();
        this.seatings = Seating.ALL;
    }

    /**
     * Of an operation, in the catalog's order; without those whose vectors such a world can't have,
     * and without levels where there are none.
     */
    public static List<Forecast> of(Operation operation, Setting setting) {
        boolean hasLevels = setting.topology.placement().hasLevels();
        return PlanCatalog.entries().stream()
                .filter(entry -> entry.operation() == operation)
                .filter(entry -> hasLevels || entry.algorithm() != Algorithm.HIERARCHICAL)
                .map(entry -> new Forecast(entry, setting))
                .toList();
    }

    /** Of a call that can be timed. */
    static Forecast of(Stopwatch.Kind kind, Setting setting) {
        return new Forecast(PlanCatalog.entry(kind.operation(), kind.algorithm()), setting);
    }

    /** The same with other costs. */
    public Forecast under(CostModel model) {
        return new Forecast(this, new Setting(setting.topology, model, setting.slicing), seatings);
    }

    /**
     * The same where ranks that share cores sit in that form, if every rank is followed.
     *
     * @param form null: in any
     */
    Forecast seated(Seating.@Nullable Form form) {
        return new Forecast(
                this,
                setting,
                Seating.ALL.stream().filter(each -> form == null || each.form() == form).toList());
    }

    public Algorithm algorithm() {
        return entry.algorithm();
    }

    public Traffic traffic() {
        return cost.traffic();
    }

    /** Whether every rank is followed, event by event. */
    public boolean isSimulated() {
        return !plans.isEmpty();
    }

    /** The time of one call, until the last rank is done. */
    public double nanos(long bytes) {
        return isSimulated()
                ? simulated(bytes)
                : cost.nanos(setting.model, setting.slicing, (double) bytes);
    }

    /** Where ranks share cores, as often as not so or so: the mean of the logarithms. */
    private double simulated(long bytes) {
        List<Seating> some = cost.isCrowded(setting.model) ? seatings : seatings.subList(0, 1);
        return Stopwatch.geometricMean(
                some.stream()
                        .mapToDouble(each -> simulated(bytes, each, EVENTS_MAX / some.size()))
                        .toArray());
    }

    private double simulated(long bytes, Seating seating, long eventsMax) {
        double shareBytes = (double) bytes / plans.getFirst().shares();
        long slices = setting.slicing.slices(shareBytes);
        double sliceBytes = shareBytes / slices;
        long enough = (long) WINDOWS_SIMULATED * setting.slicing.inFlight();
        long affordable = Math.max(2, eventsMax / Math.max(1, Simulation.events(plans, 1)));
        long most = Math.min(enough, affordable);
        if (slices <= most) {
            return once(seating, sliceBytes, slices, 0);
        }
        long fewer = most / 2;
        double nanos = once(seating, sliceBytes, most, (slices - most) * sliceBytes);
        double fewerNanos = once(seating, sliceBytes, fewer, (slices - fewer) * sliceBytes);
        return nanos + (slices - most) * (nanos - fewerNanos) / (most - fewer);
    }

    private double once(Seating seating, double shareBytes, long slices, double restBytes) {
        Placement placement = setting.topology.placement();
        List<SimulatedMemory> memories =
                IntStream.range(0, placement.hosts())
                        .mapToObj(host ->
                                new SimulatedMemory(setting.model, placement.ranksOn(host).length))
                        .toList();
        if (memories.getFirst().matters()) {
            Simulation before = new Simulation(plans, setting, seating, memories);
            before.run(shareBytes, slices);
            before.writeInputs(shareBytes, slices, restBytes);
        }
        return new Simulation(plans, setting, seating, memories).run(shareBytes, slices);
    }

    private List<Plan> plans(Placement placement) {
        return IntStream.range(0, placement.size())
                .mapToObj(rank ->
                        entry.plan(
                                        PlanRequest.of(
                                                entry.operation(),
                                                entry.algorithm(),
                                                rank,
                                                0,
                                                placement))
                                .apart())
                .toList();
    }
}
