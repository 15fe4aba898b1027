package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.nexar.Communicator;
import io.nexar.CompressionReport;
import io.nexar.CompressionState;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.LocalCluster;
import io.nexar.ProtocolException;
import io.nexar.ReduceOp;
import io.nexar.Request;
import io.nexar.spi.Compressor;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Compressed allReduces that are under way together, and those of other types than F32. */
class CompressedAsyncTest {
    private static final int COUNT = 5_003;
    private static final ValueLayout.OfLong LENGTH =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    @Test
    void severalAreUnderWayTogetherAndEndAsOneAfterTheOther() {
        try (LocalCluster cluster = LocalCluster.start(3)) {
            cluster.run(world -> {
                List<CompressionState> states = states();
                List<CompressionState> others = states();
                for (int round = 0; round < 3; round++) {
                    List<float[]> values = new ArrayList<>();
                    List<Request<CompressionReport>> requests = new ArrayList<>();
                    for (int i = 0; i < states.size(); i++) {
                        float[] mine = values(world.rank(), 10 * round + i);
                        values.add(mine);
                        requests.add(
                                world.async()
                                        .allReduceCompressed(
                                                DataBuffer.of(mine), ReduceOp.SUM, states.get(i)));
                        world.async().barrier().await(); // takes a number of its own between them
                    }
                    for (int i = states.size() - 1; i >= 0; i--) {
                        CompressionReport report = requests.get(i).await();
                        assertThat(requests.get(i).isDone()).isTrue();
                        float[] alone = values(world.rank(), 10 * round + i);
                        CompressionReport blocking =
                                world.allReduceCompressed(
                                        DataBuffer.of(alone), ReduceOp.SUM, others.get(i));
                        assertThat(values.get(i)).as("round %d, %d", round, i).isEqualTo(alone);
                        assertThat(report.residualNorm()).isEqualTo(blocking.residualNorm());
                        assertThat(report.originalBytes()).isEqualTo(4L * COUNT);
                        assertThat(requests.get(i).await()).isSameAs(report);
                    }
                }
            });
        }
    }

    /** Without random choices, which each call draws anew. */
    private static List<CompressionState> states() {
        return List.of(
                CompressionState.topK(0.1),
                CompressionState.none(),
                CompressionState.quantize8(),
                CompressionState.topK(0.02));
    }

    @Test
    void aStateIsInOneCallUntilThatIsOver() {
        try (LocalCluster cluster = LocalCluster.start(2)) {
            cluster.run(world -> {
                CompressionState state = CompressionState.topK(0.1);
                DataBuffer buffer = DataBuffer.of(values(world.rank(), 0));
                if (world.rank() == 0) {
                    Request<CompressionReport> request =
                            world.async().allReduceCompressed(buffer, ReduceOp.AVG, state);
                    assertThatIllegalStateException()
                            .isThrownBy(
                                    () -> world.allReduceCompressed(buffer, ReduceOp.AVG, state))
                            .withMessageContaining("CompressionState");
                    world.sendObject("now", 1, 0);
                    request.await();
                } else {
                    assertThat(world.receiveObject(String.class, 0, 0)).isEqualTo("now");
                    // Blocking on one rank and not on the other: the same call.
                    world.allReduceCompressed(buffer, ReduceOp.AVG, state);
                }
                world.allReduceCompressed(buffer, ReduceOp.AVG, state);
            });
        }
    }

    /** On one rank a form that it refuses itself. */
    private record Broken(boolean isBroken) implements Compressor {
        @Override
        public String name() {
            return "broken";
        }

        @Override
        public long compressedBytesMax(long count) {
            return 1;
        }

        @Override
        public long compress(MemorySegment values, MemorySegment target) {
            target.set(ValueLayout.JAVA_BYTE, 0, (byte) (isBroken ? 1 : 0));
            return 1;
        }

        @Override
        public void decompress(MemorySegment source, MemorySegment values) {
            if (source.get(ValueLayout.JAVA_BYTE, 0) != 0) {
                throw new AssertionError("a fault of the compressor");
            }
            values.fill((byte) 0);
        }
    }

    @Test
    void aFormThatCanNotBeReadEndsTheRequestOnEveryRankAndFreesTheState() {
        try (LocalCluster cluster = LocalCluster.start(3)) {
            cluster.run(world -> {
                try (Communicator own = world.duplicate()) {
                    CompressionState state = CompressionState.of(new Broken(world.rank() == 1));
                    float[] mine = values(world.rank(), 0);
                    Request<CompressionReport> request =
                            own.async()
                                    .allReduceCompressed(DataBuffer.of(mine), ReduceOp.SUM, state);
                    assertThatExceptionOfType(ProtocolException.class)
                            .isThrownBy(request::await)
                            .withMessageContaining("rank 1 broke the protocol")
                            .withMessageContaining("allReduceCompressed #");
                    assertThat(mine).isEqualTo(values(world.rank(), 0));
                    state.claim();
                }
            });
        }
    }

    @Test
    void lengthsThatTheFormCanNotHaveAreRefused() {
        MemorySegment slot = MemorySegment.ofArray(new byte[108]);
        for (long length : new long[] {-1, 101, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32}) {
            slot.set(LENGTH, 0, length);
            assertThatExceptionOfType(ProtocolException.class)
                    .isThrownBy(() -> CompressedCall.form(slot, 7))
                    .withMessageContaining("rank 7 broke the protocol")
                    .withMessageContaining(length + " compressed bytes");
        }
        for (long length : new long[] {0, 1, 100}) {
            slot.set(LENGTH, 0, length);
            assertThat(CompressedCall.form(slot, 7).byteSize()).isEqualTo(length);
        }
    }

    @Test
    void otherTypesAreReducedAsF32AndRoundedOnce() {
        try (LocalCluster cluster = LocalCluster.start(3)) {
            for (DataType type : List.of(DataType.F64, DataType.F16, DataType.BF16)) {
                for (CompressionState.Method method :
                        List.of(
                                CompressionState.none().method(),
                                CompressionState.quantize8().method(),
                                CompressionState.topK(0.1).method())) {
                    cluster.run(world -> requireAsF32(world, type, method));
                }
            }
        }
    }

    private static void requireAsF32(
            Communicator world, DataType type, CompressionState.Method method) {
        CompressionState state = state(method);
        CompressionState reference = state(method);
        for (int call = 0; call < 2; call++) {
            DataBuffer buffer = DataBuffer.allocate(type, COUNT);
            float[] values = values(world.rank(), call);
            for (int i = 0; i < COUNT; i++) {
                put(buffer, i, values[i]);
                values[i] = (float) take(buffer, i);
            }
            world.allReduceCompressed(buffer, ReduceOp.AVG, state);
            world.allReduceCompressed(DataBuffer.of(values), ReduceOp.AVG, reference);
            DataBuffer expected = DataBuffer.allocate(type, COUNT);
            for (int i = 0; i < COUNT; i++) {
                put(expected, i, values[i]);
            }
            assertThat(buffer.segment().mismatch(expected.segment()))
                    .as("%s by %s, call %d", type, method, call)
                    .isEqualTo(-1);
        }
    }

    private static CompressionState state(CompressionState.Method method) {
        return switch (method) {
            case CompressionState.Method.None _ -> CompressionState.none();
            case CompressionState.Method.Quantize8 _ -> CompressionState.quantize8();
            case CompressionState.Method.TopK top -> CompressionState.topK(top.fraction());
            default -> throw new IllegalArgumentException(method.toString());
        };
    }

    /** To the nearest: here by the JDK for F16, and by the value's bits for BF16. */
    private static void put(DataBuffer buffer, int index, float value) {
        MemorySegment memory = buffer.segment();
        switch (buffer.dataType()) {
            case F64 -> memory.setAtIndex(ValueLayout.JAVA_DOUBLE, index, value);
            case F16 ->
                    memory.setAtIndex(ValueLayout.JAVA_SHORT, index, Float.floatToFloat16(value));
            default -> {
                int bits = Float.floatToRawIntBits(value);
                boolean isUp = (bits & 0xFFFF) > 0x8000 || (bits & 0x1FFFF) == 0x18000;
                memory.setAtIndex(
                        ValueLayout.JAVA_SHORT, index, (short) ((bits >>> 16) + (isUp ? 1 : 0)));
            }
        }
    }

    private static double take(DataBuffer buffer, int index) {
        MemorySegment memory = buffer.segment();
        return switch (buffer.dataType()) {
            case F64 -> memory.getAtIndex(ValueLayout.JAVA_DOUBLE, index);
            case F16 -> Float.float16ToFloat(memory.getAtIndex(ValueLayout.JAVA_SHORT, index));
            default -> Float.intBitsToFloat(memory.getAtIndex(ValueLayout.JAVA_SHORT, index) << 16);
        };
    }

    /** Distinct in every element, rank and call. */
    private static float[] values(int rank, int call) {
        Random random = new Random(31L * rank + call);
        float[] values = new float[COUNT];
        for (int i = 0; i < COUNT; i++) {
            values[i] = random.nextFloat(-1, 1);
        }
        return values;
    }
}
