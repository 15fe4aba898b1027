package io.nexar.cli.simulate;

import io.nexar.cli.simulate.SimulatedCache.Block;
import io.nexar.collective.plan.cost.CacheCost;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.LinkClass;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The memory of a host in a {@link Simulation}, and what of it is in which cache. What is not near
 * a core comes from the core that has it, or from the cache that all share, or from memory. Several
 * cores may have near them what all only read; who writes it claims it from the others.
 */
final class SimulatedMemory {
    private static final BitSet NOBODY = new BitSet(); // never written

    private final CacheCost costs;
    private final double coreByteNanos;
    private final boolean matters;
    private final List<SimulatedCache> ofCores = new ArrayList<>();
    private final SimulatedCache ofAll;

    /** Which cores have come to a block since somebody wrote it. */
    private final Map<Block, BitSet> visitors = new HashMap<>();

    SimulatedMemory(CostModel model, int cores) {
        this.costs = model.host().caches();
        this.coreByteNanos = model.link(LinkClass.JVM).byteNanos();
        this.matters = coreByteNanos > 0 || !costs.equals(CacheCost.AMPLE);
        this.ofAll = new SimulatedCache(costs.hostBytes());
        for (int core = 0; core < cores; core++) {
            ofCores.add(new SimulatedCache(costs.coreBytes()));
        }
    }

    /** Whether it costs something where bytes are. */
    boolean matters() {
        return matters;
    }

    /** What it costs a core besides to read a block. */
    double readNanos(int core, Block block, double bytes) {
        if (!matters) {
            return 0;
        }
        double missing = 1 - ofCores.get(core).part(block);
        double elsewhere = missing == 0 ? 0 : Math.min(missing, partElsewhere(core, block));
        double fetched = elsewhere * coreByteNanos + (missing - elsewhere) * byteNanos(block);
        visit(core, block, bytes);
        return bytes * fetched;
    }

    /** What it costs a core besides to write a block. */
    double writeNanos(int core, Block block, double bytes) {
        if (!matters) {
            return 0;
        }
        double missing = 1 - ofCores.get(core).part(block);
        double elsewhere = partElsewhere(core, block);
        double fetched = Math.max(0, missing - elsewhere) * byteNanos(block);
        BitSet cores = visitors.computeIfAbsent(block, _ -> new BitSet());
        for (int other = cores.nextSetBit(0); other >= 0; other = cores.nextSetBit(other + 1)) {
            if (other != core) {
                ofCores.get(other).drop(block);
            }
        }
        cores.clear();
        visit(core, block, bytes);
        return bytes * (elsewhere * costs.claimByteNanos() + fetched);
    }

    /** What a byte costs that is near no core. */
    private double byteNanos(Block block) {
        return costs.refillByteNanos() + (1 - ofAll.part(block)) * costs.memoryByteNanos();
    }

    private double partElsewhere(int core, Block block) {
        BitSet cores = visitors.getOrDefault(block, NOBODY);
        double most = 0;
        for (int other = cores.nextSetBit(0); other >= 0; other = cores.nextSetBit(other + 1)) {
            if (other != core) {
                most = Math.max(most, ofCores.get(other).part(block));
            }
        }
        return most;
    }

    private void visit(int core, Block block, double bytes) {
        ofCores.get(core).add(block, bytes);
        ofAll.add(block, bytes);
        visitors.computeIfAbsent(block, _ -> new BitSet()).set(core);
    }
}
