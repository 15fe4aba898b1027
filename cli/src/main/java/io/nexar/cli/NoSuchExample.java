package io.nexar.cli;

import io.nexar.config.Options;
import io.nexar.examples.Examples;

import java.util.List;

/** Says which examples there are when a name is none of theirs. */
final class NoSuchExample {

    private NoSuchExample() {}

    static String message(String name) {
        List<String> names = Examples.all().stream().map(Examples.Example::name).toList();
        StringBuilder message = new StringBuilder("there is no bundled example '" + name + "'");
        Options.nearest(name, names)
                .ifPresent(near -> message.append("; did you mean '" + near + "'?"));
        message.append(System.lineSeparator()).append("Examples:");
        for (Examples.Example example : Examples.all()) {
            message.append(System.lineSeparator())
                    .append("  %-17s %s".formatted(example.name(), example.help()));
        }
        return message.append(System.lineSeparator())
                .append("To run a command, write -- before it: nexar run -n 4 -- " + name)
                .toString();
    }
}
