package io.nexar.collective.plan.cost;

/**
 * What an algorithm sends, whatever the count.
 *
 * @param rounds in which somebody sends
 * @param messages of the rank with the most, for one slice
 * @param vectors sent by the rank that sends most, in lengths of the whole vector
 * @param vectorsOffHost the same of what leaves a host
 */
public record Traffic(int rounds, long messages, double vectors, double vectorsOffHost) {}
