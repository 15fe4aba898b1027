package io.nexar.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.DataType;
import io.nexar.ReduceOp;
import io.nexar.collective.TestCollective.Shape;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.PlanCatalog;

import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;

/** All ranks end with the same bits, whatever the elements are. */
class SameBitsTest {
    private static final int[] SIZES = {2, 3, 5, 7, 8};
    private static final int PIECE_BYTES = 64;

    @Test
    void digestsAreEqualOnAllRanksAlsoWithNaNsAndInfinities() throws NoSuchAlgorithmException {
        // Pitfall 25: every algorithm, size and float type, with payloads in the NaNs.
        long seed = 0;
        for (PlanCatalog.Entry entry : PlanCatalog.entries()) {
            for (int size : SIZES) {
                for (DataType type : new DataType[] {DataType.F32, DataType.F64}) {
                    for (ReduceOp op :
                            new ReduceOp[] {
                                ReduceOp.SUM, ReduceOp.MIN, ReduceOp.MAX, ReduceOp.AVG
                            }) {
                        if (entry.operation() == Operation.ALL_REDUCE) {
                            run(new Shape(entry, size, 0, 101, type, op, 1, true), ++seed);
                        }
                    }
                }
            }
        }
    }

    private static void run(Shape shape, long seed) throws NoSuchAlgorithmException {
        Random random = new Random(seed);
        SimulatedFabric fabric =
                new SimulatedFabric(shape.size(), new EngineSettings(PIECE_BYTES, 2, 2), seed, 0);
        TestCollective test = new TestCollective(shape, 0, random);
        for (int rank = 0; rank < shape.size(); rank++) {
            scatterWildValues(test.input(rank), shape.type(), random);
        }
        test.startAll(fabric);
        fabric.runUntil(test::isOver);
        String first = digest(test.output(0));
        for (int rank = 1; rank < shape.size(); rank++) {
            assertThat(digest(test.output(rank)))
                    .as("rank %d, seed %d, %s", rank, seed, shape)
                    .isEqualTo(first);
        }
    }

    /** Random bits are NaNs with payloads now and then; some more, and zeros and infinities. */
    private static void scatterWildValues(MemorySegment segment, DataType type, Random random) {
        for (long at = 0; at < segment.byteSize(); at += type.bytes()) {
            long bits =
                    switch (random.nextInt(6)) {
                        case 0 -> nan(type) | random.nextInt(1 << 20);
                        case 1 -> random.nextBoolean() ? infinity(type) : -infinity(type);
                        case 2 -> random.nextBoolean() ? 0 : signBit(type);
                        default -> random.nextLong();
                    };
            if (type == DataType.F32) {
                segment.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) bits);
            } else {
                segment.set(ValueLayout.JAVA_LONG_UNALIGNED, at, bits);
            }
        }
    }

    private static long nan(DataType type) {
        return type == DataType.F32 ? 0x7F80_0001L : 0x7FF0_0000_0000_0001L;
    }

    private static long infinity(DataType type) {
        return type == DataType.F32 ? 0x7F80_0000L : 0x7FF0_0000_0000_0000L;
    }

    private static long signBit(DataType type) {
        return type == DataType.F32 ? 0x8000_0000L : Long.MIN_VALUE;
    }

    private static String digest(MemorySegment segment) throws NoSuchAlgorithmException {
        byte[] bytes = segment.toArray(ValueLayout.JAVA_BYTE);
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
