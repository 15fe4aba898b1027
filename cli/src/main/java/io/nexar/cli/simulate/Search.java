package io.nexar.cli.simulate;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Finds positive numbers that make something small: goes through them one after the other, and
 * multiplies or divides each by its own step, which doubles where that helps and becomes a root
 * where it does not. Needs no derivatives, which a simulation does not have.
 */
final class Search {
    /** At first by half as much again, at last by a fiftieth. */
    private static final double STEP_FIRST = Math.log(1.5);

    private static final double STEP_LAST = Math.log(1.02);

    private static final int TURNS_MAX = 40;

    /** A walk that has made it smaller by a hundredth is followed by another. */
    private static final double WORTH_IT = 0.99;

    private final ToDoubleFunction<double[]> loss;
    private final double[] numbers;
    private final double[] steps;
    private double least;

    private Search(double[] start, ToDoubleFunction<double[]> loss) {
        this.loss = loss;
        this.numbers = start.clone();
        this.steps = new double[start.length];
        this.least = loss.applyAsDouble(numbers);
    }

    /** The best that is found from one of these. */
    static double[] from(List<double[]> starts, ToDoubleFunction<double[]> loss) {
        return starts.stream()
                .map(start -> new Search(start, loss).walks())
                .min(Comparator.comparingDouble(search -> search.least))
                .orElseThrow()
                .numbers;
    }

    private Search walks() {
        double before = Double.POSITIVE_INFINITY;
        while (least < WORTH_IT * before) {
            before = least;
            walk();
        }
        return this;
    }

    /** With large steps at first, also where it has been with small ones. */
    private void walk() {
        Arrays.fill(steps, STEP_FIRST);
        for (int turn = 0; turn < TURNS_MAX && !isFine(); turn++) {
            for (int i = 0; i < steps.length; i++) {
                move(i);
            }
        }
    }

    private boolean isFine() {
        return Arrays.stream(steps).allMatch(step -> Math.abs(step) < STEP_LAST);
    }

    private void move(int index) {
        if (isLess(index, steps[index])) {
            steps[index] *= 2;
        } else if (isLess(index, -steps[index])) {
            steps[index] *= -1;
        } else {
            steps[index] /= 2;
        }
    }

    /** Tries another value, and keeps it if that is better. */
    private boolean isLess(int index, double step) {
        double before = numbers[index];
        numbers[index] = before * Math.exp(step);
        double tried = loss.applyAsDouble(numbers);
        if (tried < least) {
            least = tried;
            return true;
        }
        numbers[index] = before;
        return false;
    }
}
