package io.nexar.communicator;

import io.nexar.DataBuffer;
import io.nexar.collective.CollectiveCall;

import java.lang.foreign.MemorySegment;

/** The forms that move elements as they are, with as many for each rank. */
final class MovingShapes {
    private MovingShapes() {}

    static void barrier(CollectiveSpec spec, int rank, int size) {
        spec.moves(null, null, 0);
    }

    static void broadcast(CollectiveSpec spec, int rank, int size) {
        DataBuffer buffer = spec.send();
        Arguments.requireRank("root", spec.root(), size);
        if (rank != spec.root()) {
            Arguments.requireWritable(buffer);
        }
        spec.moves(buffer, buffer, buffer.count());
    }

    /** The root's receive buffer is nobody else's business. */
    static void gather(CollectiveSpec spec, int rank, int size) {
        Arguments.requireRank("root", spec.root(), size);
        DataBuffer send = spec.send();
        long total = Math.multiplyExact(send.count(), size);
        if (rank != spec.root()) {
            spec.moves(send, null, total);
            return;
        }
        DataBuffer receive = spec.receiveOnRoot();
        requireWhole("a receive buffer", receive, send, total);
        Arguments.requireWritable(receive);
        Arguments.requireOwnShareOrApart(send, receive, rank * send.count());
        spec.moves(send, receive, total);
    }

    static void scatter(CollectiveSpec spec, int rank, int size) {
        Arguments.requireRank("root", spec.root(), size);
        DataBuffer receive = spec.receive();
        Arguments.requireWritable(receive);
        long total = Math.multiplyExact(receive.count(), size);
        if (rank != spec.root()) {
            spec.moves(null, receive, total);
            return;
        }
        DataBuffer send = spec.sendOnRoot();
        requireWhole("a send buffer", send, receive, total);
        Arguments.requireOwnShareOrApart(receive, send, rank * receive.count());
        spec.moves(send, receive, total);
    }

    static void allGather(CollectiveSpec spec, int rank, int size) {
        DataBuffer send = spec.send();
        DataBuffer receive = spec.receive();
        long total = Math.multiplyExact(send.count(), size);
        Arguments.requireWritable(receive);
        requireWhole("a receive buffer", receive, send, total);
        Arguments.requireOwnShareOrApart(send, receive, send.count() * rank);
        spec.moves(send, receive, total);
    }

    static void allGatherInPlace(CollectiveSpec spec, int rank, int size) {
        DataBuffer buffer = spec.receive();
        Arguments.requireWritable(buffer);
        spec.moves(Arguments.share(buffer, rank, size, 1), buffer, buffer.count());
    }

    static void allToAll(CollectiveSpec spec, int rank, int size) {
        DataBuffer send = spec.send();
        DataBuffer receive = spec.receive();
        Arguments.requireWritable(receive);
        Arguments.requireSameType(send, receive);
        Arguments.requireCount("a receive buffer", receive, send.count());
        Arguments.requireMultiple("a send buffer", send, size);
        Arguments.requireSameOrApart(send, receive);
        spec.moves(send, receive, send.count());
        copyFirst(spec);
    }

    /** An allToAll's plans are not in place: what is to be sent then must lie elsewhere. */
    static void copyFirst(CollectiveSpec spec) {
        if (spec.send().byteSize() > 0 && spec.send().sameMemory(spec.receive())) {
            spec.within(new CopyFirst(spec.send().segment()));
        }
    }

    /**
     * Lets a call send from a copy.
     *
     * @param memory what is sent, and received into
     */
    private record CopyFirst(MemorySegment memory) implements Surround {
        @Override
        public void before(CollectiveCall call) {
            call.memory(Staging.copy(memory), memory);
        }
    }

    private static void requireWhole(String what, DataBuffer whole, DataBuffer part, long total) {
        Arguments.requireSameType(part, whole);
        Arguments.requireCount(what, whole, total);
    }
}
