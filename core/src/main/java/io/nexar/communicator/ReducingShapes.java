package io.nexar.communicator;

import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.Partition;
import io.nexar.ReduceOp;
import io.nexar.reduce.Identity;
import io.nexar.reduce.Kernels;

import java.lang.foreign.MemorySegment;

/** The forms that combine elements, with shares as even as can be. */
final class ReducingShapes {
    private ReducingShapes() {}

    /** The root's receive buffer is nobody else's business. */
    static void reduce(CollectiveSpec spec, int rank, int size) {
        Arguments.requireRank("root", spec.root(), size);
        DataBuffer send = spec.send();
        Arguments.requireReducible(send, spec.op());
        if (rank != spec.root()) {
            spec.moves(send, null, send.count());
            return;
        }
        DataBuffer receive = spec.receiveOnRoot();
        requireAlike(send, receive);
        spec.moves(send, receive, send.count());
    }

    static void allReduce(CollectiveSpec spec, int rank, int size) {
        DataBuffer send = spec.send();
        Arguments.requireReducible(send, spec.op());
        requireAlike(send, spec.receive());
        spec.moves(send, spec.receive(), send.count());
    }

    static void reduceScatter(CollectiveSpec spec, int rank, int size) {
        DataBuffer send = spec.send();
        DataBuffer receive = spec.receive();
        ReduceOp op = spec.op();
        Arguments.requireReducible(send, op);
        Arguments.requireWritable(receive);
        Arguments.requireSameType(send, receive);
        Partition items = new Partition(send.count() / op.itemWidth(), size);
        Arguments.requireCount("a receive buffer", receive, items.count(rank) * op.itemWidth());
        Arguments.requireOwnShareOrApart(receive, send, items.offset(rank) * op.itemWidth());
        spec.moves(send, receive, send.count());
    }

    static void reduceScatterInPlace(CollectiveSpec spec, int rank, int size) {
        DataBuffer buffer = spec.receive();
        Arguments.requireReducible(buffer, spec.op());
        Arguments.requireWritable(buffer);
        DataBuffer own = Arguments.share(buffer, rank, size, spec.op().itemWidth());
        spec.moves(buffer, own, buffer.count());
    }

    static void scan(CollectiveSpec spec, int rank, int size) {
        requireScannable(spec);
        spec.moves(spec.send(), spec.receive(), spec.send().count());
        if (rank == 0) {
            spec.within(finished(spec));
        }
    }

    static void exclusiveScan(CollectiveSpec spec, int rank, int size) {
        requireScannable(spec);
        DataBuffer receive = spec.receive();
        Identity.bits(spec.op(), receive.dataType());
        spec.moves(spec.send(), rank == 0 ? null : receive, receive.count());
        if (rank == 0) {
            spec.within(new FillWithIdentity(spec.op(), receive.dataType(), receive.segment()));
        } else if (rank == 1) {
            spec.within(finished(spec));
        }
    }

    /** A prefix of one rank has met no other value: only a logical operation changes it. */
    private static Surround finished(CollectiveSpec spec) {
        ReduceOp op = spec.op();
        return op == ReduceOp.LAND || op == ReduceOp.LOR || op == ReduceOp.LXOR
                ? new Finish(op, spec.receive().dataType(), spec.receive().segment())
                : Surround.NOTHING;
    }

    /** What a result that is one rank's own part still needs. */
    private record Finish(ReduceOp op, DataType type, MemorySegment memory) implements Surround {
        @Override
        public void after() {
            Kernels.find(op, type).scale(memory, 0, memory.byteSize() / type.bytes(), 1);
        }
    }

    /** What the first rank of an exclusive scan gets; its memory may have been sent from before. */
    private record FillWithIdentity(ReduceOp op, DataType type, MemorySegment memory)
            implements Surround {
        @Override
        public void after() {
            Identity.fill(op, type, memory);
        }
    }

    private static void requireScannable(CollectiveSpec spec) {
        if (spec.op() == ReduceOp.AVG) {
            throw new IllegalArgumentException(
                    "%s with AVG; a scan has as many averages as ranks: use SUM and divide"
                            .formatted(spec.name()));
        }
        Arguments.requireReducible(spec.send(), spec.op());
        requireAlike(spec.send(), spec.receive());
    }

    private static void requireAlike(DataBuffer send, DataBuffer receive) {
        Arguments.requireWritable(receive);
        Arguments.requireSameType(send, receive);
        Arguments.requireCount("a receive buffer", receive, send.count());
        Arguments.requireSameOrApart(send, receive);
    }
}
