package io.nexar.examples.mnist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.Random;

class NetworkTest {

    private static final long RANDOM_SEED = 20_261_128;

    @Test
    void theGradientIsTheSlopeOfTheLossInEveryParameter() {
        Network network = new Network(6, 5, 3);
        network.initialise(RANDOM_SEED);
        float[] pixels = pixels(8);
        float[] parameters = network.parameters();
        float[] gradient = new float[parameters.length];
        network.addGradient(pixels, 2, 1, gradient);

        // 1/256: big enough for float's 24 bits, small enough that the loss is nearly straight.
        float step = 1f / 256;
        for (int i = 0; i < parameters.length; i++) {
            float kept = parameters[i];
            parameters[i] = kept + step;
            double above = loss(network, pixels, 2, 1);
            parameters[i] = kept - step;
            double below = loss(network, pixels, 2, 1);
            parameters[i] = kept;
            double slope = (above - below) / (2 * step);
            assertThat((double) gradient[i])
                    .as("parameter %d, random seed %d", i, RANDOM_SEED)
                    .isCloseTo(slope, within(2e-3));
        }
    }

    @Test
    void gradientsOfSamplesAddUp() {
        Network network = new Network(6, 5, 3);
        network.initialise(RANDOM_SEED);
        float[] pixels = pixels(12);
        float[] first = gradient(network, pixels, 0, 2);
        float[] second = gradient(network, pixels, 6, 0);

        float[] both = new float[first.length];
        network.addGradient(pixels, 0, 2, both);
        network.addGradient(pixels, 6, 0, both);

        for (int i = 0; i < both.length; i++) {
            assertThat(both[i]).isCloseTo(first[i] + second[i], within(1e-6f));
        }
    }

    @Test
    void hugeOutputsGiveFiniteGradients() {
        Network network = new Network(2, 2, 3);
        Arrays.fill(network.parameters(), 1e4f);
        network.parameters()[network.parameters().length - 1] = -1e9f;

        float[] gradient = new float[network.parameters().length];
        float loss = network.addGradient(new float[] {1, 1}, 0, 2, gradient);

        assertThat(loss).isFinite().isPositive();
        for (float each : gradient) {
            assertThat(each).isFinite();
        }
    }

    @Test
    void theSameSeedGivesTheSameWeightsAndAnotherSeedOthers() {
        assertThat(initialised(1)).containsExactly(initialised(1));
        assertThat(initialised(1)).isNotEqualTo(initialised(2));
    }

    @Test
    void stepsDownTheGradientLearnFourPointsByHeart() {
        Network network = new Network(2, 8, 2);
        network.initialise(RANDOM_SEED);
        float[] corners = {0, 0, 0, 1, 1, 0, 1, 1};
        int[] exclusiveOr = {0, 1, 1, 0};
        Momentum momentum = new Momentum(0.1f, 0.9f, network.parameters().length);
        float[] gradient = new float[network.parameters().length];
        for (int step = 0; step < 500; step++) {
            Arrays.fill(gradient, 0);
            for (int i = 0; i < 4; i++) {
                network.addGradient(corners, 2 * i, exclusiveOr[i], gradient);
            }
            momentum.step(network.parameters(), gradient);
        }
        for (int i = 0; i < 4; i++) {
            assertThat(network.classify(corners, 2 * i)).isEqualTo(exclusiveOr[i]);
        }
    }

    private static float[] initialised(long randomSeed) {
        Network network = new Network(3, 4, 2);
        network.initialise(randomSeed);
        return network.parameters();
    }

    private static float[] gradient(Network network, float[] pixels, int at, int label) {
        float[] gradient = new float[network.parameters().length];
        network.addGradient(pixels, at, label, gradient);
        return gradient;
    }

    private static double loss(Network network, float[] pixels, int at, int label) {
        return network.addGradient(pixels, at, label, new float[network.parameters().length]);
    }

    /** Values of a sample, with a zero among them: zero inputs go another way through the loops. */
    private static float[] pixels(int count) {
        Random random = new Random(RANDOM_SEED);
        float[] pixels = new float[count];
        for (int i = 0; i < count; i++) {
            pixels[i] = i % 4 == 3 ? 0 : random.nextFloat();
        }
        return pixels;
    }
}
