package io.nexar.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Passes on what is written, but for lines with a certain text. Each write is whole lines. */
final class WithoutLine extends FilterOutputStream {
    private final String text;

    WithoutLine(OutputStream out, String text) {
        super(out);
        this.text = text;
    }

    @Override
    public void write(byte[] lines, int offset, int length) throws IOException {
        if (!new String(lines, offset, length, UTF_8).contains(text)) {
            out.write(lines, offset, length);
        }
    }
}
