package io.nexar.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.LocalCluster;
import io.nexar.StandardReduceOp;
import io.nexar.cli.bench.Oracle.Expected;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.Arrays;
import java.util.List;

class OracleTest {
    private static final long COUNT = 1_001;

    private static List<DataType> types() {
        return Arrays.stream(DataType.values()).filter(type -> !type.isPair()).toList();
    }

    @Test
    @Timeout(60)
    void itAgreesWithTheLibraryOnEveryTypeAndOperation() {
        try (LocalCluster cluster = LocalCluster.start(3)) {
            cluster.run(world -> {
                for (DataType type : types()) {
                    for (StandardReduceOp op : StandardReduceOp.values()) {
                        if (op.supports(type)) {
                            Oracle oracle = new Oracle(type, op);
                            DataBuffer buffer = DataBuffer.allocate(type, COUNT);
                            oracle.fill(buffer, world.rank());
                            world.allReduce(buffer, op);
                            assertThat(oracle.holds(buffer, Expected.combined(0, 3, 0)))
                                    .as("%s of %s", op, type)
                                    .isTrue();
                        }
                    }
                }
            });
        }
    }

    @Test
    void aWrongElementIsNoticedWhereverItIs() {
        for (DataType type : types()) {
            Oracle oracle = new Oracle(type, StandardReduceOp.SUM);
            for (long at : new long[] {0, COUNT / 2, COUNT - 1}) {
                DataBuffer buffer = DataBuffer.allocate(type, COUNT);
                oracle.fill(buffer, 2);
                assertThat(oracle.holds(buffer, Expected.copied(2, 0))).isTrue();
                buffer.segment().asSlice(at * type.bytes(), type.bytes()).fill((byte) 0);
                assertThat(oracle.holds(buffer, Expected.copied(2, 0)))
                        .as("%s at %d", type, at)
                        .isFalse();
            }
        }
    }

    @Test
    void anotherRanksDataAndDataOfAnotherPlaceAreWrong() {
        for (DataType type : types()) {
            Oracle oracle = new Oracle(type, StandardReduceOp.SUM);
            DataBuffer buffer = DataBuffer.allocate(type, COUNT);
            oracle.fill(buffer, 2);
            assertThat(oracle.holds(buffer, Expected.copied(1, 0))).as("%s", type).isFalse();
            assertThat(oracle.holds(buffer, Expected.copied(2, 1))).as("%s", type).isFalse();
            assertThat(oracle.holds(buffer, Expected.combined(2, 2, 0))).as("%s", type).isFalse();
            assertThat(oracle.holds(buffer, Expected.blocks(0, COUNT))).as("%s", type).isFalse();
        }
    }
}
