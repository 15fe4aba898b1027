package io.nexar.cli;

import io.nexar.config.Durations;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

import java.time.Duration;

/** Values of flags that picocli doesn't know how to read. */
final class Flags {

    private Flags() {}

    /** A duration longer than 0; else an error that names flag, value and rule. */
    static Duration duration(CommandSpec spec, String flag, String value) {
        try {
            Duration duration = Durations.parse(value);
            if (!duration.isZero()) {
                return duration;
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    spec.commandLine(), "%s %s: not %s".formatted(flag, value, e.getMessage()), e);
        }
        throw new ParameterException(
                spec.commandLine(), "%s %s: must be longer than 0".formatted(flag, value));
    }
}
