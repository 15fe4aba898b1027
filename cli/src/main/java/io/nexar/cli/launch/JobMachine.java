package io.nexar.cli.launch;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Decides when a job ends, and how. Events and the time come in, effects go out; it starts and
 * signals nothing itself.
 *
 * <p>A job runs until all ranks have exited with 0, or until its first trouble: a rank that exits
 * with another code, a rank that cannot be started, the time limit, an interrupt, a part of the
 * launcher that fails. From then on it is ending: every rank still there gets SIGTERM at once, and
 * SIGKILL after a grace period (or at the next interrupt). The first trouble alone decides exit
 * code and complaint; how the others end is its consequence.
 *
 * <p>Not thread-safe: one thread owns it.
 */
final class JobMachine {

    /** 2 s to say goodbye to the peers and to flush files; a dead rank must end all within 5 s. */
    static final Duration GRACE = Duration.ofSeconds(2);

    /** 1 s for the kernel to end a killed process; one that stays hangs inside the kernel. */
    static final Duration KILLED = Duration.ofSeconds(1);

    /** The exit code of {@code timeout(1)}. */
    static final int EXIT_TIMEOUT = 124;

    /** What a shell gives after an interrupt from the keyboard: 128 + SIGINT. */
    static final int EXIT_INTERRUPTED = 130;

    private enum State {
        WAITING,
        RUNNING,
        GONE
    }

    /** The first trouble; {@code others} ranks were still there when it came. */
    private record Trouble(int exitCode, String what, int others) {

        String told() {
            String which = what.startsWith("rank ") ? "the other " : "";
            return switch (others) {
                case 0 -> what;
                case 1 -> what + "; ended " + which + "1 rank";
                default -> what + "; ended " + which + others + " ranks";
            };
        }
    }

    private final State[] states;
    private final long[] pids;
    private final long timeLimitNanos;
    private final Duration timeLimit;
    private @Nullable Trouble trouble;
    private long killAtNanos;
    private boolean killed;
    private boolean over;

    /**
     * @param startNanos the time now, on the clock of all later events
     * @param timeLimit zero for none
     */
    JobMachine(int ranks, Duration timeLimit, long startNanos) {
        this.states = new State[ranks];
        Arrays.fill(states, State.WAITING);
        this.pids = new long[ranks];
        this.timeLimit = timeLimit;
        this.timeLimitNanos = startNanos + timeLimit.toNanos();
    }

    /** True once the machine has given {@link Effect.Over}. */
    boolean isOver() {
        return over;
    }

    /** True while ranks may still be started. */
    boolean isRunning() {
        return trouble == null && !over;
    }

    List<Effect> handleStarted(int rank, long pid) {
        states[rank] = State.RUNNING;
        pids[rank] = pid;
        // Trouble came while this rank was being started.
        return isRunning() ? List.of() : List.of(new Effect.Terminate(rank));
    }

    List<Effect> handleStartFailed(int rank, int exitCode, String why, long nowNanos) {
        states[rank] = State.GONE;
        return begin(exitCode, "rank %d could not be started: %s".formatted(rank, why), nowNanos);
    }

    List<Effect> handleExited(int rank, int exitCode, long nowNanos) {
        states[rank] = State.GONE;
        List<Effect> effects = new ArrayList<>();
        effects.add(new Effect.Release(rank));
        if (exitCode != 0 && isRunning()) {
            String what = "rank %d (pid %d) %s".formatted(rank, pids[rank], Exits.told(exitCode));
            effects.addAll(begin(exitCode, what, nowNanos));
        } else {
            effects.addAll(finishIfAllGone());
        }
        return effects;
    }

    /** SIGINT or SIGTERM of the launcher. A second one does not wait for the grace period's end. */
    List<Effect> handleInterrupt(long nowNanos) {
        if (isRunning()) {
            return begin(EXIT_INTERRUPTED, "interrupted", nowNanos);
        }
        return killed || over ? List.of() : kill(nowNanos);
    }

    /** A part of the launcher that the job can't go on without has failed. */
    List<Effect> handleFailure(int exitCode, String what, long nowNanos) {
        return isRunning() ? begin(exitCode, what, nowNanos) : List.of();
    }

    List<Effect> handleTime(long nowNanos) {
        if (over) {
            return List.of();
        }
        if (isRunning()) {
            if (timeLimit.isZero() || nowNanos - timeLimitNanos < 0) {
                return List.of();
            }
            String limit = DurationText.of(timeLimit);
            String what = "time limit of %s reached; %s still ran".formatted(limit, present());
            return begin(EXIT_TIMEOUT, what, nowNanos);
        }
        if (nowNanos - killAtNanos < 0) {
            return List.of();
        }
        return killed ? giveUp() : kill(nowNanos);
    }

    /** How long nothing happens without an event: at least 0, Long.MAX_VALUE for "for ever". */
    long nanosUntilNextDeadline(long nowNanos) {
        if (over || (isRunning() && timeLimit.isZero())) {
            return Long.MAX_VALUE;
        }
        return Math.max(0, (isRunning() ? timeLimitNanos : killAtNanos) - nowNanos);
    }

    private List<Effect> begin(int exitCode, String what, long nowNanos) {
        for (int rank = 0; rank < states.length; rank++) {
            if (states[rank] == State.WAITING) {
                states[rank] = State.GONE;
            }
        }
        trouble = new Trouble(exitCode, what, (int) running().count());
        killAtNanos = nowNanos + GRACE.toNanos();
        List<Effect> effects = new ArrayList<>();
        running().forEach(rank -> effects.add(new Effect.Terminate(rank)));
        effects.addAll(finishIfAllGone());
        return effects;
    }

    private List<Effect> kill(long nowNanos) {
        killed = true;
        killAtNanos = nowNanos + KILLED.toNanos();
        return running().<Effect>mapToObj(Effect.Kill::new).toList();
    }

    private List<Effect> giveUp() {
        return List.of(end("; still there after SIGKILL: " + present()));
    }

    private List<Effect> finishIfAllGone() {
        for (State state : states) {
            if (state != State.GONE) {
                return List.of();
            }
        }
        return List.of(end(""));
    }

    private Effect.Over end(String more) {
        over = true;
        return trouble == null
                ? new Effect.Over(0, "")
                : new Effect.Over(trouble.exitCode(), trouble.told() + more);
    }

    /** The ranks still there, as in {@code ranks 1, 3}. */
    private String present() {
        String ranks = running().mapToObj(Integer::toString).collect(Collectors.joining(", "));
        return (running().count() == 1 ? "rank " : "ranks ") + ranks;
    }

    private IntStream running() {
        return IntStream.range(0, states.length).filter(rank -> states[rank] == State.RUNNING);
    }
}
