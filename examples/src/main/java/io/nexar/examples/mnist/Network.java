package io.nexar.examples.mnist;

import java.util.Random;

/**
 * A network of two layers: {@code h = max(0, x W1 + b1)}, {@code y = softmax(h W2 + b2)}, trained
 * on the cross entropy {@code -log y[label]}.
 *
 * <p>All parameters lie in one array, {@code W1 | b1 | W2 | b2}, and so do their gradients: a whole
 * step's gradient is one buffer to reduce. Weights of one input lie together, so every inner loop
 * runs over neighbouring floats and compiles to vector instructions, and an input of 0 (four pixels
 * in five) costs nothing.
 *
 * <p>Not thread-safe: it keeps the activations of the sample at hand.
 */
final class Network {

    private final int inputs;
    private final int hidden;
    private final int outputs;
    private final int hiddenBias;
    private final int outputWeights;
    private final int outputBias;
    private final float[] parameters;
    private final float[] activation;
    private final float[] activationGradient;
    private final float[] output;

    Network(int inputs, int hidden, int outputs) {
        this.inputs = inputs;
        this.hidden = hidden;
        this.outputs = outputs;
        this.hiddenBias = inputs * hidden;
        this.outputWeights = hiddenBias + hidden;
        this.outputBias = outputWeights + hidden * outputs;
        this.parameters = new float[outputBias + outputs];
        this.activation = new float[hidden];
        this.activationGradient = new float[hidden];
        this.output = new float[outputs];
    }

    /** The live parameters: who writes them changes the network. */
    float[] parameters() {
        return parameters;
    }

    /**
     * Draws weights with variance {@code 2 / inputs of the layer}, which keeps the signal's size
     * through a rectifier; biases are 0. Source: K. He et al., "Delving deep into rectifiers",
     * 2015.
     */
    void initialise(long randomSeed) {
        Random random = new Random(randomSeed);
        fill(random, 0, hiddenBias, Math.sqrt(2.0 / inputs));
        fill(random, outputWeights, outputBias, Math.sqrt(2.0 / hidden));
    }

    private void fill(Random random, int from, int to, double deviation) {
        for (int i = from; i < to; i++) {
            parameters[i] = (float) (random.nextGaussian() * deviation);
        }
    }

    /** The class that the network sees in the image at {@code pixels[at...]}. */
    int classify(float[] pixels, int at) {
        forward(pixels, at);
        int best = 0;
        for (int k = 1; k < outputs; k++) {
            if (output[k] > output[best]) {
                best = k;
            }
        }
        return best;
    }

    /**
     * Adds one sample's gradient to {@code gradient} (laid out like the parameters) and returns its
     * cross entropy. Sums, not means: who adds the sums of many samples divides once, at the end.
     */
    float addGradient(float[] pixels, int at, int label, float[] gradient) {
        forward(pixels, at);
        float loss = (float) -Math.log(Math.max(softmax(label), Float.MIN_NORMAL));
        backwardOutput(gradient);
        backwardHidden(pixels, at, gradient);
        return loss;
    }

    private void forward(float[] pixels, int at) {
        System.arraycopy(parameters, hiddenBias, activation, 0, hidden);
        for (int i = 0; i < inputs; i++) {
            float x = pixels[at + i];
            if (x != 0) {
                addScaled(x, parameters, i * hidden, activation, 0, hidden);
            }
        }
        System.arraycopy(parameters, outputBias, output, 0, outputs);
        for (int j = 0; j < hidden; j++) {
            activation[j] = Math.max(0f, activation[j]);
            addScaled(activation[j], parameters, outputWeights + j * outputs, output, 0, outputs);
        }
    }

    /**
     * Turns the outputs into the gradient by them, {@code y - [k == label]}, and returns the
     * probability of the label. The largest output is taken off first, so that exp cannot overflow.
     */
    private double softmax(int label) {
        float max = output[0];
        for (int k = 1; k < outputs; k++) {
            max = Math.max(max, output[k]);
        }
        double sum = 0;
        for (int k = 0; k < outputs; k++) {
            double e = Math.exp(output[k] - max);
            output[k] = (float) e;
            sum += e;
        }
        double probability = output[label] / sum;
        for (int k = 0; k < outputs; k++) {
            output[k] = (float) (output[k] / sum);
        }
        output[label] -= 1;
        return probability;
    }

    private void backwardOutput(float[] gradient) {
        addScaled(1, output, 0, gradient, outputBias, outputs);
        for (int j = 0; j < hidden; j++) {
            int weights = outputWeights + j * outputs;
            float sum = 0;
            if (activation[j] > 0) {
                for (int k = 0; k < outputs; k++) {
                    sum += parameters[weights + k] * output[k];
                }
                addScaled(activation[j], output, 0, gradient, weights, outputs);
            }
            activationGradient[j] = sum;
        }
    }

    private void backwardHidden(float[] pixels, int at, float[] gradient) {
        addScaled(1, activationGradient, 0, gradient, hiddenBias, hidden);
        for (int i = 0; i < inputs; i++) {
            float x = pixels[at + i];
            if (x != 0) {
                addScaled(x, activationGradient, 0, gradient, i * hidden, hidden);
            }
        }
    }

    /**
     * {@code to[toAt + i] += factor * from[fromAt + i]}: the one loop that all the time goes into.
     */
    private static void addScaled(
            float factor, float[] from, int fromAt, float[] to, int toAt, int count) {
        for (int i = 0; i < count; i++) {
            to[toAt + i] += factor * from[fromAt + i];
        }
    }
}
