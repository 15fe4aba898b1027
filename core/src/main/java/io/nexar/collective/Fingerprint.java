package io.nexar.collective;

import io.nexar.Neighborhood;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.PlanRequest;

import org.jspecify.annotations.Nullable;

/**
 * Sixty-four bits over everything that the ranks of one call must agree on, except the sequence,
 * which travels beside it: operation, algorithm, root, element type, reduction, counts, and how the
 * engine cuts. Ranks whose fingerprints differ have made different calls. Counts that only two
 * ranks know are added to what these two show each other. It is no defence against a peer that
 * wants to deceive: two different calls meet by accident once in 2^64.
 *
 * <p>Each value is folded in with the finalizer of SplitMix64 (Steele, Lea, Flood: "Fast splittable
 * pseudorandom number generators", 2014), which spreads each bit over all others.
 */
final class Fingerprint {
    private Fingerprint() {}

    static long of(CollectiveCall call, EngineSettings settings) {
        PlanRequest request = call.plan().request();
        Operation operation = request.operation();
        long hash = mix(mix(0, operation.ordinal()), request.algorithm().ordinal());
        if (request.placement() != null) {
            hash = mix(hash, request.placement().hashCode());
        }
        if (!call.name().equals(operation.methodName())) {
            hash = mix(hash, name(call.name()));
        }
        hash = mix(hash, call.plan().isConfirmed() ? 1 : 0);
        hash = mix(hash, operation.isRooted() ? request.root() : -1);
        if (request.neighborhood() == null) {
            hash = mix(hash, call.dataType() == null ? -1 : call.dataType().ordinal());
            hash = mix(hash, call.itemBytes());
        } else if (request.neighborhood() instanceof Neighborhood.Cartesian grid) {
            hash = mix(mix(hash, grid.dimensions().hashCode()), grid.periodic().hashCode());
        }
        hash = mix(hash, name(call.reductionName()));
        hash = topic(hash, call.topic());
        hash = mix(hash, counts(call));
        return mix(hash, (long) settings.pieceBytes() << 32 | settings.piecesInFlight());
    }

    /**
     * The same for one other rank: with what the two have for each other, where only they know. It
     * is the same on both.
     */
    static long withPeer(long fingerprint, CollectiveCall call, int peer) {
        if (!call.isInPairs()) {
            return fingerprint;
        }
        int rank = call.plan().request().rank();
        int low = Math.min(rank, peer);
        int high = Math.max(rank, peer);
        return mix(mix(fingerprint, call.pairCode(low, high)), call.pairCode(high, low));
    }

    private static long counts(CollectiveCall call) {
        long hash = mix(0, call.items());
        long[] explicit = call.shareItems();
        if (explicit != null) {
            for (long items : explicit) {
                hash = mix(hash, items);
            }
        }
        long[] fused = call.fusedCounts();
        if (fused != null) {
            hash = all(all(hash, call.fusedItems()), fused);
        }
        return hash;
    }

    private static long topic(long hash, @Nullable Topic topic) {
        return topic == null
                ? hash
                : mix(
                        mix(
                                mix(mix(hash, topic.type().ordinal()), topic.count()),
                                name(topic.reduction())),
                        name(topic.how()));
    }

    /** Their number too, so that none passes for one of the next list. */
    private static long all(long hash, long[] values) {
        long sum = mix(hash, values.length);
        for (long value : values) {
            sum = mix(sum, value);
        }
        return sum;
    }

    private static long name(@Nullable String name) {
        long hash = -1;
        for (int i = 0; name != null && i < name.length(); i++) {
            hash = mix(hash, name.charAt(i));
        }
        return hash;
    }

    /** To be begun with a constant: of two raw values, neither's place would count. */
    static long mix(long hash, long value) {
        long z = (hash ^ value) + 0x9E37_79B9_7F4A_7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return z ^ (z >>> 31);
    }
}
