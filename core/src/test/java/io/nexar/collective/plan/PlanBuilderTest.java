package io.nexar.collective.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nexar.Algorithm;

import org.junit.jupiter.api.Test;

class PlanBuilderTest {
    private static PlanBuilder allReduce(int shares) {
        return new PlanBuilder(request(Operation.ALL_REDUCE), shares);
    }

    private static PlanRequest request(Operation operation) {
        return new PlanRequest(operation, Algorithm.RING, 0, 3, 0);
    }

    @Test
    void aRoundThatTouchesARangeTwiceIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        allReduce(3).send(1, Range.output(0, 2)).receive(2, Range.output(1, 1)))
                .withMessageContaining("touch the same range");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        allReduce(3).receive(1, Range.output(0, 1)).receive(2, Range.output(0, 1)))
                .withMessageContaining("touch the same range");
    }

    @Test
    void inputAndOutputOfOneShareCountAsOneMemory() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        allReduce(3).send(1, Range.input(1, 1)).receive(2, Range.output(1, 1)))
                .withMessageContaining("touch the same range");
        Plan plan =
                allReduce(3)
                        .send(1, Range.input(1, 1))
                        .nextRound()
                        .receive(2, Range.output(1, 1))
                        .receive(2, Range.output(0, 1))
                        .build();
        assertThat(plan.predecessors(1)).containsExactly(0);
        assertThat(plan.predecessors(2)).isEmpty();
        assertThat(plan.successors(0)).containsExactly(1);
    }

    @Test
    void aCopyFromInputToOutputDisturbsNoReaderOfInput() {
        Plan plan =
                allReduce(1)
                        .copy(Range.input(0, 1), Range.output(0, 1))
                        .send(1, Range.input(0, 1))
                        .nextRound()
                        .send(2, Range.output(0, 1))
                        .build();
        assertThat(plan.predecessors(1)).isEmpty();
        assertThat(plan.predecessors(2)).containsExactly(0);
    }

    @Test
    void dependenciesThatOthersImplyAreLeftOut() {
        Range scratch = Range.scratch(0, 1);
        Plan plan =
                allReduce(1)
                        .buffer(BufferRole.SCRATCH, 0)
                        .receive(1, scratch)
                        .nextRound()
                        .reduce(Range.input(0, 1), scratch, scratch)
                        .nextRound()
                        .send(2, scratch)
                        .nextRound()
                        .receive(1, scratch)
                        .build();
        assertThat(plan.predecessors(1)).containsExactly(0);
        assertThat(plan.predecessors(2)).containsExactly(1);
        assertThat(plan.predecessors(3)).containsExactly(2);
    }

    @Test
    void signalsFollowWhatWasReceivedBefore() {
        Plan plan =
                new PlanBuilder(request(Operation.BARRIER), 1)
                        .signal(1)
                        .receiveSignal(2)
                        .nextRound()
                        .signal(2)
                        .receiveSignal(1)
                        .build();
        assertThat(plan.step(0).isSignal()).isTrue();
        assertThat(plan.predecessors(2)).containsExactly(1);
        assertThat(plan.predecessors(3)).isEmpty();
    }

    @Test
    void emptyRangesTouchNothing() {
        assertThat(Range.output(1, 0).overlaps(Range.output(0, 3))).isFalse();
        assertThat(Range.output(0, 3).overlaps(Range.output(1, 0))).isFalse();
    }

    @Test
    void roundsCountAlsoWhereTheRankIsIdle() {
        assertThat(allReduce(1).round(4).build().rounds()).isEqualTo(5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> allReduce(1).round(2).round(1))
                .withMessageContaining("round 1 after 2");
    }

    @Test
    void impossibleStepsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> allReduce(1).scale(Range.input(0, 1)))
                .withMessageContaining("INPUT is never written");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> allReduce(1).send(0, Range.input(0, 1)))
                .withMessageContaining("rank 0 in the plan of rank 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> allReduce(1).send(3, Range.input(0, 1)))
                .withMessageContaining("rank 3");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> allReduce(2).send(1, Range.input(1, 2)))
                .withMessageContaining("outside a buffer of 2 slots");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> allReduce(2).copy(Range.input(0, 1), Range.output(1, 1)))
                .withMessageContaining("different shares");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PlanBuilder(request(Operation.ALL_GATHER), 2))
                .withMessageContaining("2 shares in a plan of allGather for 3 ranks");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> allReduce(2).buffer(BufferRole.SCRATCH, 2))
                .withMessageContaining("share 2 of 2");
    }
}
