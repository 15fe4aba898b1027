package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.Request;
import io.nexar.Status;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/**
 * Callers that close a message's memory while it is on its way: that message is theirs to lose, and
 * nothing else is.
 */
@Timeout(120)
class ClosedMemoryTest {
    private static final int MESSAGES = 40;
    private static final int TAG_OUTCOME = 1;
    private static final int TAG_AFTER = 2;
    private static final int TAG_CLOSED = 3;

    // HotSpot interrupts who reads memory that is closed; behind them go messages of every size.
    @ParameterizedTest(name = "{0}, {1} bytes")
    @CsvSource({
        "local, 64",
        "local, 10000",
        "local, 300000",
        "local, 6000000",
        "quic, 64",
        "quic, 10000",
        "quic, 300000",
        "quic, 6000000",
        "shm, 64",
        "shm, 10000",
        "shm, 300000",
        "shm, 6000000",
        "tcp, 64",
        "tcp, 10000",
        "tcp, 300000",
        "tcp, 6000000"
    })
    void closingTheMemoryOfAMessageUnderWayHarmsNothingElse(String transport, int bytes) {
        NexarConfig config = NexarConfig.defaults().with("nexar.transport", transport);
        try (LocalCluster cluster = LocalCluster.start(2, config)) {
            cluster.run(world -> {
                Random random = new Random(bytes);
                for (int i = 0; i < MESSAGES; i++) {
                    boolean isReceiverAtFault = random.nextInt(4) == 0;
                    long spins = (long) (random.nextDouble() * random.nextInt(300_000));
                    if (world.rank() == 0) {
                        send(world, bytes, i, isReceiverAtFault ? 0 : spins + 1);
                    } else {
                        receive(world, bytes, i, isReceiverAtFault ? spins + 1 : 0);
                    }
                }
                world.barrier();
            });
        }
    }

    /**
     * @param spins after how long the memory is closed; 0 for when it is right
     */
    @SuppressWarnings("MustBeClosedChecker") // When it closes is what the test is about.
    private static void send(Communicator world, int bytes, int number, long spins)
            throws InterruptedException {
        Arena arena = Arena.ofShared();
        Request<Void> request = world.async().send(filled(arena, bytes, number), 1, TAG_CLOSED);
        if (spins > 0) {
            spin(spins);
            arena.close();
        }
        int isWhole = spins > 0 ? 0 : 1;
        world.send(DataBuffer.of(new int[] {isWhole}), 1, TAG_OUTCOME);
        try (Arena whole = Arena.ofShared()) {
            world.send(filled(whole, lengthAfter(number), number + 1), 1, TAG_AFTER);
        }
        end(request);
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    @SuppressWarnings("MustBeClosedChecker") // When it closes is what the test is about.
    private static void receive(Communicator world, int bytes, int number, long spins)
            throws InterruptedException {
        Arena arena = Arena.ofShared();
        DataBuffer target = DataBuffer.of(arena.allocate(bytes), DataType.I8);
        boolean isLate = spins == 0 && number % 3 == 0;
        Request<Status> request = isLate ? null : world.async().receive(target, 0, TAG_CLOSED);
        if (spins > 0) {
            spin(spins);
            arena.close();
        }
        int[] isWhole = new int[1];
        world.receive(DataBuffer.of(isWhole), 0, TAG_OUTCOME);
        DataBuffer after = DataBuffer.allocate(DataType.I8, lengthAfter(number));
        world.receive(after, 0, TAG_AFTER);
        requireFilled(after.segment(), number + 1);
        if (request == null) {
            request = world.async().receive(target, 0, TAG_CLOSED);
        }
        if (spins == 0 && isWhole[0] == 1) {
            assertThat(request.await().bytes()).isEqualTo(bytes);
            requireFilled(target.segment(), number);
        } else {
            while (!request.isDone()) {
                request.cancel(); // it may have to wait again first, for the message was taken back
            }
            end(request);
        }
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    private static int lengthAfter(int number) {
        return 1 + number * 7919 % 200_000;
    }

    /** However it ends, it does. */
    private static void end(Request<?> request) throws InterruptedException {
        try {
            request.await();
        } catch (IllegalStateException closed) {
            assertThat(closed).isNotNull();
        }
    }

    private static DataBuffer filled(Arena arena, int bytes, int number) {
        MemorySegment memory = arena.allocate(bytes);
        for (int i = 0; i < bytes; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + number));
        }
        return DataBuffer.of(memory, DataType.I8);
    }

    private static void requireFilled(MemorySegment memory, int number) {
        for (int i = 0; i < memory.byteSize(); i++) {
            if (memory.get(ValueLayout.JAVA_BYTE, i) != (byte) (i * 31 + number)) {
                throw new AssertionError("byte " + i + " of message " + number + " is wrong");
            }
        }
    }

    private static void spin(long times) {
        for (long i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }
}
