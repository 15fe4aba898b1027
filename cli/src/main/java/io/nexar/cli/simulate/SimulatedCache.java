package io.nexar.cli.simulate;

import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.cost.CacheCost;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/** A cache of a {@link Simulation}: what of the ranks' memory was come to last. */
final class SimulatedCache {
    private final double roomBytes;

    /** Bytes by block, what was come to last behind. */
    private final SequencedMap<Block, Double> blocks = new LinkedHashMap<>();

    private double bytes;

    /**
     * A slot of a slice.
     *
     * @param slice in the engine's memory its place among those in flight
     */
    record Block(int rank, BufferRole buffer, int slot, long slice) {}

    /**
     * @param roomBytes 0: enough for everything
     */
    SimulatedCache(double roomBytes) {
        this.roomBytes = roomBytes;
    }

    /** How much of a block is here, from 0 to 1. */
    double part(Block block) {
        if (!blocks.containsKey(block)) {
            return 0;
        }
        if (roomBytes == 0 || bytes <= roomBytes) {
            return 1;
        }
        double since = 0;
        for (Map.Entry<Block, Double> entry : blocks.reversed().entrySet()) {
            since += entry.getValue();
            if (entry.getKey().equals(block)) {
                break;
            }
        }
        return 1 - CacheCost.missing(since, roomBytes);
    }

    /** Somebody has come to it. */
    void add(Block block, double blockBytes) {
        drop(block);
        blocks.putLast(block, blockBytes);
        bytes += blockBytes;
        while (roomBytes > 0 && bytes - blocks.firstEntry().getValue() >= 2 * roomBytes) {
            bytes -= blocks.pollFirstEntry().getValue();
        }
    }

    /** It is not here any more. */
    void drop(Block block) {
        Double before = blocks.remove(block);
        bytes -= before == null ? 0 : before;
    }
}
