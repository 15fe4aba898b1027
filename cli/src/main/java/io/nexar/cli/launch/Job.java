package io.nexar.cli.launch;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A job on this host: starts the ranks, feeds {@link JobMachine} with what happens to them and does
 * what it says. The thread in {@link #run} owns everything but the queue of events.
 */
public final class Job {

    /**
     * 2 s: the bytes are in the pipes already; more only if a reader of the launcher's lines is
     * slow.
     */
    private static final Duration DRAIN = Duration.ofSeconds(2);

    /** Half a second: how soon a reader that went away is noticed. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** What a shell gives for a program that wrote to nobody: 128 + SIGPIPE. */
    private static final int EXIT_BROKEN_PIPE = 141;

    /** What a shell gives for a program that can't be executed. */
    private static final int EXIT_NOT_EXECUTABLE = 126;

    /** Hears that a rank's process is over. */
    public interface ExitListener {
        void onExit(int rank, int exitCode);
    }

    private sealed interface Event {
        record Exited(int rank, int exitCode) implements Event {}

        record Interrupted() implements Event {}

        record Failed(int exitCode, String what) implements Event {}
    }

    private final JobSpec spec;
    private final Sessions sessions;
    private final JobOutput output;
    private final ExitListener exits;
    private final JobMachine machine;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<RankProcess> ranks = new ArrayList<>();
    private final String mark = UUID.randomUUID().toString();
    private Effect.Over end = new Effect.Over(1, "");

    /** {@code exits} hears of every rank's exit at once, in the job's thread. */
    public Job(JobSpec spec, Programs programs, JobOutput output, ExitListener exits) {
        this.spec = spec;
        this.sessions = Sessions.with(programs::find);
        this.output = output;
        this.exits = exits;
        this.machine = new JobMachine(spec.ranks(), spec.timeLimit(), System.nanoTime());
    }

    /**
     * Asks the job to end, and returns when it has. Safe from any thread, also before the start.
     */
    public void interrupt() {
        events.add(new Event.Interrupted());
        try {
            over.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the job because a part of the launcher failed. Safe from any thread; does not wait. */
    public void fail(int exitCode, String what) {
        events.add(new Event.Failed(exitCode, what));
    }

    /** Runs the job to its end and returns the launcher's exit code. */
    public int run() throws InterruptedException {
        try {
            Keeper keeper =
                    Keeper.start(
                            sessions, mark, () -> fail(1, "the shell that watches the job died"));
            startAll(keeper);
            while (!machine.isOver()) {
                handleNext(keeper);
            }
            keeper.finish();
            drain();
            output.finish(end.exitCode() == 0, end.complaint());
            return end.exitCode();
        } finally {
            over.countDown();
        }
    }

    private void startAll(Keeper keeper) {
        for (int rank = 0; rank < spec.ranks() && machine.isRunning(); rank++) {
            start(rank, keeper);
            for (Event event = events.poll(); event != null; event = events.poll()) {
                handle(event, keeper);
            }
        }
    }

    private void start(int rank, Keeper keeper) {
        ProcessBuilder builder = new ProcessBuilder(sessions.inOwnSession(spec.command()));
        Map<String, String> environment = builder.environment();
        // Belongs to another job's join string.
        environment.remove("NEXAR_TOKEN");
        environment.putAll(spec.environment());
        environment.put("NEXAR_RANK", Integer.toString(rank));
        environment.put("NEXAR_WORLD_SIZE", Integer.toString(spec.ranks()));
        environment.put(Keeper.MARK, mark);
        try {
            RankProcess started = RankProcess.start(builder, rank, spec, output);
            ranks.add(started);
            keeper.keep(started.process());
            started.process()
                    .onExit()
                    .thenAccept(p -> events.add(new Event.Exited(rank, p.exitValue())));
            perform(machine.handleStarted(rank, started.process().pid()), keeper);
        } catch (IOException e) {
            String why = String.valueOf(e.getMessage());
            long now = System.nanoTime();
            perform(machine.handleStartFailed(rank, EXIT_NOT_EXECUTABLE, why, now), keeper);
        }
    }

    private void handleNext(Keeper keeper) throws InterruptedException {
        long wait = machine.nanosUntilNextDeadline(System.nanoTime());
        Event event = events.poll(Math.min(wait, LOOK_NANOS), TimeUnit.NANOSECONDS);
        if (event != null) {
            handle(event, keeper);
        }
        if (output.isBroken()) {
            handle(new Event.Failed(EXIT_BROKEN_PIPE, "nobody reads standard output"), keeper);
        }
        perform(machine.handleTime(System.nanoTime()), keeper);
    }

    private void handle(Event event, Keeper keeper) {
        if (event instanceof Event.Exited(int rank, int code)) {
            exits.onExit(rank, code);
        }
        long now = System.nanoTime();
        perform(
                switch (event) {
                    case Event.Exited(int rank, int code) -> machine.handleExited(rank, code, now);
                    case Event.Interrupted() -> machine.handleInterrupt(now);
                    case Event.Failed(int code, String what) ->
                            machine.handleFailure(code, what, now);
                },
                keeper);
    }

    private void perform(List<Effect> effects, Keeper keeper) {
        for (Effect effect : effects) {
            switch (effect) {
                case Effect.Terminate(int rank) -> keeper.terminate(ranks.get(rank).process());
                case Effect.Kill(int rank) -> keeper.kill(ranks.get(rank).process());
                case Effect.Release(int rank) -> keeper.drop(ranks.get(rank).process());
                case Effect.Over it -> end = it;
            }
        }
    }

    private void drain() throws InterruptedException {
        long deadlineNanos = System.nanoTime() + DRAIN.toNanos();
        for (RankProcess rank : ranks) {
            rank.drain(deadlineNanos);
        }
    }
}
