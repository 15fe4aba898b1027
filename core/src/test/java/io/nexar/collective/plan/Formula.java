package io.nexar.collective.plan;

import java.util.Map;

/**
 * A cost as people write it: numbers, one-letter variables, {@code + - /} and parentheses, with
 * factors side by side ({@code 2N(P-1)/P}).
 */
final class Formula {
    private final String text;
    private final Map<Character, Double> variables;
    private int place;

    private Formula(String text, Map<Character, Double> variables) {
        this.text = text.replace(" ", "");
        this.variables = variables;
    }

    static double evaluate(String text, Map<Character, Double> variables) {
        Formula formula = new Formula(text, variables);
        double value = formula.sum();
        if (formula.place < formula.text.length()) {
            throw formula.unreadable();
        }
        return value;
    }

    private double sum() {
        double value = product();
        while (next() == '+' || next() == '-') {
            value += text.charAt(place++) == '+' ? product() : -product();
        }
        return value;
    }

    private double product() {
        double value = factor();
        while (next() == '/' || next() == '(' || Character.isLetterOrDigit(next())) {
            if (next() == '/') {
                place++;
                value /= factor();
            } else {
                value *= factor();
            }
        }
        return value;
    }

    private double factor() {
        char first = next();
        place++;
        if (Character.isDigit(first)) {
            int value = first - '0';
            while (Character.isDigit(next())) {
                value = 10 * value + text.charAt(place++) - '0';
            }
            return value;
        }
        if (first == '(') {
            double value = sum();
            if (next() != ')') {
                throw unreadable();
            }
            place++;
            return value;
        }
        Double variable = variables.get(first);
        if (variable == null) {
            throw unreadable();
        }
        return variable;
    }

    private char next() {
        return place < text.length() ? text.charAt(place) : ' ';
    }

    private IllegalArgumentException unreadable() {
        return new IllegalArgumentException("formula %s at %d".formatted(text, place));
    }
}
