package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.OnEachTransport;
import io.nexar.RankTask;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Buffers of more bytes than an int counts, with {@code -Dnexar.test.full=true}; of some pieces
 * otherwise. Every byte is looked at.
 */
@Timeout(600)
class HugeBuffersTest {
    /** No whole number of pieces, and of more than 2 GiB in full. */
    private static final long BYTES =
            (Boolean.getBoolean("nexar.test.full") ? 2L << 30 : 5L << 20) + 16;

    @TempDir Path directory;

    // Pitfall 10: a message of 2 GiB and 16 bytes, into mapped memory.
    @OnEachTransport
    void aHugeMessageArrivesWhole(String transport) {
        run(
                transport,
                world -> {
                    try (Arena arena = Arena.ofShared()) {
                        if (world.rank() == 0) {
                            MemorySegment out = arena.allocate(BYTES, 64);
                            fill(out, 0, BYTES, 1);
                            world.send(bytes(out), 1, 5);
                        } else {
                            MemorySegment in = mapped(arena);
                            assertThat(world.receive(bytes(in), 0, 5).bytes()).isEqualTo(BYTES);
                            requireFilled(in, 0, BYTES, 1);
                        }
                        world.barrier();
                    }
                });
    }

    // Pitfall 10: a broadcast of as much.
    @OnEachTransport
    void aHugeBroadcastArrivesWhole(String transport) {
        run(
                transport,
                world -> {
                    try (Arena arena = Arena.ofShared()) {
                        MemorySegment buffer = arena.allocate(BYTES, 64);
                        if (world.rank() == 1) {
                            fill(buffer, 0, BYTES, 2);
                        }
                        world.broadcast(bytes(buffer), 1);
                        requireFilled(buffer, 0, BYTES, 2);
                        world.barrier();
                    }
                });
    }

    // Pitfall 10: each rank's share is as long, and all are more than 4 GiB.
    @OnEachTransport
    void hugeSharesAreGatheredWhole(String transport) {
        run(
                transport,
                world -> {
                    try (Arena arena = Arena.ofShared()) {
                        MemorySegment buffer = arena.allocate(2 * BYTES, 64);
                        fill(buffer, world.rank() * BYTES, BYTES, 10 + world.rank());
                        world.allGather(bytes(buffer));
                        requireFilled(buffer, 0, BYTES, 10);
                        requireFilled(buffer, BYTES, BYTES, 11);
                        world.barrier();
                    }
                });
    }

    private static void run(String transport, RankTask task) {
        NexarConfig config = NexarConfig.defaults().with("nexar.transport", transport);
        try (LocalCluster cluster = LocalCluster.start(2, config)) {
            cluster.run(task);
        }
    }

    private static DataBuffer bytes(MemorySegment memory) {
        return DataBuffer.of(memory, DataType.I8);
    }

    private MemorySegment mapped(Arena arena) throws IOException {
        Path file = Files.createTempFile(directory, "huge", "");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES, arena);
        }
    }

    /** Another word in every place. */
    private static long word(long seed, long index) {
        return (index + (seed << 40)) * 0x9E37_79B9_7F4A_7C15L;
    }

    private static void fill(MemorySegment memory, long from, long bytes, long seed) {
        for (long i = 0; i < bytes / Long.BYTES; i++) {
            memory.set(ValueLayout.JAVA_LONG_UNALIGNED, from + i * Long.BYTES, word(seed, i));
        }
    }

    private static void requireFilled(MemorySegment memory, long from, long bytes, long seed) {
        for (long i = 0; i < bytes / Long.BYTES; i++) {
            long found = memory.get(ValueLayout.JAVA_LONG_UNALIGNED, from + i * Long.BYTES);
            if (found != word(seed, i)) {
                throw new AssertionError(
                        "word %d from byte %d is %x instead of %x"
                                .formatted(i, from, found, word(seed, i)));
            }
        }
    }
}
