package io.nexar.cli.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.nexar.cli.launch.LineSplitter.CarriageReturn;

import java.io.OutputStream;
import java.util.Arrays;

/**
 * Where the lines of all ranks come together: what a rank writes to stdout goes to the launcher's
 * stdout, stderr to stderr, each line whole and with its rank in front.
 *
 * <p>The result line. A bundled example ends with one line that a program may read, {@code NAME:
 * facts}. If rank 0's last line is of that form, it is printed after all others and as it is; if
 * the job fails, like every other line.
 */
public final class JobOutput {

    /** Cyan, yellow, green, magenta, blue, red: readable on dark and on light ground. */
    private static final int[] COLOURS = {36, 33, 32, 35, 34, 31};

    /**
     * How lines are shown.
     *
     * @param prefix whether lines carry their rank
     * @param colours whether the rank is coloured; on a terminal only
     * @param resultPrefix how the result line begins; empty if there is none
     */
    public record Style(boolean prefix, boolean colours, String resultPrefix) {}

    /** One of the launcher's two streams. */
    public record Target(OutputStream stream, boolean isTerminal) {}

    private final Target stdout;
    private final Target stderr;
    private final Style style;
    private final Screen outScreen;
    private final Screen errScreen;
    private final byte[] resultPrefix;
    private byte[] result = {};

    public JobOutput(Target stdout, Target stderr, Style style) {
        this.stdout = stdout;
        this.stderr = stderr;
        this.style = style;
        this.outScreen = new Screen();
        // Two streams on one terminal share its last line; two pipes must not wait for each other.
        this.errScreen = stdout.isTerminal() && stderr.isTerminal() ? outScreen : new Screen();
        this.resultPrefix = style.resultPrefix().getBytes(UTF_8);
    }

    /** True when nobody reads the lines of the job any more. */
    boolean isBroken() {
        return outScreen.isBroken();
    }

    LineSplitter stdoutOf(int rank) {
        byte[] prefix = prefix(rank, stdout);
        LineSplitter.LineHandler lines =
                rank == 0 && resultPrefix.length > 0
                        ? (line, length) -> printOrHold(prefix, line, length)
                        : (line, length) -> outScreen.print(stdout.stream(), prefix, line, length);
        return splitter(lines, outScreen, stdout, prefix);
    }

    LineSplitter stderrOf(int rank) {
        byte[] prefix = prefix(rank, stderr);
        return splitter(
                (line, length) -> errScreen.print(stderr.stream(), prefix, line, length),
                errScreen,
                stderr,
                prefix);
    }

    private static LineSplitter splitter(
            LineSplitter.LineHandler lines, Screen screen, Target target, byte[] prefix) {
        return new LineSplitter(
                lines,
                (line, length) -> screen.stand(target.stream(), prefix, line, length),
                target.isTerminal() ? CarriageReturn.ENDS_LINE : CarriageReturn.KEPT);
    }

    private synchronized void printOrHold(byte[] prefix, byte[] line, int length) {
        boolean isResult =
                length >= resultPrefix.length
                        && Arrays.equals(
                                line, 0, resultPrefix.length, resultPrefix, 0, resultPrefix.length);
        // What was held was not the last line after all.
        printHeld(prefix);
        if (isResult) {
            result = Arrays.copyOf(line, length);
        } else {
            outScreen.print(stdout.stream(), prefix, line, length);
        }
    }

    private void printHeld(byte[] prefix) {
        if (result.length > 0) {
            outScreen.print(stdout.stream(), prefix, result, result.length);
            result = new byte[0];
        }
    }

    /** All ranks are gone: prints what is left to say. */
    synchronized void finish(boolean wasGood, String complaint) {
        outScreen.stand(stdout.stream(), new byte[0], new byte[0], 0);
        errScreen.stand(stderr.stream(), new byte[0], new byte[0], 0);
        printHeld(wasGood ? new byte[0] : prefix(0, stdout));
        if (!complaint.isEmpty()) {
            say(complaint);
        }
    }

    /** A line of the launcher itself, on stderr. */
    public void say(String message) {
        byte[] line = message.getBytes(UTF_8);
        errScreen.print(stderr.stream(), "nexar: ".getBytes(UTF_8), line, line.length);
    }

    private byte[] prefix(int rank, Target target) {
        if (!style.prefix()) {
            return new byte[0];
        }
        String text = "[" + rank + "] ";
        if (style.colours() && target.isTerminal()) {
            text = "\033[%dm%s\033[0m".formatted(COLOURS[rank % COLOURS.length], text);
        }
        return text.getBytes(UTF_8);
    }
}
