package io.nexar.cli.simulate;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Which of a host's cores its ranks have, where there are more ranks, and how the cores go round
 * among them. The system seats threads when they begin, and leaves them there for long. Who sits
 * with whom decides how fast a call is: for a ring others are right than for partners.
 *
 * @param isStaggered every other core is half a round later than the rest
 */
public record Seating(Form form, boolean isStaggered) {
    static final List<Seating> ALL =
            Arrays.stream(Form.values())
                    .flatMap(form -> Stream.of(new Seating(form, false), new Seating(form, true)))
                    .toList();

    /** Who sits with whom. */
    public enum Form {
        /** Each rank on the core after the one before. */
        DEALT,
        /** Neighbours together. */
        BLOCKS,
        /** Dealt, in turn forward and back. */
        SNAKE
    }

    /**
     * The core of one of a host's ranks.
     *
     * @param place of the rank among them
     * @param cores at most as many as ranks
     */
    int core(int place, int ranks, int cores) {
        return switch (form) {
            case DEALT -> place % cores;
            case BLOCKS -> (int) ((long) place * cores / ranks);
            case SNAKE -> {
                int step = place % (2 * cores);
                yield step < cores ? step : 2 * cores - 1 - step;
            }
        };
    }
}
