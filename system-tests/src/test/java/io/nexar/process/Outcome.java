package io.nexar.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One row of the table of outcomes in the documentation: one rank ends, another waits.
 *
 * @param place what the other is in
 * @param error the class of the exception that the other gets, naming the rank that ended
 * @param within how soon after the end
 */
record Outcome(End end, Wait place, String error, Duration within) {
    static final String HEADING =
            "| a rank | another is in | which gets, naming the rank | within"
                    + " | launcher's exit code | launcher's last line names |";

    /** Promised for every death that has a witness. */
    private static final Duration LOST = Duration.ofSeconds(3);

    /** Promised for a rank that says goodbye. */
    private static final Duration LEFT = Duration.ofSeconds(1);

    /** All of them, as the page lists them. */
    static List<Outcome> all() {
        List<Outcome> rows = new ArrayList<>();
        for (End end : End.values()) {
            for (Wait wait : Wait.values()) {
                // Nothing is there to be closed before join() has returned.
                if (wait != Wait.FORMATION || end != End.THROWS_IN_TRY) {
                    rows.add(of(end, wait));
                }
            }
        }
        return rows;
    }

    private static Outcome of(End end, Wait wait) {
        if (wait == Wait.FORMATION) {
            return new Outcome(end, wait, "RendezvousException", LOST);
        }
        return end == End.THROWS_IN_TRY
                ? new Outcome(end, wait, "PeerLeftException", LEFT)
                : new Outcome(end, wait, "PeerLostException", LOST);
    }

    String markdown() {
        return "| %s | %s | `%s` | %d s | %d | %s |"
                .formatted(
                        end.told(),
                        place.told(),
                        error,
                        within.toSeconds(),
                        end.launcherCode(),
                        end.complaint());
    }

    @Override
    public String toString() {
        return end + " while another is in " + place;
    }
}
