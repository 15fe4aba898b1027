package io.nexar.examples.mnist;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class BatchesTest {

    @Test
    void anEpochVisitsEverySampleOnceAlsoWhenTheLastBatchIsShort() {
        Batches batches = Batches.ofEpoch(10, 4, 7, 0);

        assertThat(batches.count()).isEqualTo(3);
        assertThat(batches.size(2)).isEqualTo(2);
        assertThat(samples(batches)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    void theOrderDependsOnSeedAndEpochOnly() {
        assertThat(samples(Batches.ofEpoch(50, 8, 7, 3)))
                .isEqualTo(samples(Batches.ofEpoch(50, 8, 7, 3)))
                .isNotEqualTo(samples(Batches.ofEpoch(50, 8, 7, 4)))
                .isNotEqualTo(samples(Batches.ofEpoch(50, 8, 8, 3)));
    }

    private static List<Integer> samples(Batches batches) {
        List<Integer> samples = new ArrayList<>();
        for (int batch = 0; batch < batches.count(); batch++) {
            for (int place = 0; place < batches.size(batch); place++) {
                samples.add(batches.sample(batch, place));
            }
        }
        return samples;
    }
}
