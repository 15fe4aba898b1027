package io.nexar.collective.plan.check;

import io.nexar.collective.plan.BufferRole;
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

    /** One rank's memory in this run, and what it has sent. */
    static final class Workplace {
        private final World world;
        private final int rank;
        private final Plan plan;
        private final Cells cells;
        private final Terms terms;
        private final int[] contents;
        private final int[][] payloads;

        Workplace(World world, int rank, Cells cells, Terms terms) {
            this.world = world;
            this.rank = rank;
            this.plan = world.plan(rank);
            this.cells = cells;
            this.terms = terms;
            this.contents = new int[cells.count()];
            this.payloads = new int[plan.stepCount()][];
            Arrays.fill(contents, Terms.UNDEFINED);
            for (int slot = 0; slot < plan.slots(BufferRole.INPUT); slot++) {
                contents[cells.cell(BufferRole.INPUT, slot)] = terms.of(rank);
            }
        }

        int[] sent(int step) {
            return payloads[step];
        }

        int[] outputs() {
            int[] outputs = new int[plan.slots(BufferRole.OUTPUT)];
            Arrays.setAll(outputs, slot -> contents[cells.cell(BufferRole.OUTPUT, slot)]);
            return outputs;
        }

        void receive(int index, int[] arriving) {
            Plan.Step step = plan.step(index);
            switch (step.kind()) {
                case RECEIVE -> write(index, arriving);
                case RECEIVE_REDUCE -> {
                    int[] local = read(index, cells.source(index));
                    write(
                            index,
                            step.arrivingIsLeft()
                                    ? combined(index, arriving, local)
                                    : combined(index, local, arriving));
                }
                default -> throw new AssertionError(step);
            }
        }

        void perform(int index) {
            switch (plan.step(index).kind()) {
                case SEND -> payloads[index] = read(index, cells.source(index));
                case COPY -> write(index, read(index, cells.source(index)));
                case REDUCE ->
                        write(
                                index,
                                combined(
                                        index,
                                        read(index, cells.source(index)),
                                        read(index, cells.second(index))));
                case SCALE -> write(index, finished(index, read(index, cells.target(index))));
                default -> throw new AssertionError(plan.step(index));
            }
        }

        private int[] read(int step, int[] places) {
            int[] values = new int[places.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = contents[places[i]];
                if (values[i] == Terms.UNDEFINED) {
                    throw world.fault(rank, step, "reads what nobody has written");
                }
            }
            return values;
        }

        private void write(int step, int[] values) {
            int[] places = cells.target(step);
            for (int i = 0; i < values.length; i++) {
                contents[places[i]] = values[i];
            }
        }

        private int[] combined(int step, int[] left, int[] right) {
            int[] values = new int[left.length];
            for (int i = 0; i < values.length; i++) {
                if (terms.isFinished(left[i]) || terms.isFinished(right[i])) {
                    throw world.fault(rank, step, "combines what was scaled already");
                }
                values[i] = terms.combine(left[i], right[i]);
            }
            return values;
        }

        private int[] finished(int step, int[] values) {
            for (int i = 0; i < values.length; i++) {
                if (terms.isFinished(values[i])) {
                    throw world.fault(rank, step, "scales what was scaled already");
                }
                values[i] = terms.finish(values[i]);
            }
            return values;
        }
    }
}
