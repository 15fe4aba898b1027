package io.nexar.wire;

import io.nexar.ProtocolException;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A communicator's id: the epoch its world was made in, and the splits that lead from there to it.
 * All members work it out without asking each other, and two communicators never share one.
 *
 * @param epoch of the membership it was made in
 * @param branches empty for the world
 */
public record CommunicatorPath(long epoch, List<Branch> branches) {
    /** 64 splits of splits; bounds the payload of an OPEN frame to about a kilobyte. */
    public static final int DEPTH_MAX = 64;

    private static final int HEAD_BYTES = 12;
    private static final int BRANCH_BYTES = 12;
    private static final ValueLayout.OfInt U32 =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong U64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /**
     * One split.
     *
     * @param number which split of its parent, counted from 0
     * @param colour of the members
     */
    public record Branch(long number, int colour) {}

    public CommunicatorPath {
        branches = List.copyOf(branches);
        if (branches.size() > DEPTH_MAX) {
            throw new IllegalArgumentException(
                    branches.size() + " splits of splits; at most " + DEPTH_MAX + " are possible");
        }
    }

    public static CommunicatorPath world(long epoch) {
        return new CommunicatorPath(epoch, List.of());
    }

    public MemorySegment encode() {
        MemorySegment bytes =
                MemorySegment.ofArray(new byte[HEAD_BYTES + branches.size() * BRANCH_BYTES]);
        bytes.set(U64, 0, epoch);
        bytes.set(U32, 8, branches.size());
        long at = HEAD_BYTES;
        for (Branch branch : branches) {
            bytes.set(U64, at, branch.number());
            bytes.set(U32, at + 8, branch.colour());
            at += BRANCH_BYTES;
        }
        return bytes;
    }

    public static CommunicatorPath decode(MemorySegment bytes) {
        int depth = bytes.byteSize() < HEAD_BYTES ? -1 : bytes.get(U32, 8);
        if (depth < 0
                || depth > DEPTH_MAX
                || bytes.byteSize() != HEAD_BYTES + (long) depth * BRANCH_BYTES) {
            throw new ProtocolException(
                    "a peer",
                    "communicator path of %d bytes with depth %d"
                            .formatted(bytes.byteSize(), depth));
        }
        Branch[] branches = new Branch[depth];
        for (int i = 0; i < depth; i++) {
            long at = HEAD_BYTES + (long) i * BRANCH_BYTES;
            branches[i] = new Branch(bytes.get(U64, at), bytes.get(U32, at + 8));
        }
        return new CommunicatorPath(bytes.get(U64, 0), List.of(branches));
    }
}
