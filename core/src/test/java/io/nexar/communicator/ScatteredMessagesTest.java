package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.OnEachTransport;
import io.nexar.RankTask;
import io.nexar.Request;
import io.nexar.Status;
import io.nexar.TruncationException;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** One message out of several places, and into several. */
@Timeout(60)
class ScatteredMessagesTest {
    private static final int TAG = 4;

    /** Around what is sent whole (16 KiB) and around a frame (64 KiB), and many frames. */
    private static final int[] SIZES = {
        0, 1, 7, 100, 16_383, 16_384, 16_385, 65_536, 65_537, 300_000
    };

    @OnEachTransport
    void bytesKeepTheirOrderHoweverEachSideCutsThem(String transport) {
        run(
                transport,
                world -> {
                    for (long randomSeed = 0; randomSeed < 150; randomSeed++) {
                        Random random = new Random(randomSeed);
                        int bytes = SIZES[random.nextInt(SIZES.length)] + random.nextInt(3);
                        byte[] content = new byte[bytes];
                        random.nextBytes(content);
                        boolean isWhole = random.nextInt(4) == 0;
                        List<DataBuffer> out = isWhole ? whole(content) : cut(random, bytes);
                        fill(out, content);
                        List<DataBuffer> in = cut(random, bytes + random.nextInt(2) * 50);
                        int self = world.rank();
                        int to = random.nextInt(5) == 0 ? self : 1 - self;
                        Request<Status> received = world.async().receive(in, to, TAG);
                        if (isWhole) {
                            world.async().send(out.getFirst(), to, TAG).await();
                        } else {
                            world.async().send(out, to, TAG).await();
                        }
                        assertThat(received.await().bytes()).isEqualTo(bytes);
                        assertThat(Arrays.copyOf(bytesOf(in), bytes))
                                .as("seed %d, %s from %s into %s", randomSeed, transport, out, in)
                                .isEqualTo(content);
                    }
                });
    }

    @OnEachTransport
    void whatFitsIsCountedOverTheWholeList(String transport) {
        run(
                transport,
                world -> {
                    int other = 1 - world.rank();
                    for (int each : new int[] {50, 50_000}) {
                        List<DataBuffer> out =
                                List.of(
                                        DataBuffer.of(new byte[each]),
                                        DataBuffer.of(new byte[1]),
                                        DataBuffer.of(new byte[each]));
                        Request<Void> sent = world.async().send(out, other, TAG);
                        List<DataBuffer> in =
                                List.of(
                                        DataBuffer.of(new byte[each]),
                                        DataBuffer.of(new byte[0]),
                                        DataBuffer.of(new byte[each]));
                        assertThatExceptionOfType(TruncationException.class)
                                .isThrownBy(() -> world.receive(in, other, TAG))
                                .withMessageContaining(String.valueOf(2 * each + 1))
                                .withMessageContaining("the buffer " + 2 * each);
                        sent.await();
                    }
                    Request<Void> sent = world.async().send(List.of(), other, TAG);
                    assertThat(world.receive(List.of(), other, TAG).bytes()).isZero();
                    sent.await();
                });
    }

    @ParameterizedTest
    @ValueSource(strings = "local")
    void placesThatWouldBeWrittenTwiceAreRefused(String transport) {
        run(
                transport,
                world -> {
                    int[] one = new int[100];
                    List<DataBuffer> in = new ArrayList<>();
                    for (int i = 0; i < 100; i += 10) {
                        in.add(DataBuffer.of(one, i, 10));
                        in.add(DataBuffer.of(new int[100], i, 10));
                    }
                    int self = world.rank();
                    Request<Status> received = world.async().receive(in, self, TAG);
                    world.send(DataBuffer.of(new int[200]), self, TAG);
                    received.await();
                    in.add(DataBuffer.of(one, 55, 2));
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> world.receive(in, self, TAG))
                            .withMessageContaining("overlap");
                    DataBuffer frozen =
                            DataBuffer.of(MemorySegment.ofArray(one).asReadOnly(), DataType.I32);
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> world.receive(List.of(frozen), self, TAG))
                            .withMessageContaining("read-only");
                    // To send the same memory twice, or memory that can't be written, is fine.
                    Request<Void> sent = world.async().send(List.of(frozen, frozen), self, TAG);
                    assertThat(world.receive(DataBuffer.of(new int[200]), self, TAG).bytes())
                            .isEqualTo(800);
                    sent.await();
                });
    }

    private static List<DataBuffer> whole(byte[] content) {
        return List.of(DataBuffer.of(new byte[content.length]));
    }

    /** Places of any size, also empty, on the heap and outside, with a byte between them. */
    private static List<DataBuffer> cut(Random random, int bytes) {
        List<DataBuffer> places = new ArrayList<>();
        int left = bytes;
        while (left > 0 || random.nextInt(3) == 0) {
            int longest = random.nextBoolean() ? 300 : 70_000;
            int size = Math.min(left, random.nextInt(longest));
            left -= size;
            places.add(
                    random.nextBoolean()
                            ? DataBuffer.of(new byte[size + 2], 1, size)
                            : DataBuffer.allocate(DataType.I8, size + 2).slice(1, size));
        }
        return places;
    }

    private static void fill(List<DataBuffer> places, byte[] content) {
        int at = 0;
        for (DataBuffer place : places) {
            MemorySegment.copy(
                    MemorySegment.ofArray(content), at, place.segment(), 0, place.byteSize());
            at += (int) place.byteSize();
        }
    }

    private static byte[] bytesOf(List<DataBuffer> places) {
        byte[] all = new byte[places.stream().mapToInt(place -> (int) place.byteSize()).sum()];
        int at = 0;
        for (DataBuffer place : places) {
            byte[] part = place.segment().toArray(ValueLayout.JAVA_BYTE);
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    private static void run(String transport, RankTask task) {
        NexarConfig config = NexarConfig.defaults().with("nexar.transport", transport);
        try (LocalCluster cluster = LocalCluster.start(2, config)) {
            cluster.run(task);
        }
    }
}
