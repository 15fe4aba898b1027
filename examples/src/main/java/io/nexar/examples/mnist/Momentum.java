package io.nexar.examples.mnist;

/**
 * Gradient descent with momentum: {@code v = momentum * v + g}, {@code w = w - rate * v}. Source:
 * B. Polyak, "Some methods of speeding up the convergence of iteration methods", 1964.
 */
final class Momentum {

    /** 0.9: a step remembers about ten before it; the usual value, and good to 0.97 here. */
    private static final float MOMENTUM = 0.9f;

    private final float rate;
    private final float[] velocity;

    Momentum(float rate, int parameters) {
        this.rate = rate;
        this.velocity = new float[parameters];
    }

    void step(float[] parameters, float[] gradient) {
        for (int i = 0; i < parameters.length; i++) {
            velocity[i] = MOMENTUM * velocity[i] + gradient[i];
        }
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] -= rate * velocity[i];
        }
    }
}
