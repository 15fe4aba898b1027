package io.nexar.communicator;

import static io.nexar.Communicator.ANY_SOURCE;
import static io.nexar.Communicator.ANY_TAG;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.DeadlineException;
import io.nexar.InterruptedOperationException;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.OnEachTransport;
import io.nexar.RankTask;
import io.nexar.ReduceOp;
import io.nexar.Request;
import io.nexar.Status;
import io.nexar.TruncationException;

import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;

/** Messages between two ranks over each transport. */
@Timeout(60)
class MessagesTest {
    /** Elements of a message that is announced first, and takes many frames. */
    private static final int LARGE = 300_000;

    // Pitfall 32: receives in another order than the sends get each its own message.
    @OnEachTransport
    void tagsPickTheirMessageWhateverTheOrder(String transport) {
        run(
                transport,
                2,
                world -> {
                    for (int count : new int[] {1, 1000, LARGE}) {
                        if (world.rank() == 0) {
                            Request<Void> a = world.async().send(numbers(1, count), 1, 1);
                            Request<Void> b = world.async().send(numbers(2, count), 1, 2);
                            Request.awaitAll(a, b);
                        } else {
                            requireNumbers(world, 0, 2, 2, count);
                            requireNumbers(world, 0, 1, 1, count);
                        }
                    }
                });
    }

    // Pitfall 32: wildcards keep the order of each pair.
    @OnEachTransport
    void wildcardsKeepTheOrderOfEachPair(String transport) {
        int each = 200;
        run(
                transport,
                4,
                world -> {
                    if (world.rank() > 0) {
                        for (int i = 0; i < each; i++) {
                            world.send(numbers(world.rank() * 1000 + i, 3), 0, i % 7);
                        }
                        return;
                    }
                    int[] next = new int[world.size()];
                    for (int i = 0; i < 3 * each; i++) {
                        int[] got = new int[3];
                        Status status = world.receive(DataBuffer.of(got), ANY_SOURCE, ANY_TAG);
                        int number = next[status.source()]++;
                        assertThat(got[0]).isEqualTo(status.source() * 1000 + number);
                        assertThat(status.tag()).isEqualTo(number % 7);
                        assertThat(status.count(DataType.I32)).isEqualTo(3);
                    }
                });
    }

    // Pitfall 31: a thousand pairs in flight whose buffers only the requests hold.
    @OnEachTransport
    void aThousandRequestsBothWaysArriveWhole(String transport) {
        int pairs = 1000;
        run(
                transport,
                2,
                world -> {
                    int other = 1 - world.rank();
                    List<Request<?>> requests = new ArrayList<>();
                    List<int[]> arrays = new ArrayList<>();
                    for (int i = 0; i < pairs; i++) {
                        int[] into = new int[40];
                        arrays.add(into);
                        requests.add(world.async().receive(DataBuffer.of(into), other, i));
                        requests.add(world.async().send(offHeap(i + 7 * other, 40), other, i));
                        if (i % 250 == 0) {
                            System.gc();
                        }
                    }
                    Request.awaitAll(requests);
                    for (int i = 0; i < pairs; i++) {
                        int first = i + 7 * world.rank();
                        assertThat(arrays.get(i)).startsWith(first, first + 1);
                    }
                });
    }

    @OnEachTransport
    void aThousandSmallMessagesNeedNoReceive(String transport) {
        run(
                transport,
                2,
                world -> {
                    Communicator bounded = world.withTimeout(Duration.ofSeconds(20));
                    for (int i = 0; world.rank() == 0 && i < 1000; i++) {
                        bounded.send(DataBuffer.of(new long[] {i}), 1, 3);
                    }
                    world.barrier();
                    for (int i = 0; world.rank() == 1 && i < 1000; i++) {
                        long[] got = new long[1];
                        world.receive(DataBuffer.of(got), 0, 3);
                        assertThat(got[0]).isEqualTo(i);
                    }
                });
    }

    @OnEachTransport
    void aTimedOutReceiveConsumesNothing(String transport) {
        run(
                transport,
                2,
                world -> {
                    int other = 1 - world.rank();
                    Communicator hasty = world.withTimeout(Duration.ofMillis(50));
                    assertThatExceptionOfType(DeadlineException.class)
                            .isThrownBy(() -> hasty.receive(DataBuffer.of(new int[4]), other, 9))
                            .withMessageContaining("rank " + other)
                            .withMessageContaining("tag 9");
                    world.barrier();
                    Request<Void> sent = world.async().send(numbers(5, LARGE), other, 9);
                    requireNumbers(world, other, 9, 5, LARGE);
                    sent.await();
                });
    }

    @OnEachTransport
    void twoLargeSendsHeadToHeadEndWithADeadlineThatNamesBoth(String transport) {
        run(
                transport,
                2,
                world -> {
                    int other = 1 - world.rank();
                    Communicator hasty = world.withTimeout(Duration.ofMillis(300));
                    assertThatExceptionOfType(DeadlineException.class)
                            .isThrownBy(() -> hasty.send(numbers(1, LARGE), other, 2))
                            .withMessageContaining("rank " + world.rank() + " of 2")
                            .withMessageContaining("rank " + other);
                    // Messages of a pair keep their order: the withdrawal comes before this one.
                    int[] marker = new int[1];
                    world.sendReceive(
                            DataBuffer.of(new int[] {other}),
                            other,
                            3,
                            DataBuffer.of(marker),
                            other,
                            3);
                    assertThat(marker[0]).isEqualTo(world.rank());
                    // What was given up was withdrawn: the next message is the next one sent.
                    Request<Void> sent = world.async().send(numbers(77, 5), other, 2);
                    requireNumbers(world, other, 2, 77, 5);
                    sent.await();
                });
    }

    @OnEachTransport
    void aMessageThatIsTooLongIsConsumedAndBothSidesGoOn(String transport) {
        run(
                transport,
                2,
                world -> {
                    for (int count : new int[] {100, LARGE}) {
                        if (world.rank() == 0) {
                            world.send(numbers(3, count), 1, 1);
                            world.send(numbers(4, 2), 1, 1);
                            continue;
                        }
                        DataBuffer tooShort = DataBuffer.of(new int[99]);
                        assertThatExceptionOfType(TruncationException.class)
                                .isThrownBy(() -> world.receive(tooShort, 0, 1))
                                .withMessageContaining(String.valueOf(4L * count))
                                .withMessageContaining("396");
                        requireNumbers(world, 0, 1, 4, 2);
                    }
                });
    }

    @OnEachTransport
    void aRankMaySendToItself(String transport) {
        run(
                transport,
                2,
                world -> {
                    int self = world.rank();
                    world.send(numbers(self, 10), self, 4);
                    requireNumbers(world, self, 4, self, 10);
                    Request<Void> sent = world.async().send(numbers(self, LARGE), self, 4);
                    requireNumbers(world, ANY_SOURCE, 4, self, LARGE);
                    sent.await();
                });
    }

    @OnEachTransport
    void cancelTakesBackWhatHasMatchedNothing(String transport) {
        run(
                transport,
                2,
                world -> {
                    int other = 1 - world.rank();
                    Request<Status> receive =
                            world.async().receive(DataBuffer.of(new int[1]), other, 6);
                    receive.cancel();
                    assertThatExceptionOfType(CancellationException.class)
                            .isThrownBy(receive::await);
                    world.barrier();
                    Request<Void> sent = world.async().send(numbers(8, 1), other, 6);
                    requireNumbers(world, other, 6, 8, 1);
                    sent.await();
                });
    }

    @OnEachTransport
    void futuresCompleteWithoutAnybodyWaiting(String transport) {
        run(
                transport,
                3,
                world -> {
                    float[] values = {world.rank(), 1};
                    Float sum =
                            world.async()
                                    .allReduce(DataBuffer.of(values), ReduceOp.SUM)
                                    .toCompletableFuture()
                                    .thenApply(nothing -> values[0])
                                    .get(20, TimeUnit.SECONDS);
                    assertThat(sum).isEqualTo(3f);
                });
    }

    @OnEachTransport
    void anInterruptedReceiveRestoresTheFlagAndConsumesNothing(String transport) {
        run(
                transport,
                2,
                world -> {
                    int other = 1 - world.rank();
                    DataBuffer into = DataBuffer.of(new int[1]);
                    Thread.currentThread().interrupt();
                    assertThatExceptionOfType(InterruptedOperationException.class)
                            .isThrownBy(() -> world.receive(into, other, 1));
                    assertThat(Thread.interrupted()).isTrue();
                    world.barrier();
                    Request<Void> sent = world.async().send(numbers(6, 1), other, 1);
                    requireNumbers(world, other, 1, 6, 1);
                    sent.await();
                });
    }

    // Pitfall 19: what can't be right is refused on that rank before a byte moves.
    @OnEachTransport
    void badArgumentsAreRefusedAndHarmNobody(String transport) {
        run(
                transport,
                2,
                world -> {
                    DataBuffer buffer = numbers(0, 4);
                    for (int root : new int[] {-1, 2, Integer.MAX_VALUE}) {
                        assertThatIllegalArgumentException()
                                .isThrownBy(() -> world.broadcast(buffer, root))
                                .withMessageContaining("root " + root);
                        assertThatIllegalArgumentException()
                                .isThrownBy(() -> world.send(buffer, root, 0))
                                .withMessageContaining("dest " + root);
                    }
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> world.send(buffer, 0, -1))
                            .withMessageContaining("tag -1");
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> world.receive(buffer, -2, 0))
                            .withMessageContaining("source -2");
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> world.allReduce(buffer, ReduceOp.MINLOC));
                    DataBuffer first = buffer.slice(0, 3);
                    DataBuffer second = buffer.slice(1, 3);
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> world.allReduce(first, second, ReduceOp.SUM))
                            .withMessageContaining("overlap");
                    world.barrier();
                });
    }

    private static void run(String transport, int size, RankTask task) {
        NexarConfig config = NexarConfig.defaults().with("nexar.transport", transport);
        try (LocalCluster cluster = LocalCluster.start(size, config)) {
            cluster.run(task);
        }
    }

    private static DataBuffer numbers(int first, int count) {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = first + i;
        }
        return DataBuffer.of(values);
    }

    /** Memory that is freed when nobody can reach it any more. */
    private static DataBuffer offHeap(int first, int count) {
        DataBuffer buffer = DataBuffer.allocate(DataType.I32, count);
        buffer.segment().copyFrom(numbers(first, count).segment());
        return buffer;
    }

    private static void requireNumbers(
            Communicator world, int source, int tag, int first, int count) {
        int[] got = new int[count];
        Status status = world.receive(DataBuffer.of(got), source, tag);
        assertThat(status.bytes()).isEqualTo(4L * count);
        for (int i = 0; i < count; i++) {
            if (got[i] != first + i) {
                throw new AssertionError(
                        "element %d is %d, not %d".formatted(i, got[i], first + i));
            }
        }
    }
}
