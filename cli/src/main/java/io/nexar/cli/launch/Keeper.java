package io.nexar.cli.launch;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The launcher's hand in the system: a small shell in a session of its own that signals process
 * groups on request and kills whatever is left of the job when the pipe from here to it is closed,
 * however the launcher ended. See {@code keeper.sh} beside this class.
 *
 * <p>Not thread-safe: the job's thread owns it.
 */
final class Keeper {

    /** The environment variable by which a process of this job is known, wherever it moved. */
    static final String MARK = "_NEXAR_JOB";

    /** 5 s: one look through /proc takes milliseconds, on a laden machine perhaps a second. */
    private static final long END_SECONDS = 5;

    private final Process shell;
    private final OutputStream requests;
    private boolean broken;

    private Keeper(Process shell) {
        this.shell = shell;
        this.requests = shell.getOutputStream();
    }

    /** {@code whenGone} runs when the shell ends, which it does not by itself. */
    static Keeper start(Sessions sessions, String mark, Runnable whenGone) {
        ProcessBuilder builder =
                new ProcessBuilder(
                                sessions.inOwnSession(
                                        List.of("sh", "-c", script(), "nexar-keeper", mark)))
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD);
        // A launcher may itself be a rank's command: the outer job must not sweep the inner keeper
        // away.
        builder.environment().remove(MARK);
        try {
            Process shell = builder.start();
            shell.onExit().thenRun(whenGone);
            return new Keeper(shell);
        } catch (IOException e) {
            throw new LaunchException(
                    1, "cannot start a shell to watch the job: " + e.getMessage());
        }
    }

    void keep(Process leader) {
        request("keep", leader);
    }

    void terminate(Process leader) {
        if (!request("TERM", leader)) {
            leader.destroy();
        }
    }

    void kill(Process leader) {
        if (!request("KILL", leader)) {
            leader.descendants().forEach(ProcessHandle::destroyForcibly);
            leader.destroyForcibly();
        }
    }

    /** Kills what an exited leader left behind in its group. */
    void drop(Process leader) {
        request("drop", leader);
    }

    /** Kills what is left of the job and returns when that is done. */
    void finish() {
        try {
            requests.write("done\n".getBytes(UTF_8));
            requests.close();
        } catch (IOException e) {
            broken = true;
        }
        try {
            if (!shell.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                shell.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * False when the shell is gone: then the caller uses what the JDK has, which knows no groups.
     */
    private boolean request(String verb, Process leader) {
        try {
            requests.write((verb + " " + leader.pid() + "\n").getBytes(UTF_8));
            requests.flush();
        } catch (IOException e) {
            broken = true;
        }
        return !broken;
    }

    private static String script() {
        try (InputStream in = Keeper.class.getResourceAsStream("keeper.sh")) {
            if (in == null) {
                throw new IllegalStateException("keeper.sh is not beside the program");
            }
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
