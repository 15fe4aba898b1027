package io.nexar.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Algorithm;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.LocalCluster;
import io.nexar.StandardReduceOp;
import io.nexar.collective.plan.PlanCatalog;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

@Timeout(60)
class BenchRunnerTest {
    private static final List<Long> SIZES = List.of(0L, 4_004L, 300_000L);

    private static BenchSpec spec(BenchOp op, int ranks, boolean isOnHeap) {
        return spec(op, ranks, Algorithm.AUTO, isOnHeap);
    }

    private static BenchSpec spec(BenchOp op, int ranks, Algorithm algorithm, boolean isOnHeap) {
        return new BenchSpec(
                op,
                ranks,
                true,
                op.hasSize() ? SIZES : List.of(0L),
                algorithm,
                DataType.F32,
                StandardReduceOp.SUM,
                3,
                1,
                isOnHeap,
                BenchSpec.Timing.of(op));
    }

    private static List<BenchResult> run(BenchSpec spec, Hand hand) {
        List<BenchResult> results = new CopyOnWriteArrayList<>();
        try (LocalCluster cluster = LocalCluster.start(spec.ranks())) {
            cluster.run(
                    world -> new BenchRunner(hand.over(world), spec, "local").run(results::add));
        }
        return results;
    }

    /** What stands between the benchmark and the ranks. */
    private interface Hand {
        Communicator over(Communicator world);
    }

    @Test
    void everyOperationIsMeasuredAndRightInArrays() {
        for (BenchOp op : BenchOp.values()) {
            BenchSpec spec = spec(op, 2, true);
            List<BenchResult> results = run(spec, world -> world);
            assertThat(results).hasSameSizeAs(spec.sizes());
            assertThat(results)
                    .as("%s", op)
                    .allSatisfy(result -> {
                        assertThat(result.isCorrect()).isTrue();
                        assertThat(result.iterations()).isEqualTo(3);
                        assertThat(result.times().min()).isPositive();
                        assertThat(result.times().max())
                                .isGreaterThanOrEqualTo(result.times().p50());
                    });
        }
    }

    @Test
    void whatRanIsSaidOfEverySizeAndNothingOfMessages() {
        for (BenchOp op : BenchOp.values()) {
            List<String> known =
                    op.operation().map(PlanCatalog::algorithms).orElse(List.of()).stream()
                            .map(Algorithm::name)
                            .toList();
            assertThat(run(spec(op, 2, false), world -> world))
                    .as("%s", op)
                    .extracting(BenchResult::algorithm)
                    .isSubsetOf(known.isEmpty() ? List.of(BenchResult.NO_ALGORITHM) : known);
        }
        BenchSpec forced = spec(BenchOp.ALLREDUCE, 3, Algorithm.RING, false);
        assertThat(run(forced, world -> world))
                .extracting(BenchResult::algorithm)
                .containsOnly("RING");
        List<BenchResult> chosen = run(spec(BenchOp.ALLREDUCE, 3, false), world -> world);
        assertThat(chosen.getFirst().algorithm())
                .as("of nothing and of 300,000 bytes")
                .isNotEqualTo(chosen.getLast().algorithm());
    }

    /** On every rank one bit of each result, in its last element. */
    @Test
    void oneWrongBitInAnyResultIsNoticed() {
        for (BenchOp op : BenchOp.values()) {
            if (op.hasSize()) {
                BenchSpec spec = spec(op, 4, false);
                try (LocalCluster cluster = LocalCluster.start(spec.ranks())) {
                    List<Integer> results = cluster.call(world -> spoilEach(spec, world));
                    assertThat(results).as("%s", op).anyMatch(count -> count > 0);
                }
            }
        }
    }

    private static int spoilEach(BenchSpec spec, Communicator world) {
        Oracle oracle = new Oracle(spec.type(), spec.reduceOp());
        Buffers buffers = new Buffers(spec, oracle, world.rank());
        Work work = new Works(spec, world, buffers).bind(4_004);
        work.spoil();
        assertThat(work.results().isEmpty() || !work.isCorrect(oracle)).isTrue();
        work.call().run();
        assertThat(work.isCorrect(oracle)).isTrue();
        for (Work.Result result : work.results()) {
            flip(result.buffer());
            assertThat(work.isCorrect(oracle)).isFalse();
            flip(result.buffer());
        }
        return work.results().size();
    }

    private static void flip(DataBuffer buffer) {
        long at = buffer.byteSize() - 2;
        byte old = buffer.segment().get(ValueLayout.JAVA_BYTE, at);
        buffer.segment().set(ValueLayout.JAVA_BYTE, at, (byte) (old ^ 1 << 5));
    }

    @Test
    void aWrongResultOnOneRankMakesAllOfItWrong() {
        BenchSpec spec = spec(BenchOp.ALLREDUCE, 3, false);
        List<BenchResult> results =
                run(
                        spec,
                        world ->
                                intercepted(
                                        world,
                                        "allReduce",
                                        (view, arguments) -> {
                                            view.allReduce(
                                                    (DataBuffer) arguments[0],
                                                    (DataBuffer) arguments[1],
                                                    StandardReduceOp.SUM);
                                            if (view.rank() == 2) {
                                                ((DataBuffer) arguments[1])
                                                        .segment()
                                                        .fill((byte) 1);
                                            }
                                        }));
        assertThat(results.getFirst().isCorrect()).as("of nothing").isTrue();
        assertThat(results.subList(1, results.size())).noneMatch(BenchResult::isCorrect);
    }

    @Test
    void aBarrierThatDoesNotWaitIsWrong() {
        List<BenchResult> results =
                run(
                        spec(BenchOp.BARRIER, 2, false),
                        world -> intercepted(world, "barrier", (view, arguments) -> {}));
        assertThat(results).noneMatch(BenchResult::isCorrect);
    }

    /** What is done instead of a method. */
    private interface Instead {
        void run(Communicator view, Object[] arguments);
    }

    /** A world whose views, such as the one that is measured, have another method of that name. */
    private static Communicator intercepted(Communicator world, String name, Instead instead) {
        return proxy((method, arguments) -> {
            Object result = method.invoke(world, arguments);
            return method.getName().equals("withAlgorithm")
                    ? view((Communicator) result, name, instead)
                    : result;
        });
    }

    private static Communicator view(Communicator view, String name, Instead instead) {
        return proxy((method, arguments) -> {
            if (!method.getName().equals(name)) {
                return method.invoke(view, arguments);
            }
            instead.run(view, arguments);
            return null;
        });
    }

    private interface Handler {
        @Nullable Object handle(Method method, Object[] arguments)
                throws ReflectiveOperationException;
    }

    private static Communicator proxy(Handler handler) {
        return (Communicator)
                Proxy.newProxyInstance(
                        BenchRunnerTest.class.getClassLoader(),
                        new Class<?>[] {Communicator.class},
                        (proxy, method, arguments) -> handler.handle(method, arguments));
    }
}
