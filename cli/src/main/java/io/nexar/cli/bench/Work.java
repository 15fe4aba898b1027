package io.nexar.cli.bench;

import io.nexar.DataBuffer;

import java.util.List;

/**
 * One operation on this rank, bound to its buffers: what is timed, and what it must leave.
 *
 * @param call what is timed
 * @param isTimed whether this rank's times count: not where it only serves or waits
 * @param scale what part of a call's time is told: half of a round trip, one message of many
 * @param results what the call writes on this rank
 */
record Work(Runnable call, boolean isTimed, double scale, List<Result> results) {

    /** A buffer, and what it holds after each call. */
    record Result(DataBuffer buffer, Oracle.Expected expected) {}

    static Work of(Runnable call, List<Result> results) {
        return new Work(call, true, 1, results);
    }

    /** Overwrites the results, so that none is taken for that of a later call. */
    void spoil() {
        for (Result result : results) {
            if (!result.buffer().isReadOnly()) {
                result.buffer().segment().fill((byte) 0xa5);
            }
        }
    }

    boolean isCorrect(Oracle oracle) {
        return results.stream()
                .allMatch(result -> oracle.holds(result.buffer(), result.expected()));
    }
}
