package io.nexar.collective.plan;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Placements to try hierarchical plans with. */
public final class TestPlacements {
    private TestPlacements() {}

    /** Host by host, hosts of unequal size: 2 ranks, 3, 1, and again. */
    public static Placement uneven(int size) {
        int[] hosts = {0, 0, 1, 1, 1, 2};
        return Placement.of(
                IntStream.range(0, size)
                        .mapToObj(rank -> rank / hosts.length * 3 + hosts[rank % hosts.length])
                        .toList());
    }

    /** Ranks dealt out to so many hosts in turn. */
    public static Placement dealt(int size, int hosts) {
        return Placement.of(IntStream.range(0, size).mapToObj(rank -> rank % hosts).toList());
    }

    /** Of each kind one: every build tries them for every size. */
    public static List<Placement> of(int size) {
        Random random = new Random(size);
        return List.of(
                Placement.oneHost(size),
                Placement.blocks(size, 1),
                Placement.blocks(size, 2),
                Placement.blocks(size, 3),
                Placement.blocks(size, 4),
                Placement.blocks(size, Math.max(1, size - 1)),
                uneven(size),
                dealt(size, 2),
                dealt(size, 3),
                Placement.of(
                        IntStream.range(0, size)
                                .mapToObj(rank -> random.nextInt(1 + size / 3))
                                .toList()));
    }
}
