package io.nexar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 6, 7, 64})
    void partsFollowEachOtherAndMakeUpTheTotal(int parts) {
        // Pitfall 13: totals that the number of ranks does not divide.
        for (long total : new long[] {0, 1, parts - 1, parts, parts + 1, 100, 1009, 1L << 40}) {
            Partition partition = new Partition(total, parts);
            long end = 0;
            for (int part = 0; part < parts; part++) {
                assertThat(partition.offset(part)).isEqualTo(end);
                end += partition.count(part);
                assertThat(partition.count(part))
                        .isEqualTo(total / parts + (part < total % parts ? 1 : 0))
                        .isLessThanOrEqualTo(partition.countMax());
            }
            assertThat(end).isEqualTo(total).isEqualTo(partition.offset(parts));
        }
    }

    @Test
    void elevenAmongFourAreThreeThreeThreeTwo() {
        Partition partition = new Partition(11, 4);
        assertThat(new long[] {partition.count(0), partition.count(2), partition.count(3)})
                .containsExactly(3, 3, 2);
        assertThat(partition.offset(3)).isEqualTo(9);
    }

    @Test
    void theLargestTotalDoesNotOverflow() {
        Partition partition = new Partition(Long.MAX_VALUE, Integer.MAX_VALUE);
        assertThat(partition.offset(Integer.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void impossiblePartsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Partition(-1, 2))
                .withMessageContaining("total -1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Partition(1, 0))
                .withMessageContaining("parts 0");
        Partition partition = new Partition(10, 3);
        for (int part : new int[] {-1, 3}) {
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> partition.count(part))
                    .withMessageContaining("part " + part);
        }
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> partition.offset(4));
    }
}
