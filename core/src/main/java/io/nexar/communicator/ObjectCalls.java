package io.nexar.communicator;

import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.OperationContext;
import io.nexar.ProtocolException;
import io.nexar.Status;
import io.nexar.TruncationException;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Objects: what their bytes are is the serializer's, how these travel is what messages and
 * collectives do. A collective of objects is two collectives of its own name: how many bytes each
 * rank has, then the bytes.
 */
final class ObjectCalls {
    private final CommunicatorCore core;
    private final Messages messages;
    private final Collectives collectives;
    private final ViewOptions options;

    ObjectCalls(
            CommunicatorCore core,
            ViewOptions options,
            Messages messages,
            Collectives collectives) {
        this.core = core;
        this.messages = messages;
        this.collectives = collectives;
        this.options = options;
    }

    void send(Object value, int dest, int tag) {
        DataBuffer bytes = DataBuffer.of(format().write(value));
        messages.send(Places.of(bytes), dest, tag, options.timeout()).await();
    }

    <T> T receive(Class<T> type, int source, int tag) {
        Objects.requireNonNull(type, "type");
        OperationContext where = core.context("receiveObject");
        FittedMemory memory = new FittedMemory(format().bytesMax());
        try {
            Status status = messages.receive(memory, source, tag, options.timeout()).await();
            return format().read(memory.bytes(), type, status.source(), where);
        } catch (TruncationException tooLong) {
            throw format().tooLong(tooLong.messageBytes(), tooLong.source()).at(where);
        }
    }

    <T> T broadcast(@Nullable T value, Class<T> type, int root) {
        String name = "broadcastObject";
        Arguments.requireRank("root", root, core.size());
        boolean isRoot = core.rank() == root;
        byte[] bytes = isRoot ? write(value, type) : new byte[0];
        long[] length = {bytes.length};
        run(collectives.spec().broadcast(DataBuffer.of(length), root).calledAs(name));
        requireLength(name, length[0], root);
        if (!isRoot) {
            bytes = new byte[(int) length[0]];
        }
        run(collectives.spec().broadcast(DataBuffer.of(bytes), root).calledAs(name));
        return isRoot
                ? Objects.requireNonNull(value)
                : format().read(ByteBuffer.wrap(bytes), type, root, core.context(name));
    }

    <T> List<T> gather(T value, Class<T> type, int root) {
        String name = "gatherObjects";
        Arguments.requireRank("root", root, core.size());
        DataBuffer own = DataBuffer.of(write(value, type));
        long[] lengths = lengths(name, own);
        DataBuffer all = core.rank() == root ? room(lengths) : null;
        run(collectives.spec().gather(own, all, lengths, root).calledAs(name));
        return all == null ? List.of() : read(name, all, lengths, type);
    }

    <T> List<T> allGather(T value, Class<T> type) {
        String name = "allGatherObjects";
        DataBuffer own = DataBuffer.of(write(value, type));
        long[] lengths = lengths(name, own);
        DataBuffer all = room(lengths);
        run(collectives.spec().allGather(own, all, lengths).calledAs(name));
        return read(name, all, lengths, type);
    }

    private byte[] write(@Nullable Object value, Class<?> type) {
        Objects.requireNonNull(value, "value");
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException(
                    "a %s; the call is for %s".formatted(value.getClass().getName(), type));
        }
        return format().write(value);
    }

    private long[] lengths(String name, DataBuffer own) {
        long[] lengths = new long[core.size()];
        DataBuffer mine = DataBuffer.of(new long[] {own.count()});
        run(collectives.spec().allGather(mine, DataBuffer.of(lengths)).calledAs(name));
        for (int rank = 0; rank < lengths.length; rank++) {
            requireLength(name, lengths[rank], rank);
        }
        return lengths;
    }

    /** Outside of the heap, which one array of it might not hold. */
    private static DataBuffer room(long[] lengths) {
        return DataBuffer.allocate(DataType.I8, Arguments.sum(lengths));
    }

    private <T> List<T> read(String name, DataBuffer all, long[] lengths, Class<T> type) {
        List<T> values = new ArrayList<>(lengths.length);
        long offset = 0;
        for (int rank = 0; rank < lengths.length; rank++) {
            MemorySegment part = all.segment().asSlice(offset, lengths[rank]);
            values.add(format().read(part.asByteBuffer(), type, rank, core.context(name)));
            offset += lengths[rank];
        }
        return List.copyOf(values);
    }

    /** The others are told: who does not go on to the bytes would be waited for. */
    private void requireLength(String name, long length, int rank) {
        if (length < 0 || length > format().bytesMax()) {
            ProtocolException failure = format().tooLong(length, rank);
            core.breakDown(failure);
            throw failure.at(core.context(name));
        }
    }

    private void run(CollectiveSpec spec) {
        collectives.run(spec);
    }

    private ObjectFormat format() {
        return core.settings().objects();
    }
}
