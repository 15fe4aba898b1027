package io.nexar.cli.launch;

import java.util.Arrays;

/**
 * Cuts a stream of bytes into lines and knows nothing of their encoding but that a cut inside a
 * UTF-8 character is bad. A line longer than the bound is given out in pieces; the last line need
 * not end with a newline. Owned by the thread that reads the stream.
 */
final class LineSplitter {

    /** 64 KiB: what a pipe holds, so a longer line comes in pieces anyway. */
    static final int LINE_BYTES_MAX = 64 * 1024;

    /** Takes one line without its end. The array may be used again after the call. */
    interface LineHandler {
        void handleLine(byte[] bytes, int length);
    }

    /**
     * What becomes of a line that ends with a carriage return: a progress bar draws itself that
     * way.
     */
    enum CarriageReturn {
        /** It stays as it is, inside a longer line. */
        KEPT,
        /** It ends a line that the next one replaces. */
        ENDS_LINE
    }

    private final LineHandler lines;
    private final LineHandler replacedLines;
    private final CarriageReturn carriageReturn;
    private byte[] line = new byte[256];
    private int length;

    LineSplitter(LineHandler lines) {
        this(lines, lines, CarriageReturn.KEPT);
    }

    LineSplitter(LineHandler lines, LineHandler replacedLines, CarriageReturn carriageReturn) {
        this.lines = lines;
        this.replacedLines = replacedLines;
        this.carriageReturn = carriageReturn;
    }

    void handleBytes(byte[] bytes, int count) {
        for (int i = 0; i < count; i++) {
            handleByte(bytes[i]);
        }
    }

    private void handleByte(byte next) {
        boolean afterReturn =
                carriageReturn == CarriageReturn.ENDS_LINE
                        && length > 0
                        && line[length - 1] == '\r';
        if (next == '\n') {
            give(lines, afterReturn ? length - 1 : length);
            return;
        }
        if (afterReturn) {
            give(replacedLines, length - 1);
        }
        append(next);
    }

    /** The stream is over: what stands without a newline is a line as well. */
    void handleEnd() {
        if (length > 0) {
            give(lines, length);
        }
    }

    private void append(byte next) {
        if (length == LINE_BYTES_MAX) {
            givePiece();
        }
        if (length == line.length) {
            line = Arrays.copyOf(line, Math.min(2 * length, LINE_BYTES_MAX));
        }
        line[length++] = next;
    }

    private void give(LineHandler to, int bytes) {
        to.handleLine(line, bytes);
        length = 0;
    }

    /** Gives out a full buffer up to the start of its last character if that is not whole. */
    private void givePiece() {
        int cut = length - unfinishedCharacterBytes();
        byte[] rest = Arrays.copyOfRange(line, cut, length);
        lines.handleLine(line, cut);
        System.arraycopy(rest, 0, line, 0, rest.length);
        length = rest.length;
    }

    /** How many bytes at the end begin a UTF-8 character that is longer: 0 to 3. */
    private int unfinishedCharacterBytes() {
        for (int back = 1; back <= 3; back++) {
            int at = line[length - back] & 0xff;
            if ((at & 0xc0) != 0x80) {
                int characterBytes = at >= 0xf0 ? 4 : at >= 0xe0 ? 3 : at >= 0xc0 ? 2 : 1;
                return characterBytes > back ? back : 0;
            }
        }
        return 0;
    }
}
