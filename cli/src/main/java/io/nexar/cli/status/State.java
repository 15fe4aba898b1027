package io.nexar.cli.status;

import io.nexar.observe.RankReport;
import io.nexar.rendezvous.JobStatus;

/** What one word says of a member. */
enum State {
    OPENING("opening", "opens its endpoints"),
    WAITING("waiting", "waits for the others to come"),
    LINKING("linking", "dials the others"),
    LINKED("linked", "reaches all others"),
    IN_CALL("inCall", "in a call"),
    IN_USER_CODE("inUserCode", "in user code"),
    CLOSING("closing", "closing"),
    BUSY("busy", "busy"),
    SILENT("silent", "silent"),
    LEFT("left", "left"),
    LOST("lost", "lost");

    private final String key;
    private final String text;

    State(String key, String text) {
        this.key = key;
        this.text = text;
    }

    /** For programs. */
    String key() {
        return key;
    }

    /** For people. */
    String text() {
        return text;
    }

    static State of(JobStatus.Member member) {
        return switch (member.row().standing()) {
            case OPENING -> OPENING;
            case WAITING -> WAITING;
            case LINKING -> LINKING;
            case LINKED -> LINKED;
            case LEFT -> LEFT;
            case LOST -> LOST;
            case RUNNING -> member.report() == null ? SILENT : of(member.report());
        };
    }

    private static State of(RankReport report) {
        return switch (report.activity()) {
            case IN_CALL -> IN_CALL;
            case IN_USER_CODE -> IN_USER_CODE;
            case CLOSING -> CLOSING;
            case BUSY -> BUSY;
        };
    }
}
