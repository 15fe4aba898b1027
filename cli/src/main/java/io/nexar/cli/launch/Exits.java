package io.nexar.cli.launch;

import java.util.Map;

/** Exit codes as a person reads them. */
final class Exits {

    /** A process ended by signal s has the exit code 128 + s, here as in every shell. */
    private static final int SIGNAL_BASE = 128;

    /** The signals that end programs in practice; their numbers are the same on Linux and macOS. */
    private static final Map<Integer, String> SIGNALS =
            Map.of(
                    1, "SIGHUP",
                    2, "SIGINT",
                    3, "SIGQUIT",
                    4, "SIGILL",
                    6, "SIGABRT",
                    8, "SIGFPE",
                    9, "SIGKILL",
                    11, "SIGSEGV",
                    13, "SIGPIPE",
                    15, "SIGTERM");

    private Exits() {}

    /** {@code exited with code 3}, or {@code exited with code 137 (SIGKILL)}. */
    static String told(int exitCode) {
        String signal = SIGNALS.get(exitCode - SIGNAL_BASE);
        return "exited with code " + exitCode + (signal == null ? "" : " (" + signal + ")");
    }
}
