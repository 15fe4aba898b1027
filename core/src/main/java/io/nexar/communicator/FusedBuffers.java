package io.nexar.communicator;

import io.nexar.DataBuffer;
import io.nexar.ReduceOp;
import io.nexar.collective.CollectiveCall;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * Several buffers as the vectors of one call. A buffer is a vector as it lies, without a copy; only
 * neighbours that together fit into one piece are copied together, so that many small buffers cost
 * as few messages as one of their size.
 */
final class FusedBuffers implements Surround {
    /** All memory outside the heap is one address space. */
    private static final Object NATIVE = new Object();

    private final List<Group> groups = new ArrayList<>();
    private final long[] counts;
    private final long itemBytes;

    /**
     * Buffers that are one vector.
     *
     * @param memory of the vector: the buffer's, or a copy of all of them
     */
    private record Group(List<MemorySegment> members, MemorySegment memory) {
        static Group of(List<MemorySegment> members, long bytes) {
            return new Group(
                    List.copyOf(members),
                    members.size() == 1 ? members.getFirst() : Staging.allocate(bytes));
        }

        boolean isCopied() {
            return members.size() > 1;
        }
    }

    FusedBuffers(List<DataBuffer> buffers, int itemWidth, int pieceBytes) {
        counts = buffers.stream().mapToLong(DataBuffer::count).toArray();
        itemBytes = (long) itemWidth * buffers.getFirst().dataType().bytes();
        List<MemorySegment> members = new ArrayList<>();
        long bytes = 0;
        for (DataBuffer buffer : buffers) {
            if (!members.isEmpty() && bytes + buffer.byteSize() > pieceBytes) {
                groups.add(Group.of(members, bytes));
                members.clear();
                bytes = 0;
            }
            members.add(buffer.segment());
            bytes += buffer.byteSize();
        }
        groups.add(Group.of(members, bytes));
    }

    /** Gives the call its vectors. */
    void bind(CollectiveCall call) {
        call.fused(
                groups.stream().map(Group::memory).toArray(MemorySegment[]::new),
                groups.stream().mapToLong(group -> group.memory.byteSize() / itemBytes).toArray(),
                counts);
    }

    @Override
    public void before(CollectiveCall call) {
        for (Group group : groups) {
            if (group.isCopied()) {
                long at = 0;
                for (MemorySegment member : group.members) {
                    MemorySegment.copy(member, 0, group.memory, at, member.byteSize());
                    at += member.byteSize();
                }
            }
        }
    }

    @Override
    public void after() {
        for (Group group : groups) {
            if (group.isCopied()) {
                long at = 0;
                for (MemorySegment member : group.members) {
                    MemorySegment.copy(group.memory, at, member, 0, member.byteSize());
                    at += member.byteSize();
                }
            }
        }
    }

    /** Checks a list of buffers to be combined in place. */
    static void check(CollectiveSpec spec, int rank, int size) {
        List<DataBuffer> buffers = spec.buffers();
        ReduceOp op = spec.op();
        DataBuffer first = buffers.getFirst();
        long total = 0;
        for (DataBuffer buffer : buffers) {
            Arguments.requireSameType(first, buffer);
            Arguments.requireReducible(buffer, op);
            Arguments.requireWritable(buffer);
            total = Math.addExact(total, buffer.count());
        }
        requireApart(buffers);
        spec.moves(first, first, total);
    }

    /** Looks only at neighbours in memory, so that long lists cost no more than sorting them. */
    private static void requireApart(List<DataBuffer> buffers) {
        IdentityHashMap<Object, List<DataBuffer>> byPlace = new IdentityHashMap<>();
        for (DataBuffer buffer : buffers) {
            if (buffer.count() > 0) {
                Object place = buffer.segment().heapBase().orElse(NATIVE);
                byPlace.computeIfAbsent(place, any -> new ArrayList<>()).add(buffer);
            }
        }
        for (List<DataBuffer> inOrder : byPlace.values()) {
            inOrder.sort(Comparator.comparingLong(buffer -> buffer.segment().address()));
            for (int i = 1; i < inOrder.size(); i++) {
                if (inOrder.get(i - 1).overlaps(inOrder.get(i))) {
                    throw new IllegalArgumentException(
                            "two buffers of one call (%s) and (%s) overlap; all must be apart"
                                    .formatted(inOrder.get(i - 1), inOrder.get(i)));
                }
            }
        }
    }
}
