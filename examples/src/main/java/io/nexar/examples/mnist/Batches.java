package io.nexar.examples.mnist;

import java.util.Random;

/**
 * The order in which an epoch visits the training digits, cut into batches. It depends on the
 * random seed and the epoch only, so all ranks have the same batches without a word, and a job of
 * four ranks sees the batches that a job of one sees.
 */
final class Batches {

    private final int[] order;
    private final int batchSize;

    private Batches(int[] order, int batchSize) {
        this.order = order;
        this.batchSize = batchSize;
    }

    static Batches ofEpoch(int samples, int batchSize, long randomSeed, int epoch) {
        int[] order = new int[samples];
        Random random = new Random(randomSeed * 31 + epoch);
        for (int i = 0; i < samples; i++) {
            int j = random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return new Batches(order, batchSize);
    }

    /** Number of batches; the last one may be shorter. */
    int count() {
        return (order.length + batchSize - 1) / batchSize;
    }

    int size(int batch) {
        return Math.min(batchSize, order.length - batch * batchSize);
    }

    /** The number of the sample at a place of a batch. */
    int sample(int batch, int place) {
        return order[batch * batchSize + place];
    }
}
