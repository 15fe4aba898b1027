package io.nexar.cli.launch;

/** The job can't be started. The message is for the user; the exit code is the launcher's. */
public final class LaunchException extends RuntimeException {

    private final int exitCode;

    public LaunchException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }
}
