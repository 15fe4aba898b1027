package io.nexar.examples.mnist;

/**
 * Gradient descent with momentum: {@code v = momentum * v + g}, {@code w = w - rate * v}. Source:
 * B. Polyak, "Some methods of speeding up the convergence of iteration methods", 1964.
 */
final class Momentum {
    private final float rate;
    private final float momentum;
    private final float[] velocity;

    Momentum(float rate, float momentum, int parameters) {
        this.rate = rate;
        this.momentum = momentum;
        this.velocity = new float[parameters];
    }

    void step(float[] parameters, float[] gradient) {
        for (int i = 0; i < parameters.length; i++) {
            velocity[i] = momentum * velocity[i] + gradient[i];
        }
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] -= rate * velocity[i];
        }
    }
}
