package io.nexar.cli.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * One place that lines go to: a terminal, a file, a pipe. Each line is one write, so lines of
 * several ranks never mix. On a terminal one line may stand below all others, such as a progress
 * bar: it is taken away before a line is written and drawn again after it.
 *
 * <p>Safe from any number of threads. A write that fails is remembered, not thrown: a reader that
 * went away (as {@code head} does) must not end the job's bookkeeping.
 */
final class Screen {

    /** Return, and erase to the end of the line: ECMA-48, EL. */
    private static final byte[] ERASE = "\r\033[K".getBytes(UTF_8);

    private static final byte[] NOTHING = {};

    private byte[] standing = NOTHING;
    private boolean broken;

    /** True once a write has failed: whoever read this is gone. */
    synchronized boolean isBroken() {
        return broken;
    }

    /** Writes a whole line; {@code out} is this screen's stdout or its stderr. */
    synchronized void print(OutputStream out, byte[] prefix, byte[] line, int length) {
        ByteArrayOutputStream all = new ByteArrayOutputStream(prefix.length + length + 64);
        if (standing.length > 0) {
            all.writeBytes(ERASE);
        }
        all.writeBytes(prefix);
        all.write(line, 0, length);
        all.write('\n');
        all.writeBytes(standing);
        write(out, all);
    }

    /**
     * Puts a line at the bottom in the place of the one that stands there. Of no length: none
     * stands.
     */
    synchronized void stand(OutputStream out, byte[] prefix, byte[] line, int length) {
        ByteArrayOutputStream all = new ByteArrayOutputStream(prefix.length + length + 64);
        if (standing.length > 0) {
            all.writeBytes(ERASE);
        }
        if (length == 0) {
            standing = NOTHING;
        } else {
            ByteArrayOutputStream next = new ByteArrayOutputStream(prefix.length + length);
            next.writeBytes(prefix);
            next.write(line, 0, length);
            standing = next.toByteArray();
            all.writeBytes(standing);
        }
        write(out, all);
    }

    private void write(OutputStream out, ByteArrayOutputStream all) {
        if (broken) {
            return;
        }
        try {
            out.write(all.toByteArray());
            out.flush();
        } catch (IOException e) {
            broken = true;
        }
    }
}
