package io.nexar.rendezvous;

/**
 * A moment of a seed.
 *
 * @param members how many workers are members now
 */
public record SeedStatus(SeedPhase phase, int members, int worldSize) {}
