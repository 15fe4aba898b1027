package io.nexar.traffic;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.Nexar;
import io.nexar.PeerLostException;
import io.nexar.ReduceOp;
import io.nexar.Request;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLong;

/** What the processes of {@link TrafficIT} do; each scenario prints a line that the test reads. */
public final class TrafficProgram {
    private static final long MIB = 1 << 20;
    private static final int SMALL_MESSAGE_BYTES = 1024;

    private TrafficProgram() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("tight")) {
            TightMemory.run();
            return;
        }
        try (Nexar nexar = Nexar.join()) {
            Communicator world = nexar.world();
            switch (arguments[0]) {
                case "stalled" -> stalled(world, 64 * MIB, 1000);
                case "flood" -> flood(world, Integer.parseInt(arguments[1]));
                case "death" -> death(world);
                case "seedless" -> seedless(world);
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        }
    }

    /** A large message that nobody receives yet; meanwhile the same pair has other things to do. */
    private static void stalled(Communicator world, long bytes, int rounds) {
        int other = 1 - world.rank();
        DataBuffer large = DataBuffer.allocate(DataType.I64, bytes / Long.BYTES);
        Request<Void> sent = null;
        if (world.rank() == 0) {
            fill(large.segment());
            sent = world.async().send(large, 1, 1);
        }
        long[] number = new long[1];
        for (int i = 0; i < rounds; i++) {
            world.barrier();
            number[0] = i;
            if (world.rank() == 0) {
                world.send(DataBuffer.of(number), other, 2);
                world.receive(DataBuffer.of(number), other, 3);
            } else {
                world.receive(DataBuffer.of(number), other, 2);
                world.send(DataBuffer.of(number), other, 3);
            }
            require(number[0] == i, "small message " + i + " brought " + number[0]);
        }
        if (sent != null) {
            require(!sent.isDone(), "the large message was done before its receive");
            sent.await();
        } else {
            world.receive(large, 0, 1);
            requireFilled(large.segment());
            System.out.println("stalled: " + rounds + " rounds, then " + bytes + " bytes whole");
        }
    }

    /** A flood of small messages that nobody receives holds its sender back, and nothing else. */
    private static void flood(Communicator world, int messages) throws Exception {
        AtomicLong sent = new AtomicLong();
        Thread sender = null;
        if (world.rank() == 0) {
            sender = Thread.ofPlatform().start(() -> sendAll(world, messages, sent));
        }
        long heapBefore = usedHeap();
        float[] values = new float[50_000];
        for (int i = 0; i < 50; i++) {
            java.util.Arrays.fill(values, 1 + i);
            world.allReduce(DataBuffer.of(values), ReduceOp.SUM);
            require(values[49_999] == 2 * (1 + i), "allReduce gave " + values[49_999]);
        }
        if (world.rank() == 0) {
            System.out.println("flood: sender stopped at " + sent.get());
            world.barrier();
        } else {
            System.out.println("flood: heap grew by " + (usedHeap() - heapBefore));
            world.barrier();
            receiveAll(world, messages);
            System.out.println("flood: " + messages + " messages in order");
        }
        if (sender != null) {
            sender.join();
        }
    }

    private static void sendAll(Communicator world, int messages, AtomicLong sent) {
        long[] message = new long[SMALL_MESSAGE_BYTES / Long.BYTES];
        for (int i = 0; i < messages; i++) {
            message[0] = i;
            message[message.length - 1] = ~i;
            world.send(DataBuffer.of(message), 1, 7);
            sent.incrementAndGet();
        }
    }

    private static void receiveAll(Communicator world, int messages) {
        long[] message = new long[SMALL_MESSAGE_BYTES / Long.BYTES];
        for (int i = 0; i < messages; i++) {
            world.receive(DataBuffer.of(message), 0, 7);
            require(
                    message[0] == i && message[message.length - 1] == ~i,
                    "message " + i + " brought " + message[0]);
        }
    }

    /** Rank 1 dies without a word while the others wait for it, each in another call. */
    private static void death(Communicator world) {
        // Each survivor says that it is ready: what a dying rank sent last may die with it.
        DataBuffer ready = DataBuffer.of(new int[1]);
        if (world.rank() == 1) {
            world.receive(ready, 0, 1);
            world.receive(ready, 2, 1);
            Runtime.getRuntime().halt(9);
        }
        world.send(ready, 1, 1);
        long start = System.nanoTime();
        try {
            if (world.rank() == 0) {
                world.allReduce(DataBuffer.of(new float[1000]), ReduceOp.SUM);
            } else {
                world.receive(DataBuffer.of(new float[1000]), 1, 5);
            }
            System.out.println("death: no error");
        } catch (PeerLostException lost) {
            long millis = (System.nanoTime() - start) / 1_000_000;
            System.out.println("death: rank " + lost.rank() + " after " + millis + " ms: " + lost);
        }
    }

    /** Goes on once it is told that the seed is gone. */
    private static void seedless(Communicator world) throws Exception {
        world.barrier();
        System.out.println("seedless: formed");
        require(System.in.read() >= 0, "nobody said that the seed is gone");
        float[] ones = {1};
        world.allReduce(DataBuffer.of(ones), ReduceOp.SUM);
        System.out.println("seedless: sum " + ones[0]);
    }

    private static void fill(MemorySegment memory) {
        for (long i = 0; i < memory.byteSize() / Long.BYTES; i++) {
            memory.setAtIndex(ValueLayout.JAVA_LONG, i, i * 0x9E3779B97F4A7C15L);
        }
    }

    private static void requireFilled(MemorySegment memory) {
        for (long i = 0; i < memory.byteSize() / Long.BYTES; i++) {
            long found = memory.getAtIndex(ValueLayout.JAVA_LONG, i);
            require(found == i * 0x9E3779B97F4A7C15L, "element " + i + " is " + found);
        }
    }

    private static long usedHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static void require(boolean condition, String problem) {
        if (!condition) {
            throw new AssertionError(problem);
        }
    }
}
