package io.nexar.collective.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Adds to a plan that it is over on no rank before every rank has begun it: {@code
 * nexar.check=full}.
 *
 * <p>The rounds of a dissemination barrier ({@link DisseminationBarrier}) run beside the plan's
 * own, from its first round on. Their signals carry no data and wait for none: a signal waits for
 * those that were received in earlier rounds and nothing else, and no step of the plan waits for a
 * signal. Like all messages of a call they carry its fingerprint, so a rank that has the last of
 * them knows that all have made the same call.
 *
 * <p>Cost: rounds max(R, C) for a plan of R rounds; C messages a rank without bytes; C is log2 P
 * rounded up.
 */
final class Confirmation {
    private final Plan plan;
    private final List<Plan.Step> steps = new ArrayList<>();
    private final List<int[]> predecessors = new ArrayList<>();

    /** Where the plan's own steps have come to lie. */
    private final int[] places;

    private final List<Integer> heard = new ArrayList<>();
    private int nextStep;

    private Confirmation(Plan plan) {
        this.plan = plan;
        this.places = new int[plan.stepCount()];
    }

    /** A barrier is its own confirmation, and a world of one needs none. */
    static Plan of(Plan plan) {
        return plan.isConfirmed() || plan.request().size() == 1
                ? plan
                : new Confirmation(plan).build();
    }

    private Plan build() {
        int size = plan.request().size();
        int round = 0;
        for (int distance = 1; distance < size; distance *= 2) {
            addOwnSteps(round);
            addSignals(round++, distance);
        }
        int rounds = Math.max(plan.rounds(), round);
        addOwnSteps(rounds - 1);
        return new Plan(plan, steps, rounds, predecessors.toArray(int[][]::new));
    }

    /** The plan's steps up to this round; before the signals, on all ranks alike. */
    private void addOwnSteps(int round) {
        while (nextStep < places.length && plan.step(nextStep).round() <= round) {
            places[nextStep] = steps.size();
            int[] waitsFor =
                    Arrays.stream(plan.predecessors(nextStep)).map(step -> places[step]).toArray();
            add(plan.step(nextStep), waitsFor);
            nextStep++;
        }
    }

    private void addSignals(int round, int distance) {
        PlanRequest request = plan.request();
        int to = request.onRing(request.rank() + distance);
        int from = request.onRing(request.rank() - distance);
        add(
                new Plan.Step(StepKind.SEND, round, to, Range.input(0, 0), null, null, false),
                heard.stream().mapToInt(step -> step).toArray());
        heard.add(steps.size());
        add(
                new Plan.Step(StepKind.RECEIVE, round, from, null, null, Range.output(0, 0), false),
                new int[0]);
    }

    private void add(Plan.Step step, int[] waitsFor) {
        steps.add(step);
        predecessors.add(waitsFor);
    }
}
