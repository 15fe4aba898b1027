package io.nexar.collective.plan.check;

import io.nexar.collective.plan.Plan;

import java.util.List;

/** The cells of all ranks under one binding. */
record Memory(Binding binding, List<Cells> cells) {
    static Memory of(World world, Binding binding) {
        return new Memory(
                binding,
                world.plans().stream().map((Plan plan) -> new Cells(plan, binding)).toList());
    }

    Cells of(int rank) {
        return cells.get(rank);
    }
}
