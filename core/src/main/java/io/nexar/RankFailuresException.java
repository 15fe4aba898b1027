package io.nexar;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Tasks of a {@link LocalCluster} threw. This carries what each failing rank threw: the one that
 * failed first is the cause, the others are suppressed. It wraps failures of the program and of the
 * runtime alike, so it is none of the {@link NexarException}s.
 */
public final class RankFailuresException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Map<Integer, Throwable> failures;

    /**
     * @param firstRank the rank that failed first
     * @param failures what each failing rank threw, by rank; holds {@code firstRank}
     */
    public RankFailuresException(int firstRank, Map<Integer, Throwable> failures) {
        Throwable first = failures.get(firstRank);
        if (first == null) {
            throw new IllegalArgumentException(
                    "firstRank " + firstRank + ": not among the failures");
        }
        super(describe(failures), first);
        this.failures = Collections.unmodifiableMap(new TreeMap<>(failures));
        this.failures.forEach((rank, failure) -> {
            if (rank != firstRank) {
                addSuppressed(failure);
            }
        });
    }

    private static String describe(Map<Integer, Throwable> failures) {
        return new TreeMap<>(failures)
                .entrySet().stream()
                        .map(entry -> "rank " + entry.getKey() + ": " + entry.getValue())
                        .collect(Collectors.joining("; "));
    }

    /** What each failing rank threw, by rank, in rank order. */
    public Map<Integer, Throwable> failures() {
        return failures;
    }
}
