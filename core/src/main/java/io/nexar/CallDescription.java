package io.nexar;

import org.jspecify.annotations.Nullable;

/**
 * What one rank called, as a {@link MismatchException} reports it.
 *
 * @param rank who called
 * @param operation the method's name, for example {@code allReduce}
 * @param count elements, as the caller gave them; 0 where the operation has none
 * @param type the elements' type, or null where the operation has none
 * @param reduction the reduction's name, or null where the operation has none
 * @param root the root's rank, or {@link #NO_ROOT}
 * @param sequence the call's number within its communicator
 * @param callSite the line of the program that made the call, or null where that is not known: a
 *     blocking call's is looked up when a mismatch is found, an asynchronous one's is noted with
 *     {@code nexar.check=full} only
 * @param parts how the caller cut the count, where it did: {@code in 3 parts: 5, 0, 7}; or, where
 *     counts differ from rank to rank, what it has for the rank that it is compared with: {@code 3
 *     for rank 2, 5 from it}; or how a compressed allReduce compresses: {@code by topK(0.05)}; else
 *     null
 */
public record CallDescription(
        int rank,
        String operation,
        long count,
        @Nullable DataType type,
        @Nullable String reduction,
        int root,
        long sequence,
        @Nullable String callSite,
        @Nullable String parts) {

    /** The root of an operation that has none. */
    public static final int NO_ROOT = -1;

    /** A call whose place in the program is not known. */
    public CallDescription(
            int rank,
            String operation,
            long count,
            @Nullable DataType type,
            @Nullable String reduction,
            int root,
            long sequence) {
        this(rank, operation, count, type, reduction, root, sequence, null, null);
    }

    /** The same, made there. */
    public CallDescription madeAt(@Nullable String newCallSite) {
        return new CallDescription(
                rank, operation, count, type, reduction, root, sequence, newCallSite, parts);
    }

    /** The same, with its count cut like that. */
    public CallDescription inParts(@Nullable String newParts) {
        return new CallDescription(
                rank, operation, count, type, reduction, root, sequence, callSite, newParts);
    }

    /**
     * For example {@code rank 3 calls reduce #41 of 1000 F32 with SUM, root 1, at
     * com.example.Main.train(Main.java:52)}.
     */
    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder("rank " + rank + " calls " + operation + " #" + sequence);
        if (type != null) {
            text.append(" of ").append(count).append(' ').append(type);
        }
        if (parts != null) {
            text.append(" (").append(parts).append(')');
        }
        if (reduction != null) {
            text.append(" with ").append(reduction);
        }
        if (root != NO_ROOT) {
            text.append(", root ").append(root);
        }
        if (callSite != null) {
            text.append(", at ").append(callSite);
        }
        return text.toString();
    }
}
