package io.nexar.communicator;

import static io.nexar.Communicator.ANY_SOURCE;
import static io.nexar.Communicator.ANY_TAG;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.ClosedException;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.DeadlineException;
import io.nexar.IncomingMessage;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.OnEachTransport;
import io.nexar.PeerLeftException;
import io.nexar.RankTask;
import io.nexar.Request;
import io.nexar.Status;
import io.nexar.TruncationException;

import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Messages that are looked at, or taken out of matching, before memory is there for them. */
@Timeout(60)
class ProbeTest {
    /** Elements of a message that is announced first, and takes many frames. */
    private static final int LARGE = 300_000;

    @OnEachTransport
    void aProbeTellsTheSizeSoThatTheReceiverCanMakeRoom(String transport) {
        run(
                transport,
                world -> {
                    int other = 1 - world.rank();
                    for (int count : new int[] {0, 5, LARGE}) {
                        Request<Void> sent = world.async().send(numbers(count, count), other, 3);
                        Status status = world.probe(ANY_SOURCE, ANY_TAG);
                        assertThat(status).isEqualTo(new Status(other, 3, 4L * count));
                        assertThat(world.tryProbe(other, 3)).contains(status);
                        int[] room = new int[(int) status.count(DataType.I32)];
                        world.receive(DataBuffer.of(room), status.source(), status.tag());
                        assertThat(room).isEqualTo(sequence(count, count));
                        sent.await();
                    }
                    world.barrier();
                    assertThat(world.tryProbe(ANY_SOURCE, ANY_TAG)).isEmpty();
                    assertThat(world.tryMatch(other, ANY_TAG)).isEmpty();
                });
    }

    @OnEachTransport
    void whoPollsSeesTheMessageThatHasCome(String transport) {
        run(
                transport,
                world -> {
                    if (world.rank() == 0) {
                        world.send(numbers(1, 3), 1, 1);
                        world.probe(1, 2);
                        world.receive(DataBuffer.of(new int[0]), 1, 2);
                        return;
                    }
                    Optional<IncomingMessage> found = world.tryMatch(0, 1);
                    while (found.isEmpty()) {
                        Thread.onSpinWait();
                        found = world.tryMatch(0, 1);
                    }
                    int[] got = new int[3];
                    assertThat(found.get().receive(DataBuffer.of(got)).bytes()).isEqualTo(12);
                    assertThat(got).isEqualTo(sequence(1, 3));
                    world.send(numbers(0, 0), 0, 2);
                });
    }

    @OnEachTransport
    void messagesThatAreMatchedAreReceivedOnceInAnyOrder(String transport) {
        int messages = 40;
        run(
                transport,
                world -> {
                    int other = 1 - world.rank();
                    List<Request<?>> sent = new ArrayList<>();
                    for (int i = 0; i < messages; i++) {
                        sent.add(world.async().send(numbers(i, i % 8 == 0 ? LARGE : i), other, i));
                    }
                    List<IncomingMessage> taken = new ArrayList<>();
                    for (int i = 0; i < messages; i++) {
                        taken.add(world.match(other, ANY_TAG));
                        assertThat(taken.get(i).status().tag()).isEqualTo(i);
                    }
                    assertThat(world.tryProbe(other, ANY_TAG)).isEmpty();
                    for (IncomingMessage message : taken.reversed()) {
                        Status status = message.status();
                        int[] got = new int[(int) status.count(DataType.I32)];
                        int half = got.length / 2;
                        assertThat(
                                        message.receive(
                                                List.of(
                                                        DataBuffer.of(got, 0, half),
                                                        DataBuffer.of(
                                                                got, half, got.length - half))))
                                .isEqualTo(status);
                        assertThat(got).isEqualTo(sequence(status.tag(), got.length));
                        assertThatIllegalStateException()
                                .isThrownBy(() -> message.receive(DataBuffer.of(got)))
                                .withMessageContaining("tag " + status.tag())
                                .withMessageContaining("received before");
                    }
                    Request.awaitAll(sent);
                    world.barrier();
                });
    }

    @OnEachTransport
    void aMatchedMessageThatIsTooLongIsConsumed(String transport) {
        run(
                transport,
                world -> {
                    int other = 1 - world.rank();
                    for (int count : new int[] {100, LARGE}) {
                        Request<Void> sent = world.async().send(numbers(1, count), other, 1);
                        IncomingMessage message = world.match(other, 1);
                        assertThatIllegalArgumentException()
                                .isThrownBy(() -> message.receive(readOnly()))
                                .withMessageContaining("read-only");
                        assertThatExceptionOfType(TruncationException.class)
                                .isThrownBy(() -> message.receive(DataBuffer.of(new int[99])))
                                .withMessageContaining(String.valueOf(4L * count))
                                .withMessageContaining("396");
                        sent.await();
                    }
                    world.barrier();
                });
    }

    @OnEachTransport
    void whatIsMatchedAndNeverReceivedHoldsNobodyUp(String transport) {
        run(
                transport,
                world -> {
                    Communicator child = world.duplicate();
                    // More than the credit is for.
                    for (int i = 0; i < 5_000; i++) {
                        if (child.rank() == 0) {
                            child.send(numbers(i, 2), 1, 1);
                        } else {
                            assertThat(child.match(0, 1).status().bytes()).isEqualTo(8);
                        }
                    }
                    Request<Void> sent = child.async().send(numbers(1, LARGE), 1 - child.rank(), 2);
                    IncomingMessage message = child.match(1 - child.rank(), 2);
                    world.barrier();
                    child.close();
                    assertThatExceptionOfType(ClosedException.class)
                            .isThrownBy(() -> message.receive(numbers(0, LARGE)));
                    assertThatThrownBy(sent::await)
                            .isInstanceOfAny(ClosedException.class, PeerLeftException.class);
                });
    }

    @OnEachTransport
    void aRankMayProbeAndMatchWhatItSendsToItself(String transport) {
        run(
                transport,
                world -> {
                    int self = world.rank();
                    for (int count : new int[] {0, 7, LARGE}) {
                        Request<Void> sent = world.async().send(numbers(self, count), self, 4);
                        assertThat(world.probe(self, 4).bytes()).isEqualTo(4L * count);
                        int[] got = new int[count];
                        world.match(ANY_SOURCE, 4).receive(DataBuffer.of(got));
                        assertThat(got).isEqualTo(sequence(self, count));
                        sent.await();
                    }
                    assertThat(world.tryProbe(self, ANY_TAG)).isEmpty();
                });
    }

    @OnEachTransport
    void probesEndLikeReceives(String transport) {
        run(
                transport,
                world -> {
                    int other = 1 - world.rank();
                    Communicator hasty = world.withTimeout(Duration.ofMillis(50));
                    assertThatExceptionOfType(DeadlineException.class)
                            .isThrownBy(() -> hasty.probe(other, 9))
                            .withMessageContaining("probe on world")
                            .withMessageContaining("a message from rank " + other + " with tag 9");
                    assertThatExceptionOfType(DeadlineException.class)
                            .isThrownBy(() -> hasty.match(ANY_SOURCE, ANY_TAG))
                            .withMessageContaining("match on world");
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> world.tryProbe(2, 0))
                            .withMessageContaining("source 2");
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> world.match(other, -2))
                            .withMessageContaining("tag -2");
                    Communicator child = world.duplicate();
                    if (world.rank() == 0) {
                        child.close();
                        assertThatExceptionOfType(ClosedException.class)
                                .isThrownBy(() -> child.tryMatch(1, 1));
                    } else {
                        assertThatExceptionOfType(PeerLeftException.class)
                                .isThrownBy(() -> child.match(0, 1))
                                .withMessageContaining("rank 0");
                        assertThatExceptionOfType(PeerLeftException.class)
                                .as("who polls must not poll for ever")
                                .isThrownBy(() -> child.tryProbe(0, 1));
                    }
                    world.barrier();
                });
    }

    private static void run(String transport, RankTask task) {
        NexarConfig config = NexarConfig.defaults().with("nexar.transport", transport);
        try (LocalCluster cluster = LocalCluster.start(2, config)) {
            cluster.run(task);
        }
    }

    private static DataBuffer readOnly() {
        DataBuffer writable = DataBuffer.allocate(DataType.I32, LARGE);
        return DataBuffer.of(writable.segment().asReadOnly(), DataType.I32);
    }

    private static DataBuffer numbers(int first, int count) {
        return DataBuffer.of(sequence(first, count));
    }

    private static int[] sequence(int first, int count) {
        return IntStream.range(first, first + count).toArray();
    }
}
