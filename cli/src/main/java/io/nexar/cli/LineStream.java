package io.nexar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.function.Consumer;

/** Hands lines on instead of writing them. One thread at a time writes. */
final class LineStream extends OutputStream {
    private final Consumer<String> lines;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    LineStream(Consumer<String> lines) {
        this.lines = lines;
    }

    @Override
    public void write(int next) {
        if (next == '\n') {
            lines.accept(line.toString(UTF_8));
            line.reset();
        } else {
            line.write(next);
        }
    }
}
