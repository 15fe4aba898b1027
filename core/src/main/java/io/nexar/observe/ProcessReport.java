package io.nexar.observe;

/**
 * The JVM that a rank lives in; ranks of one JVM report the same.
 *
 * @param threads platform threads, those of the program included
 * @param uptimeNanos since the rank joined
 */
public record ProcessReport(long heapUsedBytes, long heapMaxBytes, int threads, long uptimeNanos) {}
