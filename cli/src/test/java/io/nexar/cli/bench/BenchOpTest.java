package io.nexar.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BenchOpTest {
    @Test
    void bandwidthsAreThoseOfNcclTests() {
        // A megabyte in a millisecond is a gigabyte in a second; four ranks.
        bandwidths(BenchOp.PINGPONG, 1, 1);
        bandwidths(BenchOp.BROADCAST, 1, 1);
        bandwidths(BenchOp.REDUCE, 1, 1);
        bandwidths(BenchOp.SCAN, 1, 1);
        bandwidths(BenchOp.ALLREDUCE, 1, 1.5);
        bandwidths(BenchOp.ALLGATHER, 4, 3);
        bandwidths(BenchOp.GATHER, 4, 3);
        bandwidths(BenchOp.SCATTER, 4, 3);
        bandwidths(BenchOp.ALLTOALL, 4, 3);
        bandwidths(BenchOp.REDUCESCATTER, 4, 3);
        bandwidths(BenchOp.MESSAGERATE, 2, 2);
        bandwidths(BenchOp.BARRIER, 0, 0);
    }

    private static void bandwidths(BenchOp op, double algorithm, double bus) {
        assertThat(op.algorithmBandwidth(1_000_000, 4, 1_000)).as(op.word()).isEqualTo(algorithm);
        assertThat(op.busBandwidth(1_000_000, 4, 1_000)).as(op.word()).isEqualTo(bus);
    }

    @Test
    void messagesNeedTwoRanksAndTheirRateNeedsPairs() {
        assertThat(BenchOp.PINGPONG.takesRanks(1)).isFalse();
        assertThat(BenchOp.PINGPONG.takesRanks(3)).isTrue();
        assertThat(BenchOp.MESSAGERATE.takesRanks(3)).isFalse();
        assertThat(BenchOp.MESSAGERATE.takesRanks(4)).isTrue();
        assertThat(BenchOp.ALLREDUCE.takesRanks(1)).isTrue();
    }

    @Test
    void everyOperationHasItsWord() {
        for (BenchOp op : BenchOp.values()) {
            assertThat(BenchOp.byWord(op.word())).contains(op);
        }
        assertThat(BenchOp.byWord("ping-pong")).isEmpty();
    }
}
