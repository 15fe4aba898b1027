package io.nexar.cli;

/** The exit codes that this program gives by itself; {@code docs/command-line.md} explains them. */
final class ExitCodes {

    static final int OK = 0;

    /** It could not do its work; the message says why. */
    static final int FAILED = 1;

    /** The command line is wrong; nothing was started. */
    static final int USAGE = 2;

    private ExitCodes() {}
}
