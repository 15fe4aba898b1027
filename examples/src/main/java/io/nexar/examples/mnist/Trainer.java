package io.nexar.examples.mnist;

import io.nexar.Communicator;
import io.nexar.CompressionReport;
import io.nexar.CompressionState;
import io.nexar.DataBuffer;
import io.nexar.Partition;
import io.nexar.ReduceOp;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Data-parallel training. All ranks hold the same weights and go through the same batches; of each
 * batch a rank takes its part, adds up the gradients of its digits, and one {@code allReduce} over
 * the whole gradient makes the mean of them. Every rank then makes the same step, so the weights
 * stay the same bits.
 *
 * <p>The mean over a batch of B digits on P ranks is {@code (sum over ranks of their sums) / B}.
 * AVG divides by P, so each rank scales its sum by P / B first; that is right also where P does not
 * divide B and some ranks have a digit more, or none.
 */
final class Trainer {

    /** 128 hidden units: small enough for a second of training, enough for 0.95 and more. */
    private static final int HIDDEN = 128;

    private final Communicator world;
    private final Digits.Split digits;
    private final MnistOptions options;
    private final Network network;
    private final Momentum momentum;

    /** The gradient, and behind it the loss: what belongs to one step travels in one buffer. */
    private final float[] gradientAndLoss;

    /** Null for a plain allReduce. */
    private final @Nullable CompressionState compression;

    private long sentBytes;

    Trainer(Communicator world, Digits.Split digits, MnistOptions options) {
        this.world = world;
        this.digits = digits;
        this.options = options;
        this.network = new Network(digits.training().pixelsPerImage(), HIDDEN, Digits.CLASSES);
        int parameters = network.parameters().length;
        this.momentum = new Momentum(options.learningRate(), options.momentum(), parameters);
        this.gradientAndLoss = new float[parameters + 1];
        this.compression =
                options.compress().isEmpty()
                        ? null
                        : Compression.state(options.compress(), options.randomSeed());
    }

    /** Rank 0 draws the first weights and gives them to all. */
    void shareFirstWeights() {
        if (world.rank() == 0) {
            network.initialise(options.randomSeed());
        }
        world.broadcast(DataBuffer.of(network.parameters()), 0);
    }

    int batchesPerEpoch() {
        return batches(0).count();
    }

    /**
     * Goes through all training digits once and returns the mean loss; {@code afterBatch} runs
     * often.
     */
    double trainEpoch(int epoch, Runnable afterBatch) {
        Batches batches = batches(epoch);
        double loss = 0;
        for (int batch = 0; batch < batches.count(); batch++) {
            loss += step(batches, batch);
            afterBatch.run();
        }
        return loss / digits.training().count();
    }

    /** One step down the gradient of one batch; returns the batch's summed loss over all ranks. */
    private double step(Batches batches, int batch) {
        int size = batches.size(batch);
        addOwnGradients(batches, batch, new Partition(size, world.size()));
        float scale = (float) world.size() / size;
        for (int i = 0; i < gradientAndLoss.length; i++) {
            gradientAndLoss[i] *= scale;
        }
        average(DataBuffer.of(gradientAndLoss));
        momentum.step(network.parameters(), gradientAndLoss);
        return (double) gradientAndLoss[gradientAndLoss.length - 1] * size;
    }

    private void average(DataBuffer gradients) {
        if (compression == null) {
            world.allReduce(gradients, ReduceOp.AVG);
            return;
        }
        CompressionReport report = world.allReduceCompressed(gradients, ReduceOp.AVG, compression);
        sentBytes += report.sentBytes();
    }

    /** What the links of all ranks took of compressed gradients. */
    long sentBytes() {
        long[] sum = {sentBytes};
        world.allReduce(DataBuffer.of(sum), ReduceOp.SUM);
        return sum[0];
    }

    private void addOwnGradients(Batches batches, int batch, Partition parts) {
        Digits training = digits.training();
        Arrays.fill(gradientAndLoss, 0);
        float loss = 0;
        int first = (int) parts.offset(world.rank());
        int end = first + (int) parts.count(world.rank());
        for (int place = first; place < end; place++) {
            int sample = batches.sample(batch, place);
            int at = sample * training.pixelsPerImage();
            int label = training.labels()[sample];
            loss += network.addGradient(training.pixels(), at, label, gradientAndLoss);
        }
        gradientAndLoss[gradientAndLoss.length - 1] = loss;
    }

    /** The share of the held-out digits that the network names right; each rank scores its part. */
    double accuracy() {
        Digits heldOut = digits.heldOut();
        Partition parts = new Partition(heldOut.count(), world.size());
        int first = (int) parts.offset(world.rank());
        int end = first + (int) parts.count(world.rank());
        long[] right = {0};
        for (int i = first; i < end; i++) {
            int seen = network.classify(heldOut.pixels(), i * heldOut.pixelsPerImage());
            right[0] += seen == heldOut.labels()[i] ? 1 : 0;
        }
        world.allReduce(DataBuffer.of(right), ReduceOp.SUM);
        return (double) right[0] / heldOut.count();
    }

    /** Whether all ranks hold the same weights, bit for bit. */
    boolean hasIdenticalWeights() {
        long[] mine = WeightDigest.of(network.parameters());
        long[] all = new long[mine.length * world.size()];
        world.allGather(DataBuffer.of(mine), DataBuffer.of(all));
        for (int i = 0; i < all.length; i++) {
            if (all[i] != mine[i % mine.length]) {
                return false;
            }
        }
        return true;
    }

    private Batches batches(int epoch) {
        return Batches.ofEpoch(
                digits.training().count(), options.batchSize(), options.randomSeed(), epoch);
    }
}
