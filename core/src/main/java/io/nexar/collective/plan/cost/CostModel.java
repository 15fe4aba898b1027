package io.nexar.collective.plan.cost;

import java.util.EnumMap;
import java.util.Map;

/**
 * What a machine costs: in the manner of LogGP (A. Alexandrov, M. Ionescu, K. Schauser, C.
 * Scheiman, "LogGP: incorporating long messages into the LogP model", SPAA 1995) with a rate of
 * reduction.
 *
 * @param links all classes
 */
public record CostModel(Map<LinkClass, LinkCost> links, WorkCost work, HostCost host) {
    /**
     * Of ranks that are awake and code that is compiled, on a machine of two cores: JVM over {@code
     * local} and HOST over {@code shm}, rounded from {@code nexar bench pingpong}; both take in a
     * byte from where its sender has it, so that only the copy or the reduction costs. RACK is what
     * {@code tcp} costs with the latency and the wire of a common 25 Gbit/s network, FAR a path of
     * half a millisecond at 1 Gbit/s.
     */
    public static final CostModel DEFAULT =
            new CostModel(
                    Map.of(
                            LinkClass.JVM, new LinkCost(300, 200, 0, 0),
                            LinkClass.HOST, new LinkCost(350, 250, 0, 0),
                            LinkClass.RACK, new LinkCost(20_000, 2_500, 0.3, 0.32),
                            LinkClass.FAR, new LinkCost(500_000, 1_000, 0.3, 8)),
                    new WorkCost(400, 0, 0.08, 0.1),
                    HostCost.AMPLE);

    public CostModel {
        links = Map.copyOf(new EnumMap<>(links));
        for (LinkClass link : LinkClass.values()) {
            if (!links.containsKey(link)) {
                throw new IllegalArgumentException("a cost model without " + link);
            }
        }
    }

    public LinkCost link(LinkClass link) {
        LinkCost cost = links.get(link);
        if (cost == null) {
            throw new AssertionError(link);
        }
        return cost;
    }

    /** The same with another cost of one class. */
    public CostModel with(LinkClass link, LinkCost cost) {
        Map<LinkClass, LinkCost> all = new EnumMap<>(links);
        all.put(link, cost);
        return new CostModel(all, work, host);
    }

    public CostModel with(WorkCost other) {
        return new CostModel(links, other, host);
    }

    public CostModel with(HostCost other) {
        return new CostModel(links, work, other);
    }
}
