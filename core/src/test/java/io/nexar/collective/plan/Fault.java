package io.nexar.collective.plan;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Kinds of faults in a step or two, each with all places in a world's plans where it can be
 * planted.
 */
enum Fault implements PlantedFault {
    SHARE_SHIFTED_BY_ONE {
        @Override
        public List<Supplier<List<Plan>>> plantIn(List<Plan> plans) {
            List<Supplier<List<Plan>>> found = new ArrayList<>();
            forEachStep(
                    plans,
                    (rank, index, plan, step) -> {
                        Range source = shifted(plan, step.source());
                        Range second = shifted(plan, step.second());
                        Range target = shifted(plan, step.target());
                        if (source != null) {
                            found.add(() ->
                                    change(plans, rank, index, s -> Faults.withSource(s, source)));
                        }
                        if (second != null) {
                            found.add(() ->
                                    change(plans, rank, index, s -> Faults.withSecond(s, second)));
                        }
                        if (target != null) {
                            found.add(() ->
                                    change(plans, rank, index, s -> Faults.withTarget(s, target)));
                        }
                    });
            return found;
        }

        // A range of the whole buffer, past its end.
        private @Nullable Range shifted(Plan plan, @Nullable Range range) {
            if (range == null || range.slots() == 0) {
                return null;
            }
            int slots = plan.slots(range.buffer());
            int next = range.firstSlot() + 1;
            boolean wraps = range.firstSlot() > 0 && next + range.slots() > slots;
            return new Range(range.buffer(), wraps ? 0 : next, range.slots());
        }
    },
    OPERANDS_SWAPPED {
        @Override
        public List<Supplier<List<Plan>>> plantIn(List<Plan> plans) {
            List<Supplier<List<Plan>>> found = new ArrayList<>();
            forEachStep(
                    plans,
                    (rank, index, plan, step) -> {
                        if (step.kind() == StepKind.REDUCE
                                || step.kind() == StepKind.RECEIVE_REDUCE) {
                            found.add(
                                    () -> change(plans, rank, index, Faults::withOperandsSwapped));
                        }
                    });
            return found;
        }
    },
    STEP_DROPPED {
        @Override
        public List<Supplier<List<Plan>>> plantIn(List<Plan> plans) {
            List<Supplier<List<Plan>>> found = new ArrayList<>();
            forEachStep(
                    plans,
                    (rank, index, plan, step) -> found.add(() -> without(plans, rank, index)));
            return found;
        }
    },
    SCALE_DROPPED {
        @Override
        public List<Supplier<List<Plan>>> plantIn(List<Plan> plans) {
            List<Supplier<List<Plan>>> found = new ArrayList<>();
            forEachStep(
                    plans,
                    (rank, index, plan, step) -> {
                        if (step.kind() == StepKind.SCALE) {
                            found.add(() -> without(plans, rank, index));
                        }
                    });
            return found;
        }
    },
    /** A second scale follows the first, in a round that all ranks get for it. */
    SCALE_DOUBLED {
        @Override
        public List<Supplier<List<Plan>>> plantIn(List<Plan> plans) {
            List<Supplier<List<Plan>>> found = new ArrayList<>();
            forEachStep(
                    plans,
                    (rank, index, plan, step) -> {
                        if (step.kind() == StepKind.SCALE) {
                            List<Plan> longer = new ArrayList<>();
                            for (Plan each : plans) {
                                List<Plan.Step> steps = Faults.steps(each);
                                if (each == plan) {
                                    steps.add(Faults.withRound(step, each.rounds()));
                                }
                                longer.add(Faults.withSteps(each, steps, each.rounds() + 1));
                            }
                            found.add(() -> longer);
                        }
                    });
            return found;
        }
    },
    /**
     * Two rounds become one, on all ranks, where a step of the later conflicts with the earlier.
     */
    ONE_ROUND_TOUCHES_A_RANGE_TWICE {
        @Override
        public List<Supplier<List<Plan>>> plantIn(List<Plan> plans) {
            List<Supplier<List<Plan>>> found = new ArrayList<>();
            for (int round = 1; round < plans.getFirst().rounds(); round++) {
                int later = round;
                if (plans.stream().anyMatch(plan -> hasConflict(plan, later))) {
                    found.add(() -> plans.stream().map(plan -> merged(plan, later)).toList());
                }
            }
            return found;
        }

        private boolean hasConflict(Plan plan, int later) {
            for (int i = 0; i < plan.stepCount(); i++) {
                for (int earlier : plan.predecessors(i)) {
                    if (plan.step(i).round() == later
                            && plan.step(earlier).round() == later - 1
                            && !plan.step(i).isSignal()
                            && !plan.step(earlier).isSignal()) {
                        return true;
                    }
                }
            }
            return false;
        }

        private Plan merged(Plan plan, int later) {
            List<Plan.Step> steps =
                    Faults.steps(plan).stream()
                            .map(step ->
                                    step.round() < later
                                            ? step
                                            : Faults.withRound(step, step.round() - 1))
                            .toList();
            return Faults.withSteps(plan, steps, plan.rounds() - 1);
        }
    },
    /** Two receives of one rank take each other's place; or of two ranks, each other's peer. */
    RECEIVES_CROSSED {
        @Override
        public List<Supplier<List<Plan>>> plantIn(List<Plan> plans) {
            List<Supplier<List<Plan>>> found = new ArrayList<>();
            forEachStep(
                    plans,
                    (rank, index, plan, step) ->
                            forEachStep(
                                    plans,
                                    (otherRank, otherIndex, otherPlan, other) -> {
                                        boolean later =
                                                otherRank > rank
                                                        || otherRank == rank && otherIndex > index;
                                        if (!later || !step.isReceive() || !other.isReceive()) {
                                            return;
                                        }
                                        if (rank == otherRank && step.peer() == other.peer()) {
                                            if (!step.isSignal()) {
                                                found.add(() ->
                                                        placesSwapped(
                                                                plans, rank, index, otherIndex));
                                            }
                                        } else if (step.peer() != other.peer()
                                                && step.peer() != otherRank
                                                && other.peer() != rank) {
                                            List<Plan> once =
                                                    change(
                                                            plans,
                                                            rank,
                                                            index,
                                                            s -> Faults.withPeer(s, other.peer()));
                                            found.add(() ->
                                                    change(
                                                            once,
                                                            otherRank,
                                                            otherIndex,
                                                            s -> Faults.withPeer(s, step.peer())));
                                        }
                                    }));
            return found;
        }

        private List<Plan> placesSwapped(List<Plan> plans, int rank, int a, int b) {
            List<Plan.Step> steps = Faults.steps(plans.get(rank));
            Plan.Step first = steps.get(a);
            steps.set(a, Faults.withRound(steps.get(b), first.round()));
            steps.set(b, Faults.withRound(first, steps.get(b).round()));
            return replaced(
                    plans,
                    rank,
                    Faults.withSteps(plans.get(rank), steps, plans.get(rank).rounds()));
        }
    },
    SENT_TO_WRONG_PEER {
        @Override
        public List<Supplier<List<Plan>>> plantIn(List<Plan> plans) {
            List<Supplier<List<Plan>>> found = new ArrayList<>();
            forEachStep(
                    plans,
                    (rank, index, plan, step) -> {
                        int wrong = (step.peer() + 1) % plans.size();
                        int peer = wrong == rank ? (wrong + 1) % plans.size() : wrong;
                        if (step.kind() == StepKind.SEND && peer != step.peer()) {
                            found.add(() ->
                                    change(plans, rank, index, s -> Faults.withPeer(s, peer)));
                        }
                    });
            return found;
        }
    },
    DEPENDENCY_MISSING {
        @Override
        public List<Supplier<List<Plan>>> plantIn(List<Plan> plans) {
            List<Supplier<List<Plan>>> found = new ArrayList<>();
            forEachStep(
                    plans,
                    (rank, index, plan, step) -> {
                        for (int earlier : plan.predecessors(index)) {
                            found.add(() ->
                                    replaced(
                                            plans,
                                            rank,
                                            Faults.withoutDependency(plan, index, earlier)));
                        }
                    });
            return found;
        }
    },
    INPUT_WRITTEN {
        @Override
        public List<Supplier<List<Plan>>> plantIn(List<Plan> plans) {
            List<Supplier<List<Plan>>> found = new ArrayList<>();
            forEachStep(
                    plans,
                    (rank, index, plan, step) -> {
                        Range target = step.target();
                        if (target != null
                                && target.slots() > 0
                                && plan.slots(BufferRole.INPUT) > 0) {
                            Range input = Range.input(0, target.slots());
                            found.add(() ->
                                    change(plans, rank, index, s -> Faults.withTarget(s, input)));
                        }
                    });
            return found;
        }
    };

    @FunctionalInterface
    interface StepVisitor {
        void visit(int rank, int index, Plan plan, Plan.Step step);
    }

    static void forEachStep(List<Plan> plans, StepVisitor visitor) {
        for (int rank = 0; rank < plans.size(); rank++) {
            Plan plan = plans.get(rank);
            for (int i = 0; i < plan.stepCount(); i++) {
                visitor.visit(rank, i, plan, plan.step(i));
            }
        }
    }

    static List<Plan> change(
            List<Plan> plans, int rank, int index, UnaryOperator<Plan.Step> change) {
        return replaced(plans, rank, Faults.withStep(plans.get(rank), index, change));
    }

    private static List<Plan> without(List<Plan> plans, int rank, int index) {
        Plan plan = plans.get(rank);
        List<Plan.Step> steps = Faults.steps(plan);
        steps.remove(index);
        return replaced(plans, rank, Faults.withSteps(plan, steps, plan.rounds()));
    }

    static List<Plan> replaced(List<Plan> plans, int rank, Plan plan) {
        List<Plan> result = new ArrayList<>(plans);
        result.set(rank, plan);
        return result;
    }
}
