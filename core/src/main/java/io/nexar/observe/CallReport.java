package io.nexar.observe;

import java.util.List;

/**
 * A call that is not over.
 *
 * @param operation the method's name, for example {@code allReduce}
 * @param sequence of a collective; {@link #NO_SEQUENCE} for a message
 * @param details what a person wants to know besides, for example {@code 1000 F32, SUM}
 * @param ageNanos since it began; {@link #UNKNOWN} where that is not measured
 * @param waitingFor the ranks of its communicator that it waits for, as far as known, the first few
 * @param waitingForCount how many they are in all
 * @param callSite where in the program it was made; empty where that is not known
 */
public record CallReport(
        String operation,
        long sequence,
        String details,
        long ageNanos,
        List<Integer> waitingFor,
        int waitingForCount,
        String callSite) {

    public static final long NO_SEQUENCE = -1;

    public static final long UNKNOWN = -1;

    public CallReport {
        waitingFor = List.copyOf(waitingFor);
    }

    /** For example {@code allReduce #41 (1000 F32, SUM)}. */
    public String describe() {
        return operation
                + (sequence == NO_SEQUENCE ? "" : " #" + Long.toUnsignedString(sequence))
                + (details.isEmpty() ? "" : " (" + details + ")");
    }
}
