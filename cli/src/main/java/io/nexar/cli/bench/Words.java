package io.nexar.cli.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** {@code key=value} words, in which the processes of a measurement tell each other what is so. */
record Words(Map<String, String> values) {

    static Words parse(List<String> words) {
        return new Words(
                words.stream()
                        .map(word -> word.split("=", 2))
                        .filter(sides -> sides.length == 2)
                        .collect(Collectors.toMap(sides -> sides[0], sides -> sides[1])));
    }

    static Words parse(String line) {
        return parse(Arrays.asList(line.split(" ")));
    }

    /**
     * The value of a key.
     *
     * @throws IllegalArgumentException if there is none
     */
    String get(String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("no " + key + " in " + values);
        }
        return value;
    }

    int integer(String key) {
        return Integer.parseInt(get(key));
    }

    long whole(String key) {
        return Long.parseLong(get(key));
    }

    double real(String key) {
        return Double.parseDouble(get(key));
    }

    boolean flag(String key) {
        return Boolean.parseBoolean(get(key));
    }
}
