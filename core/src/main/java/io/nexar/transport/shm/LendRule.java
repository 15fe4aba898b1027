package io.nexar.transport.shm;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/** What one end of a link lends instead of copying it. */
final class LendRule {
    private final LinkMemory memory;
    private final int side;
    private final @Nullable SharedArea area = SharedArea.own();

    LendRule(LinkMemory memory, int side) {
        this.memory = memory;
        this.side = side;
    }

    /**
     * What lies in the area is lent always. What the system has to copy is lent only where nothing
     * is before it: behind others, both sides' copies go on at the same time.
     */
    boolean isLent(OutRing ring, MemorySegment payload) {
        if (payload.byteSize() <= RingRecord.AT_ONCE_BYTES || !PeerMemory.isKept(payload)) {
            return false;
        }
        boolean isLent =
                area != null && area.contains(payload) && memory.canPeerReadArea(side)
                        || memory.canPeerRead(side) && ring.isDrained();
        return isLent && ring.canLend();
    }
}
