package io.nexar.cli.chaos;

/**
 * What becomes of one datagram.
 *
 * @param atNanos when it arrives, if it is {@link Outcome#PASSED}
 * @param againAtNanos when its double arrives; {@link #NEVER} if it has none
 */
record Fate(Outcome outcome, long atNanos, long againAtNanos) {

    static final long NEVER = Long.MIN_VALUE;

    enum Outcome {
        PASSED,
        LOST,
        CUT,
        TOO_LARGE,
        TOO_MANY
    }

    static Fate dropped(Outcome why) {
        return new Fate(why, NEVER, NEVER);
    }

    boolean isPassed() {
        return outcome == Outcome.PASSED;
    }

    boolean isDoubled() {
        return againAtNanos != NEVER;
    }
}
