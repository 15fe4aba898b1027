package io.nexar.membership;

/**
 * How patient a detector is.
 *
 * @param intervalNanos between two heartbeats to each watcher
 * @param suspectAfterNanos of silence until a member is suspected and others are asked
 * @param confirmNanos that the others have for their answers
 * @param cutOffNanos of silence after which a member is given up although others hear it
 */
public record DetectorSettings(
        long intervalNanos, long suspectAfterNanos, long confirmNanos, long cutOffNanos) {

    public DetectorSettings {
        if (intervalNanos <= 0 || confirmNanos < 2 * intervalNanos) {
            throw new IllegalArgumentException(
                    "to confirm takes at least two intervals, so that a lost question is asked"
                            + " again");
        }
        if (suspectAfterNanos < 2 * intervalNanos) {
            throw new IllegalArgumentException(
                    "a suspicion takes at least two intervals, or one lost heartbeat is one");
        }
        if (cutOffNanos < suspectAfterNanos + confirmNanos) {
            throw new IllegalArgumentException(
                    "a member that others hear is given up no sooner than one that nobody hears");
        }
    }
}
