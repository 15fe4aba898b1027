package io.nexar.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.ReduceOp;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * In deterministic mode the bits of an element depend on the ranks' values for it and on nothing
 * else. The values differ by so much that every other order, or other brackets, would show.
 */
@Timeout(120)
class DeterministicTest {
    private static final NexarConfig CONFIG =
            NexarConfig.defaults().with("nexar.deterministic", "true");

    /** Of a vector as long as several slices, where a piece is 1 KiB. */
    private static final int COUNT = 2000;

    static Stream<Arguments> worlds() {
        return Stream.of(2, 3, 5, 7)
                .flatMap(size ->
                        Stream.of(DataType.F64, DataType.F32, DataType.F16, DataType.BF16)
                                .map(type -> Arguments.of(size, type)));
    }

    // Pitfall 26: reduced alone, as part of a longer vector, fused with others, at an odd place, by
    // another transport, cut into other pieces: the same bits.
    @ParameterizedTest(name = "{0} ranks, {1}")
    @MethodSource("worlds")
    void bitsDependOnTheRanksValuesAlone(int size, DataType type) {
        List<List<Element>> expected = sums(CONFIG, size, type);
        assertThat(expected).allSatisfy(sum -> assertThat(sum).isEqualTo(expected.getFirst()));
        NexarConfig pieces =
                CONFIG.with("nexar.collective.pieceBytes", "1000")
                        .with("nexar.collective.hostPieceBytes", "1000")
                        .with("nexar.collective.creditBytes", "4000");
        assertThat(sums(pieces, size, type)).as("in pieces").isEqualTo(expected);
        for (String transport : List.of("shm", "tcp", "quic")) {
            NexarConfig other = pieces.with("nexar.transport", transport);
            assertThat(sums(other, size, type)).as("over %s", transport).isEqualTo(expected);
        }
    }

    /** The sum of the same vectors, by each form: {@code COUNT} elements every time. */
    private static List<List<Element>> sums(NexarConfig config, int size, DataType type) {
        try (LocalCluster cluster = LocalCluster.start(size, config)) {
            List<List<List<Element>>> ofRanks = cluster.call(world -> new Sums(world, type).all());
            // What each rank has a share of is whole on all of them together.
            List<List<Element>> whole = new ArrayList<>(ofRanks.getFirst());
            List<Element> scattered = new ArrayList<>();
            for (List<List<Element>> rank : ofRanks) {
                scattered.addAll(rank.getLast());
                assertThat(rank.subList(0, rank.size() - 1))
                        .isEqualTo(ofRanks.getFirst().subList(0, rank.size() - 1));
            }
            whole.set(whole.size() - 1, scattered);
            return whole;
        }
    }

    private static List<Element> values(DataType type, int rank) {
        RandomGenerator random = new SplittableRandom(26 + rank);
        List<Element> values = new ArrayList<>();
        for (Element even :
                new Draw(type, Reduction.SUM, Draw.Profile.ROUGH).elements(random, COUNT)) {
            long exponents = type == DataType.F64 ? 40L << 52 : type == DataType.F16 ? 0 : 20L << 7;
            exponents = type == DataType.F32 ? exponents << 16 : exponents;
            values.add(Element.of(random.nextBoolean() ? even.bits() : even.bits() + exponents));
        }
        return values;
    }

    /** The forms on one rank; each leaves its caller's vector as it was. */
    private record Sums(Communicator world, DataType type) {
        List<List<Element>> all() throws Exception {
            List<List<Element>> sums = new ArrayList<>();
            sums.add(inPlace(0));
            sums.add(inPlace(3));
            sums.add(inParts());
            sums.add(fused());
            sums.addAll(byThreads());
            sums.add(lastOfScan());
            sums.add(reduced());
            sums.add(share());
            return sums;
        }

        private DataBuffer vector(int offset) {
            DataBuffer all = DataBuffer.allocate(type, offset + COUNT);
            DataBuffer vector = all.slice(offset, COUNT);
            Elements.write(vector.segment(), type, values(type, world.rank()));
            return vector;
        }

        private List<Element> inPlace(int offset) {
            return inPlace(world, offset);
        }

        private List<Element> inPlace(Communicator communicator, int offset) {
            DataBuffer vector = vector(offset);
            communicator.allReduce(vector, ReduceOp.SUM);
            return Elements.read(vector.segment(), type);
        }

        private List<Element> inParts() {
            DataBuffer vector = vector(1);
            for (int from = 0, length = 1; from < COUNT; from += length, length *= 3) {
                int part = Math.min(length, COUNT - from);
                world.allReduce(vector.slice(from, part), ReduceOp.SUM);
            }
            return Elements.read(vector.segment(), type);
        }

        private List<Element> fused() {
            DataBuffer vector = vector(0);
            world.allReduce(
                    List.of(
                            vector.slice(0, 7),
                            vector.slice(7, 900),
                            vector.slice(907, 0),
                            vector.slice(907, COUNT - 907)),
                    ReduceOp.SUM);
            return Elements.read(vector.segment(), type);
        }

        private List<List<Element>> byThreads() throws Exception {
            List<Future<List<Element>>> futures = new ArrayList<>();
            List<List<Element>> sums = new ArrayList<>();
            try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new)) {
                for (int i = 0; i < 3; i++) {
                    Communicator own = world.duplicate();
                    futures.add(threads.submit(() -> inPlace(own, 0)));
                }
                for (Future<List<Element>> future : futures) {
                    sums.add(future.get());
                }
            }
            return sums;
        }

        /** The scan's own brackets differ from a sum's; but not with where an element lies. */
        private List<Element> lastOfScan() {
            DataBuffer vector = vector(0);
            DataBuffer scanned = DataBuffer.allocate(type, COUNT);
            world.scan(vector, scanned, ReduceOp.SUM);
            DataBuffer again = DataBuffer.allocate(type, COUNT);
            for (int from = 0; from < COUNT; from += 250) {
                world.scan(vector.slice(from, 250), again.slice(from, 250), ReduceOp.SUM);
            }
            assertThat(scanned.segment().mismatch(again.segment())).isEqualTo(-1);
            return inPlace(0);
        }

        private List<Element> reduced() {
            DataBuffer result = DataBuffer.allocate(type, COUNT);
            int root = world.size() - 1;
            world.reduce(vector(0), result, ReduceOp.SUM, root);
            world.broadcast(result, root);
            return Elements.read(result.segment(), type);
        }

        private List<Element> share() {
            DataBuffer share = world.reduceScatter(vector(0), ReduceOp.SUM);
            return Elements.read(share.segment(), type);
        }
    }
}
