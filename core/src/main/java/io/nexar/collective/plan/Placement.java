package io.nexar.collective.plan;

import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which ranks are on one host. Hosts are numbered in the order of their first ranks, so that two
 * placements are equal if they put the same ranks together, whatever the hosts are called. All
 * ranks of a communicator must have the same. Immutable; the hash is kept, since plans are found by
 * it.
 */
public final class Placement {
    private final int[] hostOfRank;
    private final int[][] ranksOfHost;
    private final boolean isHostByHost;
    private final int hash;

    private Placement(int[] canonicalHosts) {
        hostOfRank = canonicalHosts;
        int[] counts = new int[Arrays.stream(canonicalHosts).max().orElseThrow() + 1];
        for (int host : canonicalHosts) {
            counts[host]++;
        }
        ranksOfHost = new int[counts.length][];
        Arrays.setAll(ranksOfHost, host -> new int[counts[host]]);
        Arrays.fill(counts, 0);
        boolean isOrdered = true;
        for (int rank = 0; rank < canonicalHosts.length; rank++) {
            int host = canonicalHosts[rank];
            ranksOfHost[host][counts[host]++] = rank;
            isOrdered &= rank == 0 || canonicalHosts[rank - 1] <= host;
        }
        isHostByHost = isOrdered;
        hash = Arrays.hashCode(canonicalHosts);
    }

    /** By the name of each rank's host. */
    public static Placement of(Collection<?> hostOfEachRank) {
        if (hostOfEachRank.isEmpty()) {
            throw new IllegalArgumentException("a placement of no rank");
        }
        Map<Object, Integer> numbers = new HashMap<>();
        return new Placement(
                hostOfEachRank.stream()
                        .mapToInt(host -> numbers.computeIfAbsent(host, _ -> numbers.size()))
                        .toArray());
    }

    /** All ranks on one host. */
    public static Placement oneHost(int size) {
        if (size < 1) {
            throw new IllegalArgumentException("a placement of %d ranks".formatted(size));
        }
        return new Placement(new int[size]);
    }

    /** So many ranks on each host, the last one with what is left, in rank order. */
    public static Placement blocks(int size, int ranksOnHost) {
        if (size < 1 || ranksOnHost < 1) {
            throw new IllegalArgumentException(
                    "a placement of %d ranks, %d on a host".formatted(size, ranksOnHost));
        }
        int[] hosts = new int[size];
        Arrays.setAll(hosts, rank -> rank / ranksOnHost);
        return new Placement(hosts);
    }

    /** How many ranks there are. */
    public int size() {
        return hostOfRank.length;
    }

    /** How many hosts there are. */
    public int hosts() {
        return ranksOfHost.length;
    }

    public int hostOf(int rank) {
        return hostOfRank[rank];
    }

    /** The ranks of a host in rising order. Not to be changed. */
    public int[] ranksOn(int host) {
        return ranksOfHost[host];
    }

    /** How many ranks the host with the fewest has. */
    public int fewestOnAHost() {
        return Arrays.stream(ranksOfHost).mapToInt(ranks -> ranks.length).min().orElseThrow();
    }

    /** Whether each host has neighbouring ranks: hosts in turn are ranks in turn. */
    public boolean isHostByHost() {
        return isHostByHost;
    }

    /** Whether there is something inside hosts and something between them. */
    public boolean hasLevels() {
        return hosts() > 1 && hosts() < size();
    }

    /** All ranks, those of one host together, each host's and the hosts in rising order. */
    public int[] ranksByHost() {
        return Arrays.stream(ranksOfHost).flatMapToInt(Arrays::stream).toArray();
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || other instanceof Placement that
                        && hash == that.hash
                        && Arrays.equals(hostOfRank, that.hostOfRank);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** How many ranks are on each host, and on which host each is if they do not lie in order. */
    @Override
    public String toString() {
        List<Integer> counts = Arrays.stream(ranksOfHost).map(ranks -> ranks.length).toList();
        return isHostByHost ? "hosts of " + counts : "hosts " + Arrays.toString(hostOfRank);
    }
}
