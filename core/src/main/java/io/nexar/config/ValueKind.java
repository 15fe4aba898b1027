package io.nexar.config;

import io.nexar.PortRange;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What an option's values look like. */
public sealed interface ValueKind {

    /**
     * Reads a value into what the accessors give: two texts that mean the same give equal values.
     *
     * @throws IllegalArgumentException if the text is none, with the rule as its message
     */
    Object parse(String text);

    /** For the documentation. */
    String describe();

    /** Any text without line breaks. */
    record Text(String describe) implements ValueKind {
        @Override
        public String parse(String text) {
            if (text.chars().anyMatch(Character::isISOControl)) {
                throw new IllegalArgumentException("a text without control characters");
            }
            return text;
        }
    }

    /** A whole number. */
    record Whole(int min, int max) implements ValueKind {
        @Override
        public Integer parse(String text) {
            try {
                int number = Integer.parseInt(text);
                if (number >= min && number <= max) {
                    return number;
                }
            } catch (NumberFormatException _) {
                // The rule below says it better.
            }
            throw new IllegalArgumentException(describe());
        }

        @Override
        public String describe() {
            return max == Integer.MAX_VALUE
                    ? "a whole number, " + min + " or more"
                    : "a whole number, " + min + " to " + max;
        }
    }

    /** Yes or no. */
    record Flag() implements ValueKind {
        @Override
        public Boolean parse(String text) {
            return switch (text) {
                case "true" -> true;
                case "false" -> false;
                default -> throw new IllegalArgumentException(describe());
            };
        }

        @Override
        public String describe() {
            return "true or false";
        }
    }

    /** A duration of more than zero; every wait ends. */
    record Span() implements ValueKind {
        @Override
        public Duration parse(String text) {
            Duration duration = Durations.parse(text);
            if (duration.isZero()) {
                throw new IllegalArgumentException("a duration of more than zero");
            }
            return duration;
        }

        @Override
        public String describe() {
            return "a duration, for example 500ms, 10s, 5m, 1h";
        }
    }

    /** A size in bytes. */
    record Size(long minBytes, long maxBytes) implements ValueKind {
        @Override
        public Long parse(String text) {
            long bytes = Sizes.parseBytes(text);
            if (bytes < minBytes || bytes > maxBytes) {
                throw new IllegalArgumentException(describe());
            }
            return bytes;
        }

        @Override
        public String describe() {
            return "a size, for example 64KiB, from " + minBytes + " to " + maxBytes + " bytes";
        }
    }

    /** One of a few words. */
    record Choice(List<String> words) implements ValueKind {
        public Choice {
            words = List.copyOf(words);
        }

        @Override
        public String parse(String text) {
            if (!words.contains(text)) {
                throw new IllegalArgumentException(describe());
            }
            return text;
        }

        @Override
        public String describe() {
            return "one of " + String.join(", ", words);
        }
    }

    /**
     * The path of a text file. Its meaning is what is in it: jobs agree on that, wherever each
     * process has it.
     */
    record TextFile(String describe) implements ValueKind {
        /** A settings file of this length is none. */
        private static final int BYTES_MAX = 64 << 10;

        @Override
        public FileText parse(String text) {
            try {
                Path path = Path.of(text);
                if (Files.size(path) > BYTES_MAX) {
                    throw new IllegalArgumentException("a file of at most 64 KiB");
                }
                return new FileText(Files.readString(path));
            } catch (IOException | InvalidPathException problem) {
                throw new IllegalArgumentException(
                        "a text file that can be read (" + problem + ")", problem);
            }
        }
    }

    /** A range of ports. */
    record Ports() implements ValueKind {
        @Override
        public PortRange parse(String text) {
            return PortRange.parse(text);
        }

        @Override
        public String describe() {
            return "ephemeral, or a range of ports such as 40000-40100";
        }
    }
}
