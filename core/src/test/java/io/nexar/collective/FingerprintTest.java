package io.nexar.collective;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Algorithm;
import io.nexar.DataType;
import io.nexar.ReduceOp;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Placement;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.collective.plan.PlanRequest;
import io.nexar.reduce.Kernels;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Set;

class FingerprintTest {
    private static final EngineSettings SETTINGS = new EngineSettings(1024, 4, 8);

    private static CollectiveCall call(Algorithm algorithm, int rank) {
        return new CollectiveCall()
                .reset(plan(Operation.ALL_REDUCE, algorithm, rank, 0), 7)
                .elements(DataType.F32, 100)
                .reduction(ReduceOp.SUM, Kernels.find(ReduceOp.SUM, DataType.F32))
                .evenShares(100);
    }

    private static io.nexar.collective.plan.Plan plan(
            Operation operation, Algorithm algorithm, int rank, int root) {
        return PlanCatalog.entry(operation, algorithm)
                .plan(PlanRequest.of(operation, algorithm, rank, root, Placement.blocks(4, 2)));
    }

    private static long print(CollectiveCall call) {
        return Fingerprint.of(call, SETTINGS);
    }

    @Test
    void ranksOfOneCallHaveOneFingerprintWhateverItsNumber() {
        long first = print(call(Algorithm.RING, 0));
        CollectiveCall later = call(Algorithm.RING, 3);
        CollectiveCall sameCallLater = new CollectiveCall().copyFrom(later);
        assertThat(print(later)).isEqualTo(first);
        assertThat(print(sameCallLater)).isEqualTo(first);
    }

    @Test
    void everythingThatRanksMustAgreeOnCounts() {
        // Pitfall 35: counts, types, reductions and roots that differ are noticed.
        Set<Long> seen = new HashSet<>();
        seen.add(print(call(Algorithm.RING, 0)));
        seen.add(print(call(Algorithm.DIRECT, 0)));
        seen.add(print(call(Algorithm.RING, 0).evenShares(101)));
        seen.add(print(call(Algorithm.RING, 0).elements(DataType.I32, 100)));
        seen.add(
                print(
                        call(Algorithm.RING, 0)
                                .reduction(
                                        ReduceOp.MAX, Kernels.find(ReduceOp.MAX, DataType.F32))));
        seen.add(print(call(Algorithm.RING, 0).shares(new long[] {25, 25, 25, 25})));
        seen.add(print(call(Algorithm.RING, 0).shares(new long[] {25, 25, 24, 26})));
        for (int root = 0; root < 4; root++) {
            seen.add(
                    print(
                            new CollectiveCall()
                                    .reset(
                                            plan(
                                                    Operation.BROADCAST,
                                                    Algorithm.BINOMIAL_TREE,
                                                    0,
                                                    root),
                                            7)
                                    .elements(DataType.F32, 100)
                                    .evenShares(100)));
        }
        seen.add(
                print(
                        new CollectiveCall()
                                .reset(plan(Operation.BARRIER, Algorithm.DISSEMINATION, 0, 0), 7)));
        seen.add(Fingerprint.of(call(Algorithm.RING, 0), new EngineSettings(2048, 4, 8)));
        seen.add(Fingerprint.of(call(Algorithm.RING, 0), new EngineSettings(1024, 2, 8)));
        assertThat(seen).hasSize(14);
    }

    @Test
    void aHierarchicalFormHasThePlacementInItsFingerprint() {
        Set<Long> seen = new HashSet<>();
        for (int ranksOnHost = 1; ranksOnHost <= 4; ranksOnHost++) {
            PlanRequest request =
                    PlanRequest.of(
                            Operation.BARRIER,
                            Algorithm.HIERARCHICAL,
                            0,
                            0,
                            Placement.blocks(4, ranksOnHost));
            seen.add(print(new CollectiveCall().reset(new PlanCatalog().plan(request), 7)));
        }
        assertThat(seen).hasSize(4);
    }

    /** The first values folded in are small numbers, which must not cancel each other out. */
    @Test
    void everyAlgorithmOfEveryOperationHasItsOwn() {
        Set<Long> seen = new HashSet<>();
        for (PlanCatalog.Entry entry : PlanCatalog.entries()) {
            seen.add(
                    print(
                            new CollectiveCall()
                                    .reset(plan(entry.operation(), entry.algorithm(), 0, 0), 7)
                                    .elements(DataType.F32, 100)
                                    .evenShares(100)));
        }
        assertThat(seen).hasSameSizeAs(PlanCatalog.entries());
    }
}
