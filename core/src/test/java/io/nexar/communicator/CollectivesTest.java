package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Algorithm;
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

import java.security.MessageDigest;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Every collective over every transport: world sizes, counts, offsets, types, against plain loops.
 */
@Timeout(120)
class CollectivesTest {
    /** Small pieces, so that 1009 elements are many slices; 256 floats to a slice. */
    private static final NexarConfig SMALL_PIECES =
            NexarConfig.defaults()
                    .with("nexar.collective.pieceBytes", "1KiB")
                    .with("nexar.collective.hostPieceBytes", "1KiB")
                    .with("nexar.collective.creditBytes", "2KiB")
                    .with("nexar.collective.piecesInFlight", "3");

    private static final int SLICE_ELEMENTS = 256;
    private static final int[] OFFSETS = {0, 1, 3, 7};
    private static final List<DataType> TYPES =
            List.of(DataType.F32, DataType.F64, DataType.I32, DataType.I64);
    private static final List<ReduceOp> OPS =
            List.of(ReduceOp.SUM, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.AVG);
    private static final List<Algorithm> ALL_REDUCE_ALGORITHMS =
            List.of(Algorithm.AUTO, Algorithm.DIRECT, Algorithm.RECURSIVE_DOUBLING, Algorithm.RING);

    static Stream<Arguments> worlds() {
        return Stream.of("local", "shm", "tcp", "quic")
                .flatMap(transport ->
                        Stream.of(1, 2, 3, 4, 5, 7, 8).map(size -> Arguments.of(transport, size)));
    }

    // Pitfall 13: totals that the world size does not divide; Pitfall 16: a world of one.
    // Pitfall 23: buffers that begin in the middle of an array, with guard elements.
    @ParameterizedTest(name = "{0}, {1} ranks")
    @MethodSource("worlds")
    void everyCollectiveEqualsThePlainLoop(String transport, int size) {
        NexarConfig config = SMALL_PIECES.with("nexar.transport", transport);
        try (LocalCluster cluster = LocalCluster.start(size, config)) {
            cluster.run(world -> {
                for (int count : counts(size)) {
                    for (int offset : OFFSETS) {
                        runAll(world, count, offset);
                    }
                }
            });
        }
    }

    // Pitfall 25: all ranks hold the same bits, whatever the values.
    @ParameterizedTest(name = "{0}, {1} ranks")
    @MethodSource("worlds")
    void allRanksEndWithTheSameBits(String transport, int size) {
        NexarConfig config = SMALL_PIECES.with("nexar.transport", transport);
        try (LocalCluster cluster = LocalCluster.start(size, config)) {
            for (Algorithm algorithm : ALL_REDUCE_ALGORITHMS) {
                List<String> digests =
                        cluster.call(world -> digestOfSum(world.withAlgorithm(algorithm)));
                assertThat(new HashSet<>(digests)).as("digests of %s", algorithm).hasSize(1);
            }
        }
    }

    private static int[] counts(int size) {
        return new int[] {0, 1, size - 1, size, size + 1, SLICE_ELEMENTS + 1, 1009};
    }

    private static void runAll(Communicator world, int count, int offset) {
        int turn = count + offset;
        for (DataType type : TYPES) {
            ReduceOp op = OPS.get(turn++ % OPS.size());
            CollectiveCase each = new CollectiveCase(type, count, offset, op);
            each.broadcast(world, turn % world.size());
            for (Algorithm algorithm : ALL_REDUCE_ALGORITHMS) {
                each.allReduce(world, algorithm, true);
                each.allReduce(world, algorithm, false);
            }
            each.reduceScatter(world, true);
            each.reduceScatter(world, false);
            each.allGather(world, true);
            each.allGather(world, false);
            world.barrier();
        }
    }

    /** Values of every magnitude, infinities and NaNs with their own payloads among them. */
    private static String digestOfSum(Communicator world) throws Exception {
        Random random = new Random(4711 + world.rank());
        int[] bits = new int[1009];
        float[] values = new float[bits.length];
        for (int i = 0; i < values.length; i++) {
            bits[i] = random.nextInt();
            values[i] = Float.intBitsToFloat(bits[i]);
        }
        world.allReduce(DataBuffer.of(values), ReduceOp.SUM);
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        for (float value : values) {
            int raw = Float.floatToRawIntBits(value);
            digest.update(
                    new byte[] {
                        (byte) raw, (byte) (raw >> 8), (byte) (raw >> 16), (byte) (raw >> 24)
                    });
        }
        return java.util.HexFormat.of().formatHex(digest.digest());
    }
}
