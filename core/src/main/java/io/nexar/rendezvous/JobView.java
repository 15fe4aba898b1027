package io.nexar.rendezvous;

/**
 * Where a job is, as {@link SeedMachine} tells those who look at it.
 *
 * @param failure why it did not form; empty if that is not so
 */
record JobView(SeedPhase phase, String failure, long formationNanosLeft, long nowNanos) {}
