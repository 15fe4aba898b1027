package io.nexar;

/**
 * Where an error happened: which call, on which communicator, on which rank.
 *
 * @param operation the method's name, for example {@code allReduce}
 * @param sequence the collective's number within its communicator, or {@link #NO_SEQUENCE}
 * @param communicator the communicator's name, for example {@code world}
 * @param rank this process's rank in it
 * @param size its number of ranks
 * @param epoch the epoch it was made in
 */
public record OperationContext(
        String operation, long sequence, String communicator, int rank, int size, long epoch) {

    /** The sequence of what is no collective: sends, receives, remote calls. */
    public static final long NO_SEQUENCE = -1;

    /** Whether the call was a collective. */
    public boolean isCollective() {
        return sequence != NO_SEQUENCE;
    }

    /** For example {@code allReduce #41 on world (rank 2 of 4, epoch 3)}. */
    @Override
    public String toString() {
        String number = isCollective() ? " #" + sequence : "";
        return operation
                + number
                + " on "
                + communicator
                + " (rank "
                + rank
                + " of "
                + size
                + ", epoch "
                + epoch
                + ")";
    }
}
