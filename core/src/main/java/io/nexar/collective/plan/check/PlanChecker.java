package io.nexar.collective.plan.check;

import io.nexar.collective.plan.OperandOrder;
import io.nexar.collective.plan.Placement;
import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.collective.plan.PlanRequest;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Shows that the plans of all ranks are right together.
 *
 * <ol>
 *   <li>{@link Shape}: each plan is well formed, and INPUT is never written.
 *   <li>{@link MessagePairs}: every send has its receive and nothing can deadlock.
 *   <li>{@link Order}: dependencies keep every two steps apart that must be, in place or not.
 *   <li>{@link Knowledge}: a barrier, and a confirmed plan, let nobody go before all have come.
 *   <li>{@link Execution}: run step by step in several orders, in place or not, with expressions
 *       for numbers, all end alike, as {@link Goal} says: each rank's part once, finished once, the
 *       same expression (so the same bits) on every rank, in the order that is promised.
 * </ol>
 *
 * <p>Pure: no state, any thread.
 */
public final class PlanChecker {
    private PlanChecker() {}

    /**
     * Makes and checks the plans of all ranks, which are all on one host.
     *
     * @throws PlanFaultException if they are wrong
     */
    public static PlanSummary check(PlanCatalog.Entry entry, int size, int root) {
        return check(entry, Placement.oneHost(size), root);
    }

    /**
     * Makes and checks the plans of all ranks.
     *
     * @throws PlanFaultException if they are wrong
     */
    public static PlanSummary check(PlanCatalog.Entry entry, Placement placement, int root) {
        List<Plan> plans =
                IntStream.range(0, placement.size())
                        .mapToObj(rank ->
                                entry.plan(
                                        PlanRequest.of(
                                                entry.operation(),
                                                entry.algorithm(),
                                                rank,
                                                root,
                                                placement)))
                        .toList();
        return check(plans, entry.order());
    }

    /**
     * Checks plans, given by rank.
     *
     * @param order in which reduced operands must stand
     * @throws PlanFaultException if they are wrong
     */
    public static PlanSummary check(List<Plan> plans, OperandOrder order) {
        if (plans.isEmpty()) {
            throw new IllegalArgumentException("no plans to check");
        }
        World world = new World(List.copyOf(plans));
        Shape.check(world);
        MessagePairs pairs = MessagePairs.of(world);
        Memory separate = Memory.of(world, Binding.SEPARATE);
        Memory inPlace = Memory.of(world, Binding.IN_PLACE);
        Order.check(world, separate, inPlace);
        if (world.plan(0).isConfirmed()) {
            Knowledge.check(world, pairs);
        }
        Terms terms = new Terms(world.size());
        int[][] outputs = runAll(world, pairs, terms, List.of(separate, inPlace));
        checkApart(world, terms, outputs);
        return PlanSummary.of(world, Goal.check(world, terms, order, outputs));
    }

    /** What is left of plans for calls whose buffers lie apart sends the same, and ends alike. */
    private static void checkApart(World world, Terms terms, int[][] expected) {
        World apart = new World(world.plans().stream().map(Plan::apart).toList());
        Shape.check(apart);
        MessagePairs pairs = MessagePairs.of(apart);
        Memory separate = Memory.of(apart, Binding.SEPARATE);
        Order.check(apart, separate);
        if (!Arrays.deepEquals(runAll(apart, pairs, terms, List.of(separate)), expected)) {
            throw apart.fault(0, "ends otherwise without its copies of INPUT");
        }
    }

    /** What all runs end with alike. */
    private static int[][] runAll(
            World world, MessagePairs pairs, Terms terms, List<Memory> bindings) {
        int[][] expected =
                Execution.run(world, pairs, terms, bindings.getFirst(), Schedule.BY_ROUNDS);
        for (Memory memory : bindings) {
            for (Schedule schedule : Schedule.values()) {
                int[][] outputs = Execution.run(world, pairs, terms, memory, schedule);
                if (!Arrays.deepEquals(outputs, expected)) {
                    throw world.fault(
                            0,
                            "ends otherwise when run %s and %s"
                                    .formatted(memory.binding(), schedule));
                }
            }
        }
        return expected;
    }
}
