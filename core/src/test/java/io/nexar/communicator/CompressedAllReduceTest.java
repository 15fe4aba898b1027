package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nexar.Communicator;
import io.nexar.CompressionReport;
import io.nexar.CompressionState;
import io.nexar.CompressionState.Method;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.LocalCluster;
import io.nexar.MismatchException;
import io.nexar.NexarConfig;
import io.nexar.OnEachTransport;
import io.nexar.ProtocolException;
import io.nexar.ReduceOp;
import io.nexar.compress.Compressors;
import io.nexar.spi.Compressor;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** The compressed allReduce between ranks. */
@Timeout(120)
class CompressedAllReduceTest {
    private static final boolean FULL = Boolean.getBoolean("nexar.test.full");
    private static final int CALLS = FULL ? 10 : 3;

    private static final List<Supplier<CompressionState>> METHODS =
            List.of(
                    CompressionState::none,
                    () -> CompressionState.topK(0.1),
                    () -> CompressionState.randomK(0.1, 5),
                    CompressionState::quantize8,
                    () -> CompressionState.of(new Halves()));

    /** The upper half of each value's bits. */
    private record Halves() implements Compressor {
        @Override
        public String name() {
            return "halves";
        }

        @Override
        public long compressedBytesMax(long count) {
            return 2 * count + 100; // more than it needs
        }

        @Override
        public long compress(MemorySegment values, MemorySegment target) {
            long count = values.byteSize() / 4;
            for (long i = 0; i < count; i++) {
                int bits = values.get(ValueLayout.JAVA_INT_UNALIGNED, 4 * i);
                target.set(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * i, (short) (bits >> 16));
            }
            return 2 * count;
        }

        @Override
        public void decompress(MemorySegment source, MemorySegment values) {
            for (long i = 0; i < values.byteSize() / 4; i++) {
                int bits = source.get(ValueLayout.JAVA_SHORT_UNALIGNED, 2 * i) << 16;
                values.set(ValueLayout.JAVA_INT_UNALIGNED, 4 * i, bits);
            }
        }
    }

    // Flaw 3 of the original: three ranks and more added a stale buffer, and had different bits.
    @OnEachTransport
    void allRanksHaveTheSameBitsAndWithTheResidualsTheWholeSum(String transport) {
        for (int size = 1; size <= 5; size++) {
            try (LocalCluster cluster = cluster(transport, size)) {
                for (int count : FULL ? new int[] {0, 1, 257, 5003} : new int[] {0, 1003}) {
                    METHODS.forEach(method ->
                            cluster.run(world -> {
                                requireWholeSum(world, method.get(), count, ReduceOp.SUM);
                                if (FULL || world.size() == 3) {
                                    requireWholeSum(world, method.get(), count, ReduceOp.AVG);
                                }
                            }));
                }
            }
        }
    }

    /** Several calls with one state: what was applied and what is left is all there was. */
    private static void requireWholeSum(
            Communicator world, CompressionState state, int count, ReduceOp op) {
        double[] truth = new double[count];
        double[] applied = new double[count];
        for (int call = 0; call < CALLS; call++) {
            for (int rank = 0; rank < world.size(); rank++) {
                float[] values = values(rank, call, count);
                for (int i = 0; i < count; i++) {
                    truth[i] += values[i];
                }
            }
            float[] mine = values(world.rank(), call, count);
            world.allReduceCompressed(DataBuffer.of(mine), op, state);
            for (int i = 0; i < count; i++) {
                applied[i] += mine[i] * (op.equals(ReduceOp.AVG) ? world.size() : 1);
            }
            requireSameBits(world, mine);
        }
        float[] left = new float[count];
        if (!(state.method() instanceof Method.None)) {
            MemorySegment.ofArray(left).copyFrom(state.residual(count).segment());
        }
        world.allReduce(DataBuffer.of(left), ReduceOp.SUM);
        double furthest = 0;
        for (int i = 0; i < count; i++) {
            furthest = Math.max(furthest, Math.abs(applied[i] + left[i] - truth[i]));
        }
        assertThat(furthest).as("%s, %s, %d elements", state.method(), op, count).isLessThan(1e-4);
    }

    private static void requireSameBits(Communicator world, float[] mine) {
        int[] bits = new int[mine.length];
        Arrays.setAll(bits, i -> Float.floatToRawIntBits(mine[i]));
        int[] all = new int[mine.length * world.size()];
        world.allGather(DataBuffer.of(bits), DataBuffer.of(all));
        for (int rank = 0; rank < world.size(); rank++) {
            int from = rank * bits.length;
            assertThat(Arrays.copyOfRange(all, from, from + bits.length))
                    .as("rank %d", rank)
                    .isEqualTo(bits);
        }
    }

    @Test
    void topKAndQuantize8GiveWhatPlainLoopsGive() {
        int count = 3001;
        try (LocalCluster cluster = cluster("local", 3)) {
            for (int method : new int[] {1, 3}) {
                cluster.run(world -> {
                    CompressionState state = METHODS.get(method).get();
                    float[] expected = new float[count];
                    for (int rank = 0; rank < 3; rank++) {
                        float[] part = decompressed(state.method(), values(rank, 0, count));
                        for (int i = 0; i < count; i++) {
                            expected[i] = rank == 0 ? part[i] : expected[i] + part[i];
                        }
                    }
                    DataBuffer buffer = DataBuffer.allocate(DataType.F32, count);
                    buffer.segment()
                            .copyFrom(MemorySegment.ofArray(values(world.rank(), 0, count)));
                    world.allReduceCompressed(buffer, ReduceOp.SUM, state);
                    assertThat(buffer.segment().toArray(ValueLayout.JAVA_FLOAT))
                            .isEqualTo(expected);
                });
            }
        }
    }

    private static float[] decompressed(Method method, float[] values) {
        Compressor compressor = Compressors.of(method, 0);
        float[] got = new float[values.length];
        byte[] bytes = new byte[(int) compressor.compressedBytesMax(values.length)];
        long written =
                compressor.compress(MemorySegment.ofArray(values), MemorySegment.ofArray(bytes));
        compressor.decompress(
                MemorySegment.ofArray(bytes).asSlice(0, written), MemorySegment.ofArray(got));
        return got;
    }

    @Test
    void theReportSaysWhatTheLinksTookAndWhatWasLeftOut() {
        int count = 100_000;
        try (LocalCluster cluster = cluster("local", 4)) {
            cluster.run(world -> {
                CompressionReport top = report(world, CompressionState.topK(0.05), count);
                CompressionReport eight = report(world, CompressionState.quantize8(), count);
                CompressionReport none = report(world, CompressionState.none(), count);
                assertThat(top.originalBytes()).isEqualTo(4L * count);
                assertThat(top.residualNorm()).isPositive();
                assertThat(none.residualNorm()).isZero();
                // Every other rank gets it; and the lengths and the frames' headers besides.
                requireBytes(world, top, 3 * 8 * 0.05 * count);
                requireBytes(world, eight, 3 * (count + 4 * Math.ceilDiv(count, 256)));
                requireBytes(world, none, 3 * 4 * count);
            });
        }
    }

    private static CompressionReport report(Communicator world, CompressionState state, int count) {
        return world.allReduceCompressed(
                DataBuffer.of(values(world.rank(), 0, count)), ReduceOp.SUM, state);
    }

    /** An algorithm may let one rank send more and another less: summed over all. */
    private static void requireBytes(
            Communicator world, CompressionReport report, double bytesOfEach) {
        long[] sent = {report.sentBytes()};
        world.allReduce(DataBuffer.of(sent), ReduceOp.SUM);
        assertThat((double) sent[0] / world.size()).isBetween(bytesOfEach, bytesOfEach * 1.02);
    }

    @Test
    void whatIsNoSumOfNumbersIsRefusedBeforeAnythingIsSent() {
        try (LocalCluster cluster = cluster("local", 2)) {
            cluster.run(world -> {
                CompressionState state = CompressionState.topK(0.5);
                float[] values = {1, 2, 3};
                refused(world, DataBuffer.of(new int[1]), ReduceOp.SUM, state, "of I32");
                refused(world, DataBuffer.of(values), ReduceOp.MAX, state, "MAX of a compressed");
                MemorySegment readOnly = MemorySegment.ofArray(values).asReadOnly();
                refused(
                        world,
                        DataBuffer.of(readOnly, DataType.F32),
                        ReduceOp.SUM,
                        state,
                        "read-only");
                float[] nan = {1, Float.NaN, 3};
                refused(world, DataBuffer.of(nan), ReduceOp.SUM, state, "element 1 is NaN");
                // Nothing is harmed; and a state is of one count.
                world.allReduceCompressed(DataBuffer.of(values), ReduceOp.SUM, state);
                assertThat(values).containsExactly(0, 4, 6);
                DataBuffer other = DataBuffer.of(new float[4]);
                refused(world, other, ReduceOp.SUM, state, "this state has seen 3");
                state.claim();
                assertThatExceptionOfType(IllegalStateException.class)
                        .isThrownBy(() -> world.allReduceCompressed(other, ReduceOp.SUM, state));
            });
        }
    }

    private static void refused(
            Communicator world,
            DataBuffer buffer,
            ReduceOp op,
            CompressionState state,
            String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> world.allReduceCompressed(buffer, op, state))
                .withMessageContaining(why);
    }

    @Test
    void ranksThatDifferInMethodParametersOrCountAllGetAMismatch() {
        requireMismatch(3, CompressionState.topK(0.1), "by topK(0.1)");
        requireMismatch(3, CompressionState.quantize8(), "by quantize8");
        requireMismatch(4, CompressionState.topK(0.2), "of 4 F32 (by topK(0.2))");
    }

    private static void requireMismatch(int count, CompressionState odd, String text) {
        try (LocalCluster cluster = cluster("local", 3)) {
            cluster.run(world -> {
                boolean isOdd = world.rank() == 1;
                float[] values = new float[isOdd ? count : 3];
                CompressionState state = isOdd ? odd : CompressionState.topK(0.2);
                assertThatExceptionOfType(MismatchException.class)
                        .isThrownBy(() ->
                                world.allReduceCompressed(
                                        DataBuffer.of(values), ReduceOp.SUM, state))
                        .withMessageContaining("allReduceCompressed")
                        .withMessageContaining("of 3 F32 (by topK(0.2)) with SUM")
                        .withMessageContaining(text);
            });
        }
    }

    /** Sends other bytes than the compressor that it says it is. */
    private record Liar(Compressor honest, Random random) implements Compressor {
        @Override
        public String name() {
            return honest.name();
        }

        @Override
        public long compressedBytesMax(long count) {
            return honest.compressedBytesMax(count);
        }

        /** Always wrong: an index twice, out of range or out of order, NaN, a cut entry. */
        @Override
        public long compress(MemorySegment values, MemorySegment target) {
            long bytes = honest.compress(values, target);
            switch (random.nextInt(6)) {
                case 0 -> target.set(ValueLayout.JAVA_INT_UNALIGNED, 8, firstIndex(target));
                case 1 ->
                        target.set(
                                ValueLayout.JAVA_INT_UNALIGNED,
                                bytes - 8,
                                random.nextInt(100, 1 << 30));
                case 2 -> target.set(ValueLayout.JAVA_INT_UNALIGNED, 0, -1 - random.nextInt(1000));
                case 3 -> target.set(ValueLayout.JAVA_FLOAT_UNALIGNED, 4, Float.NaN);
                case 4 -> target.set(ValueLayout.JAVA_INT_UNALIGNED, bytes - 8, 0);
                default -> bytes -= random.nextInt(1, 8);
            }
            return bytes;
        }

        private static int firstIndex(MemorySegment target) {
            return target.get(ValueLayout.JAVA_INT_UNALIGNED, 0);
        }

        @Override
        public void decompress(MemorySegment source, MemorySegment values) {
            honest.decompress(source, values);
        }
    }

    @OnEachTransport
    void bytesThatNoCompressorWritesAreAProtocolExceptionOnEveryRank(String transport) {
        try (LocalCluster cluster = cluster(transport, 3)) {
            for (int seed = 0; seed < 40; seed++) {
                int given = seed;
                cluster.run(world -> {
                    try (Communicator own = world.duplicate()) {
                        requireRefused(own, given);
                    }
                });
            }
        }
    }

    private static void requireRefused(Communicator world, int seed) {
        CompressionState honest = CompressionState.topK(0.1);
        CompressionState state =
                world.rank() == seed % 3
                        ? CompressionState.of(
                                new Liar(Compressors.of(honest.method(), 0), new Random(seed)))
                        : honest;
        float[] values = values(world.rank(), 0, 100);
        assertThatExceptionOfType(ProtocolException.class)
                .as("seed %d", seed)
                .isThrownBy(
                        () -> world.allReduceCompressed(DataBuffer.of(values), ReduceOp.SUM, state))
                .withMessageContaining("rank " + seed % 3 + " broke the protocol")
                .withMessageContaining("allReduceCompressed");
        assertThat(values).as("seed %d", seed).isEqualTo(values(world.rank(), 0, 100));
        assertThat(state.residual(100).segment().toArray(ValueLayout.JAVA_FLOAT))
                .as("seed %d", seed)
                .containsOnly(0);
    }

    /** Distinct in every element and rank, of about the same size. */
    private static float[] values(int rank, int call, int count) {
        Random random = new Random(31L * rank + call);
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextFloat(-1, 1);
        }
        return values;
    }

    private static LocalCluster cluster(String transport, int size) {
        return LocalCluster.start(size, NexarConfig.defaults().with("nexar.transport", transport));
    }
}
