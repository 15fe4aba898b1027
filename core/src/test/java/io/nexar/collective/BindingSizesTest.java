package io.nexar.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Algorithm;
import io.nexar.DataType;
import io.nexar.Partition;
import io.nexar.ReduceOp;
import io.nexar.collective.plan.BufferRole;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.collective.plan.PlanRequest;
import io.nexar.collective.plan.Range;
import io.nexar.reduce.Kernels;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.math.BigInteger;

/** Vectors of more elements than an int counts. The memory is only described, never touched. */
class BindingSizesTest {
    private static final EngineSettings SETTINGS = new EngineSettings(65_536, 4, 8);
    private static final int RANKS = 3;

    // Pitfall 10: no size is computed as an int: counts above 2^31 and bytes above 2^33.
    @ParameterizedTest
    @EnumSource(names = {"I8", "F32", "F64", "F64_I64"})
    void slicesOfEvenSharesLieWhereExactArithmeticPutsThem(DataType type) {
        long count = (1L << 35) + 17;
        Binding binding = allReduce(type, count);
        Partition shares = new Partition(count, RANKS);
        long piece = SETTINGS.pieceBytes() / type.bytes();
        BigInteger slices = exact(shares.countMax()).add(exact(piece - 1)).divide(exact(piece));
        assertThat(exact(binding.slices())).isEqualTo(slices);
        for (int share = 0; share < RANKS; share++) {
            long end = shares.count(share) / piece;
            for (long slice : new long[] {0, 1, 32_767, 32_768, 65_536, 131_071, end - 1, end}) {
                check(binding, type, shares, share, slice);
            }
        }
    }

    private static void check(
            Binding binding, DataType type, Partition shares, int share, long slice) {
        BigInteger piece = exact(SETTINGS.pieceBytes() / type.bytes());
        BigInteger done = piece.multiply(exact(slice));
        BigInteger items = exact(shares.count(share)).subtract(done).min(piece);
        BigInteger before =
                exact(shares.total() / RANKS)
                        .multiply(exact(share))
                        .add(exact(Math.min(share, shares.total() % RANKS)));
        Range range = new Range(BufferRole.OUTPUT, share, 1);
        String what = "%s, share %d, slice %d".formatted(type, share, slice);
        assertThat(exact(binding.fragmentItems(range, slice, 0))).as(what).isEqualTo(items);
        assertThat(exact(binding.fragmentOffset(range, slice, 0)))
                .as(what)
                .isEqualTo(before.add(done).multiply(exact(type.bytes())));
    }

    /** The last share of many is short, and begins behind the others. */
    @ParameterizedTest
    @ValueSource(longs = {(1L << 31) - 1, 1L << 31, (1L << 32) + 1, 1L << 33})
    void unevenSharesFollowEachOther(long first) {
        long[] counts = {first, 5, first + 2};
        long total = 2 * first + 7;
        CollectiveCall call = gather(total, counts);
        Binding binding = new Binding(SETTINGS, call);
        Range last = new Range(BufferRole.OUTPUT, 2, 1);
        assertThat(binding.fragmentOffset(last, 0, 0)).isEqualTo(8 * (first + 5));
        long slice = (first + 1) / 8192;
        assertThat(binding.fragmentOffset(last, slice, 0))
                .isEqualTo(8 * (first + 5) + slice * 65_536);
        assertThat(binding.fragmentItems(last, slice, 0)).isEqualTo(first + 2 - slice * 8192);
        Range short5 = new Range(BufferRole.OUTPUT, 1, 1);
        assertThat(binding.fragmentItems(short5, 0, 0)).isEqualTo(5);
        assertThat(binding.firstFragment(short5, slice, true)).isEqualTo(Binding.NONE);
    }

    private static Binding allReduce(DataType type, long count) {
        PlanRequest request = new PlanRequest(Operation.ALL_REDUCE, Algorithm.RING, 1, RANKS, 0);
        ReduceOp op = type.isPair() ? ReduceOp.MINLOC : ReduceOp.SUM;
        MemorySegment memory = described(count * type.bytes());
        CollectiveCall call = new CollectiveCall();
        call.reset(PlanCatalog.entry(Operation.ALL_REDUCE, Algorithm.RING).plan(request), 0)
                .elements(type, count)
                .reduction(op, Kernels.find(op, type))
                .memory(memory, memory)
                .evenShares(count);
        return new Binding(SETTINGS, call);
    }

    private static CollectiveCall gather(long total, long[] counts) {
        PlanRequest request = new PlanRequest(Operation.ALL_GATHER, Algorithm.RING, 1, RANKS, 0);
        CollectiveCall call = new CollectiveCall();
        call.reset(PlanCatalog.entry(Operation.ALL_GATHER, Algorithm.RING).plan(request), 0)
                .elements(DataType.F64, total)
                .memory(described(8 * counts[1]), described(8 * total))
                .shares(counts);
        return call;
    }

    private static MemorySegment described(long bytes) {
        return MemorySegment.ofAddress(1L << 44).reinterpret(bytes);
    }

    private static BigInteger exact(long value) {
        return BigInteger.valueOf(value);
    }
}
