package io.nexar.collective.plan.check;

import io.nexar.collective.plan.Plan;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Runs all ranks' plans once on {@link Terms} instead of numbers, in an order of the schedule's
 * choice: a step runs when its predecessors have run and, if it receives, its message has been
 * sent.
 */
final class Execution {
    /** Fixed, so that a fault that shows once shows always. */
    private static final long RANDOM_SEED = 1;

    private final World world;
    private final MessagePairs pairs;
    private final Schedule schedule;
    private final SplittableRandom random = new SplittableRandom(RANDOM_SEED);
    private final ReadySteps ready = new ReadySteps();
    private final Workplace[] workplaces;

    /** Steps of all ranks are numbered through, rank 0's first. */
    private final int[] firstStep;

    private final int[] rankOfStep;
    private final int[] waitsFor;

    private Execution(World world, MessagePairs pairs, Schedule schedule, Workplace[] workplaces) {
        this.world = world;
        this.pairs = pairs;
        this.schedule = schedule;
        this.workplaces = workplaces;
        this.firstStep = new int[world.size() + 1];
        for (int rank = 0; rank < world.size(); rank++) {
            firstStep[rank + 1] = firstStep[rank] + world.plan(rank).stepCount();
        }
        this.rankOfStep = new int[firstStep[world.size()]];
        this.waitsFor = new int[firstStep[world.size()]];
    }

    /** The content of every OUTPUT slot of every rank in the end. */
    static int[][] run(
            World world, MessagePairs pairs, Terms terms, Memory memory, Schedule schedule) {
        Workplace[] workplaces = new Workplace[world.size()];
        Arrays.setAll(workplaces, rank -> new Workplace(world, rank, memory.of(rank), terms));
        new Execution(world, pairs, schedule, workplaces).run();
        return Arrays.stream(workplaces).map(Workplace::outputs).toArray(int[][]::new);
    }

    private void run() {
        for (int rank = 0; rank < world.size(); rank++) {
            Plan plan = world.plan(rank);
            Arrays.fill(rankOfStep, firstStep[rank], firstStep[rank + 1], rank);
            for (int i = 0; i < plan.stepCount(); i++) {
                waitsFor[firstStep[rank] + i] =
                        plan.predecessors(i).length + (plan.step(i).isReceive() ? 1 : 0);
            }
        }
        for (int number = 0; number < waitsFor.length; number++) {
            if (waitsFor[number] == 0) {
                enqueue(number);
            }
        }
        int done = 0;
        for (; !ready.isEmpty(); done++) {
            perform(ready.remove());
        }
        if (done < waitsFor.length) {
            throw firstStuck();
        }
    }

    private void enqueue(int number) {
        int rank = rankOfStep[number];
        Plan.Step step = world.plan(rank).step(number - firstStep[rank]);
        ready.add(schedule.urgency(step, random), number);
    }

    private void perform(int number) {
        int rank = rankOfStep[number];
        int index = number - firstStep[rank];
        Plan plan = world.plan(rank);
        Plan.Step step = plan.step(index);
        if (step.isReceive()) {
            workplaces[rank].receive(
                    index, workplaces[step.peer()].sent(pairs.partnerOf(rank, index)));
        } else {
            workplaces[rank].perform(index);
        }
        if (!step.isLocal() && !step.isReceive()) {
            release(firstStep[step.peer()] + pairs.partnerOf(rank, index));
        }
        for (int later : plan.successors(index)) {
            release(firstStep[rank] + later);
        }
    }

    private void release(int number) {
        if (--waitsFor[number] == 0) {
            enqueue(number);
        }
    }

    private PlanFaultException firstStuck() {
        for (int number = 0; number < waitsFor.length; number++) {
            if (waitsFor[number] > 0) {
                int rank = rankOfStep[number];
                return world.fault(rank, number - firstStep[rank], "never gets to run");
            }
        }
        throw new AssertionError("steps are left, but none waits");
    }
}
