package io.nexar.traffic;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;

/**
 * Nine ranks in one JVM, linked by sockets: eight send as fast as they can to one that receives
 * from one after the other. What is in flight of all of them shares the JVM's direct memory.
 */
final class TightMemory {

    private static final int SENDERS = 8;

    /** In every build; {@code -Dnexar.test.full=true} sends 2 GiB. */
    private static final int MESSAGES = Boolean.getBoolean("nexar.test.full") ? 256 : 16;

    private static final int ELEMENTS = (1 << 20) / Long.BYTES;

    private TightMemory() {}

    static void run() {
        NexarConfig config = NexarConfig.defaults().with("nexar.transport", "quic");
        try (LocalCluster cluster = LocalCluster.start(SENDERS + 1, config)) {
            cluster.run(world -> {
                if (world.rank() == 0) {
                    receiveAll(world);
                } else {
                    sendAll(world);
                }
            });
        }
        System.out.println("tight: " + SENDERS + " senders, " + SENDERS * MESSAGES + " MiB");
    }

    private static void sendAll(Communicator world) {
        long[] message = new long[ELEMENTS];
        for (int number = 0; number < MESSAGES; number++) {
            for (int i = 0; i < ELEMENTS; i++) {
                message[i] = element(world.rank(), number, i);
            }
            world.send(DataBuffer.of(message), 0, 1);
        }
    }

    private static void receiveAll(Communicator world) {
        long[] message = new long[ELEMENTS];
        for (int rank = SENDERS; rank > 0; rank--) {
            for (int number = 0; number < MESSAGES; number++) {
                world.receive(DataBuffer.of(message), rank, 1);
                for (int i = 0; i < ELEMENTS; i++) {
                    if (message[i] != element(rank, number, i)) {
                        throw new AssertionError(
                                "message %d of rank %d, element %d".formatted(number, rank, i));
                    }
                }
            }
        }
    }

    private static long element(int rank, int number, int i) {
        return ((((long) rank << 20) + number) << 32 | i) * 0x9E3779B97F4A7C15L;
    }
}
