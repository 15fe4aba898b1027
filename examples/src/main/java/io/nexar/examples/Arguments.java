package io.nexar.examples;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the user has chosen: whole numbers, by the names of options. All ranks get the same. */
final class Arguments {

    /**
     * One option.
     *
     * @param name what a person types, {@code --samples}
     * @param help one line on what it is
     * @param value what it is if not given
     * @param min the lowest that is allowed
     * @param max the highest that is allowed
     */
    record Option(String name, String help, long value, long min, long max) {

        /** Of random streams: any number is good, and each gives another problem. */
        static final Option SEED =
                new Option("--seed", "of the random numbers", 1, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    private final Map<String, Long> values = new HashMap<>();

    private Arguments() {}

    /** Reads a program's arguments; after {@code --help}, and after a wrong one, it exits. */
    static Arguments read(String program, List<Option> options, String... args) {
        if (List.of(args).contains("--help")) {
            // Once is enough: the launcher tells each process its rank.
            if (System.getenv().getOrDefault("NEXAR_RANK", "0").equals("0")) {
                System.out.print(help(program, options));
            }
            System.exit(0);
        }
        try {
            return parse(options, args);
        } catch (IllegalArgumentException e) {
            System.err.println(program + ": " + e.getMessage());
            System.exit(2);
            throw e;
        }
    }

    /**
     * @throws IllegalArgumentException naming the option, the value and the rule
     */
    static Arguments parse(List<Option> options, String... args) {
        Arguments arguments = new Arguments();
        options.forEach(option -> arguments.values.put(option.name(), option.value()));
        for (int i = 0; i < args.length; i += 2) {
            Option option = byName(options, args[i]);
            if (i + 1 == args.length) {
                throw new IllegalArgumentException(option.name() + ": a value is missing");
            }
            arguments.values.put(option.name(), number(option, args[i + 1]));
        }
        return arguments;
    }

    static String help(String program, List<Option> options) {
        StringBuilder help = new StringBuilder("Options of " + program + ":%n".formatted());
        for (Option option : options) {
            help.append(
                    "  %-14s %s (%d)%n"
                            .formatted(option.name() + " N", option.help(), option.value()));
        }
        return help.toString();
    }

    long number(Option option) {
        return values.getOrDefault(option.name(), option.value());
    }

    /** Of an option whose highest value is an {@code int}. */
    int count(Option option) {
        return Math.toIntExact(number(option));
    }

    private static Option byName(List<Option> options, String name) {
        return options.stream()
                .filter(option -> option.name().equals(name))
                .findFirst()
                .orElseThrow(() -> {
                    List<String> names = options.stream().map(Option::name).toList();
                    return new IllegalArgumentException(
                            "unknown option "
                                    + name
                                    + "; there are --help, "
                                    + String.join(", ", names));
                });
    }

    private static long number(Option option, String value) {
        String refusal =
                "%s %s: must be a whole number from %d to %d"
                        .formatted(option.name(), value, option.min(), option.max());
        long number;
        try {
            number = Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(refusal, e);
        }
        if (number < option.min() || number > option.max()) {
            throw new IllegalArgumentException(refusal);
        }
        return number;
    }
}
