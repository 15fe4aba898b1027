package io.nexar.collective.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** Kinds of faults in what a whole plan is, and in what kind of step a step is. */
enum PlanFault implements PlantedFault {
    /** One rank counts one round more than the others. */
    ROUND_TOO_MANY {
        @Override
        public List<Supplier<List<Plan>>> plantIn(List<Plan> plans) {
            return onEachRank(
                    plans,
                    (rank, plan) -> Faults.withSteps(plan, Faults.steps(plan), plan.rounds() + 1));
        }
    },
    /** One rank does what its right neighbour should do. */
    PLAN_OF_THE_NEIGHBOUR {
        @Override
        public List<Supplier<List<Plan>>> plantIn(List<Plan> plans) {
            return onEachRank(plans, (rank, plan) -> plans.get((rank + 1) % plans.size()));
        }
    },
    /** One rank believes in another root. */
    PLAN_FOR_ANOTHER_ROOT {
        @Override
        public List<Supplier<List<Plan>>> plantIn(List<Plan> plans) {
            return onEachRank(
                    plans,
                    (rank, plan) -> {
                        PlanRequest mine = plan.request();
                        int root = (mine.root() + 1) % mine.size();
                        return PlanCatalog.entry(mine.operation(), mine.algorithm())
                                .plan(
                                        new PlanRequest(
                                                mine.operation(),
                                                mine.algorithm(),
                                                rank,
                                                mine.size(),
                                                root,
                                                mine.placement()));
                    });
        }
    },
    /** A message leaves a round later than it is received; all ranks have a round more. */
    SENT_A_ROUND_LATE {
        @Override
        public List<Supplier<List<Plan>>> plantIn(List<Plan> plans) {
            List<Supplier<List<Plan>>> found = new ArrayList<>();
            Fault.forEachStep(
                    plans,
                    (rank, index, plan, step) -> {
                        if (step.kind() == StepKind.SEND) {
                            found.add(() -> late(plans, rank, index));
                        }
                    });
            return found;
        }

        private List<Plan> late(List<Plan> plans, int rank, int index) {
            List<Plan> result = new ArrayList<>();
            for (Plan plan : plans) {
                List<Plan.Step> steps = Faults.steps(plan);
                if (plan == plans.get(rank)) {
                    Plan.Step step = steps.remove(index);
                    int place = index;
                    while (place < steps.size() && steps.get(place).round() <= step.round()) {
                        place++;
                    }
                    steps.add(place, Faults.withRound(step, step.round() + 1));
                }
                result.add(Faults.withSteps(plan, steps, plan.rounds() + 1));
            }
            return result;
        }
    },
    /** What arrives replaces the local operand instead of being combined with it. */
    OPERAND_OVERWRITTEN {
        @Override
        public List<Supplier<List<Plan>>> plantIn(List<Plan> plans) {
            return onEachStep(
                    plans,
                    StepKind.RECEIVE_REDUCE,
                    step ->
                            new Plan.Step(
                                    StepKind.RECEIVE,
                                    step.round(),
                                    step.peer(),
                                    null,
                                    null,
                                    step.target(),
                                    false));
        }
    },
    /** What arrives is combined with what happens to lie at its place. */
    OPERAND_TOO_MANY {
        @Override
        public List<Supplier<List<Plan>>> plantIn(List<Plan> plans) {
            return onEachStep(
                    plans,
                    StepKind.RECEIVE,
                    step ->
                            new Plan.Step(
                                    StepKind.RECEIVE_REDUCE,
                                    step.round(),
                                    step.peer(),
                                    step.target(),
                                    null,
                                    step.target(),
                                    false));
        }
    },
    /** A slot of SCRATCH that some step uses is said to hold another share than it does. */
    SCRATCH_LAID_OUT_OTHERWISE {
        @Override
        public List<Supplier<List<Plan>>> plantIn(List<Plan> plans) {
            List<Supplier<List<Plan>>> found = new ArrayList<>();
            for (int rank = 0; rank < plans.size(); rank++) {
                Plan plan = plans.get(rank);
                for (int i = 0; plan.shares() > 1 && i < plan.slots(BufferRole.SCRATCH); i++) {
                    int place = rank;
                    int slot = i;
                    if (Faults.isUsed(plan, Range.scratch(slot, 1))) {
                        found.add(() ->
                                Fault.replaced(
                                        plans, place, Faults.withOtherShareInScratch(plan, slot)));
                    }
                }
            }
            return found;
        }
    };

    private static List<Supplier<List<Plan>>> onEachRank(
            List<Plan> plans, BiFunction<Integer, Plan, Plan> change) {
        return IntStream.range(0, plans.size())
                .<Supplier<List<Plan>>>mapToObj(rank ->
                        () -> Fault.replaced(plans, rank, change.apply(rank, plans.get(rank))))
                .toList();
    }

    private static List<Supplier<List<Plan>>> onEachStep(
            List<Plan> plans, StepKind kind, UnaryOperator<Plan.Step> change) {
        List<Supplier<List<Plan>>> found = new ArrayList<>();
        Fault.forEachStep(
                plans,
                (rank, index, plan, step) -> {
                    if (step.kind() == kind && !step.isSignal()) {
                        found.add(() -> Fault.change(plans, rank, index, change));
                    }
                });
        return found;
    }
}
