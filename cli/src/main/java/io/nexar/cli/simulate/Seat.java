package io.nexar.cli.simulate;

import io.nexar.Communicator;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Where one rank sits while it is timed: turn by turn where the next form of {@link Seating} has
 * it, or where the system puts it if there are no forms. Made, used and closed by the rank's
 * thread.
 */
final class Seat implements AutoCloseable {
    private final Communicator world;
    private final List<Seating.Form> forms;
    private final int cores;
    private final CoreBinding binding = new CoreBinding();

    /**
     * @param cores that the ranks share
     */
    Seat(Communicator world, List<Seating.Form> forms, int cores) {
        this.world = world;
        this.forms = forms;
        this.cores = cores;
    }

    /** In how many ways ranks sit. */
    int forms() {
        return Math.max(1, forms.size());
    }

    /** Null: as the system has it. */
    Seating.@Nullable Form form(int turn) {
        return forms.isEmpty() ? null : forms.get(turn % forms.size());
    }

    /** All ranks do so at once, and meet at the next call. */
    void take(int turn) {
        Seating.Form form = form(turn);
        if (form != null) {
            int core = new Seating(form, false).core(world.rank(), world.size(), cores);
            binding.moveTo(core);
        }
    }

    @Override
    public void close() {
        binding.close();
    }
}
