package io.nexar.communicator;

import static io.nexar.Communicator.ANY_SOURCE;
import static io.nexar.Communicator.ANY_TAG;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.OnEachTransport;
import io.nexar.RankTask;
import io.nexar.Request;
import io.nexar.Status;

import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;

/** Requests that are taken back, among many that are not. */
@Timeout(60)
class CancelTest {
    private static final int MESSAGES = 200;
    private static final int LARGE = 20_000;

    // Pitfall 31: many in flight, half of them taken back, and nothing that is left gets lost.
    @OnEachTransport
    void whatWasTakenBackNeverComesAndTheRestDoes(String transport) {
        run(
                transport,
                world -> {
                    Random random = new Random(world.rank());
                    int self = world.rank();
                    int other = 1 - self;
                    List<Request<Void>> sent = new ArrayList<>();
                    for (int i = 0; i < MESSAGES; i++) {
                        int count = random.nextBoolean() ? LARGE : 10;
                        int dest = i % 4 == 3 ? self : other;
                        sent.add(world.async().send(DataBuffer.of(numbers(i, count)), dest, i));
                    }
                    for (int i = 0; i < MESSAGES; i += 1 + random.nextInt(2)) {
                        sent.get(i).cancel();
                    }
                    // Which of them were, the other learns; what can't be taken back is on its way.
                    int[] isCancelled =
                            sent.stream()
                                    .mapToInt(request -> request.isDone() ? over(request) : 0)
                                    .toArray();
                    int[] othersCancelled = new int[MESSAGES];
                    world.sendReceive(
                            DataBuffer.of(isCancelled),
                            other,
                            MESSAGES,
                            DataBuffer.of(othersCancelled),
                            other,
                            MESSAGES);
                    for (int i = MESSAGES - 1; i >= 0; i--) {
                        boolean isToSelf = i % 4 == 3;
                        if ((isToSelf ? isCancelled : othersCancelled)[i] == 0) {
                            requireNumbers(world, isToSelf ? self : other, i);
                        }
                    }
                    assertThat(IntStream.of(isCancelled).sum()).isPositive();
                    for (int i = 0; i < MESSAGES; i++) {
                        if (isCancelled[i] == 0) {
                            sent.get(i).await();
                        } else {
                            assertThatExceptionOfType(CancellationException.class)
                                    .isThrownBy(sent.get(i)::await)
                                    .withMessageContaining("send on world");
                        }
                    }
                    world.barrier();
                    assertThat(world.tryProbe(ANY_SOURCE, ANY_TAG)).isEmpty();
                });
    }

    @OnEachTransport
    void receivesThatAreTakenBackLeaveTheirPlaceToTheNext(String transport) {
        run(
                transport,
                world -> {
                    int other = 1 - world.rank();
                    List<int[]> arrays = new ArrayList<>();
                    List<Request<Status>> receives = new ArrayList<>();
                    for (int i = 0; i < MESSAGES; i++) {
                        int[] into = new int[10];
                        arrays.add(into);
                        int source = i % 5 == 0 ? ANY_SOURCE : other;
                        receives.add(world.async().receive(DataBuffer.of(into), source, 1));
                    }
                    for (int i = 0; i < MESSAGES; i += 3) {
                        receives.get(i).cancel();
                        receives.get(i).cancel();
                    }
                    world.barrier();
                    int next = 0;
                    for (int i = 0; i < MESSAGES; i++) {
                        if (i % 3 != 0) {
                            world.send(DataBuffer.of(numbers(next++, 10)), other, 1);
                        }
                    }
                    next = 0;
                    for (int i = 0; i < MESSAGES; i++) {
                        if (i % 3 == 0) {
                            assertThatExceptionOfType(CancellationException.class)
                                    .isThrownBy(receives.get(i)::await);
                            assertThat(arrays.get(i)).containsOnly(0);
                        } else {
                            receives.get(i).await();
                            receives.get(i).cancel();
                            assertThat(arrays.get(i)).isEqualTo(numbers(next++, 10));
                        }
                    }
                });
    }

    /** 1 if the request was cancelled. */
    private static int over(Request<Void> request) {
        try {
            request.await();
            return 0;
        } catch (CancellationException cancelled) {
            return 1;
        }
    }

    private static void requireNumbers(Communicator world, int source, int tag) {
        int[] got = new int[(int) (world.probe(source, tag).bytes() / Integer.BYTES)];
        world.receive(DataBuffer.of(got), source, tag);
        assertThat(got).as("tag %d", tag).isEqualTo(numbers(tag, got.length));
    }

    private static int[] numbers(int first, int count) {
        return IntStream.range(first, first + count).toArray();
    }

    private static void run(String transport, RankTask task) {
        NexarConfig config = NexarConfig.defaults().with("nexar.transport", transport);
        try (LocalCluster cluster = LocalCluster.start(2, config)) {
            cluster.run(task);
        }
    }
}
