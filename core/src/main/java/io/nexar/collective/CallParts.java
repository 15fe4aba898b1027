package io.nexar.collective;

import io.nexar.DataType;

import org.jspecify.annotations.Nullable;

/** How a call cuts its count, in words: what two calls of the same count may differ in. */
final class CallParts {
    /** Enough to see which one differs in most jobs; long lists say how many there are. */
    private static final int SHOWN_MAX = 8;

    private CallParts() {}

    /** Null if it is cut as evenly as can be. */
    static @Nullable String of(CollectiveCall call) {
        Topic topic = call.topic();
        if (topic != null) {
            return topic.how();
        }
        long[] fused = call.fusedCounts();
        long[] counts = fused == null ? call.shareItems() : fused;
        DataType type = call.dataType();
        if (counts == null || type == null) {
            return null;
        }
        long width = fused == null ? call.itemBytes() / type.bytes() : 1;
        StringBuilder text = new StringBuilder("in " + counts.length + " parts:");
        for (int i = 0; i < Math.min(counts.length, SHOWN_MAX); i++) {
            text.append(i == 0 ? " " : ", ").append(counts[i] * width);
        }
        return text.append(counts.length > SHOWN_MAX ? ", ..." : "").toString();
    }

    /** The same for an error that compares it with another rank's call. */
    static @Nullable String of(CollectiveCall call, int peer) {
        int rank = call.plan().request().rank();
        return call.isInPairs()
                ? "%s for rank %d, %s from it"
                        .formatted(call.spellPair(rank, peer), peer, call.spellPair(peer, rank))
                : of(call);
    }
}
