package io.nexar.property;

import io.nexar.Communicator;
import io.nexar.DataBuffer;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/** A case on one rank: its memory, the call, and whether all came out as the oracle says. */
final class Trial {
    private final Case made;
    private final Communicator communicator;
    private final int rank;
    private final @Nullable Area input;
    private final @Nullable Area output;
    private @Nullable DataBuffer send;
    private @Nullable DataBuffer receive;

    Trial(Case made, Communicator communicator) {
        this.made = made;
        this.communicator = communicator.withAlgorithm(made.algorithm());
        this.rank = communicator.rank();
        SplittableRandom random = new SplittableRandom(made.seed() - rank - 1);
        boolean hasPlace = made.isInPlace() && isPlaced();
        Form.Place place = hasPlace ? made.form().place() : Form.Place.NEVER;
        switch (place) {
            case SAME -> {
                long count = Math.max(made.inputCount(rank), made.outputCount(rank));
                input = Area.of(made.type(), count, random);
                input.put(0, made.input(rank));
                output = input;
                send = input.buffer();
                receive = send;
            }
            case IN_OUTPUT -> {
                output = Area.of(made.type(), made.outputCount(rank), random);
                output.put(made.offset(rank), made.input(rank));
                input = output;
                receive = output.buffer();
                send = output.slice(made.offset(rank), made.inputCount(rank));
            }
            case IN_INPUT -> {
                input = Area.holding(made.type(), made.input(rank), random);
                output = input;
                send = input.buffer();
                receive = input.slice(made.offset(rank), made.outputCount(rank));
            }
            default -> {
                input = hasInput() ? Area.holding(made.type(), made.input(rank), random) : null;
                // What is not looked at may well be missing.
                output =
                        hasOutput() || random.nextBoolean()
                                ? Area.of(made.type(), made.outputCount(rank), random)
                                : null;
                send = input == null ? null : input.buffer();
                receive = output == null ? null : output.buffer();
            }
        }
    }

    /**
     * Makes the call and looks at everything.
     *
     * @return what must be equal on all ranks
     */
    int run() throws InterruptedException {
        receive = new Call(made, communicator, send, receive).run();
        verify();
        return made.form().isForAll() && receive != null
                ? Elements.read(receive.segment(), made.type()).hashCode()
                : 0;
    }

    private void verify() {
        String what = "rank " + rank + " of " + made;
        if (input != null) {
            input.requireGuards(what);
        }
        if (output != null && output != input) {
            output.requireGuards(what);
        }
        if (input != null && output != input) {
            input.requireUntouched(what + ": the send buffer");
        }
        if (!hasOutput()) {
            if (output != null && output != input) {
                output.requireUntouched(what + ": a receive buffer that is not looked at");
            } else if (input != null && output == input) {
                input.requireUntouched(what + ": the only buffer");
            }
            return;
        }
        List<Expectation> expected = new Expected(made).at(rank);
        List<Element> actual =
                Elements.read(Objects.requireNonNull(receive).segment(), made.type());
        if (actual.size() != expected.size()) {
            throw new AssertionError(what + ": " + actual.size() + " elements came");
        }
        for (int i = 0; i < actual.size(); i++) {
            if (!expected.get(i).admits(made.type(), actual.get(i))) {
                throw new AssertionError(
                        "%s: element %d is %s, not %s"
                                .formatted(what, i, actual.get(i), expected.get(i)));
            }
        }
    }

    /** Whether this rank has both an input and an output, which can then be one memory. */
    private boolean isPlaced() {
        return made.form() == Form.BROADCAST || hasInput() && hasOutput();
    }

    private boolean hasInput() {
        return switch (made.form()) {
            case BROADCAST, SCATTER, SCATTER_UNEVEN -> rank == made.root();
            default -> true;
        };
    }

    private boolean hasOutput() {
        return switch (made.form()) {
            case REDUCE, GATHER, GATHER_UNEVEN -> rank == made.root();
            default -> true;
        };
    }
}
