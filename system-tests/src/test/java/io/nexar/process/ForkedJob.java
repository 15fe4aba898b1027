package io.nexar.process;

import io.nexar.cli.Launcher;
import io.nexar.cli.Processes;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The processes of one job, as they are started in earnest or by hand, and what each rank has said.
 * Every program says its process id first ({@link Say#sayWho}).
 */
abstract class ForkedJob implements AutoCloseable {
    /** Several JVMs start together on few and busy cores. */
    private static final Duration SAID = Duration.ofMinutes(3);

    /** A handshake of JVMs that start beside other builds; dials are not what is tested here. */
    static final String DIAL = "60s";

    private static final Duration GONE = Duration.ofSeconds(15);

    private final int size;

    ForkedJob(int size) {
        this.size = size;
    }

    final int size() {
        return size;
    }

    /** What this rank has printed so far, whole lines only. */
    abstract List<String> lines(int rank);

    /** All that was printed, for a failure's message. */
    abstract String told();

    /** The rest of the first line of this rank that begins so, if it was printed. */
    final Optional<String> said(int rank, String word) {
        return lines(rank).stream()
                .filter(line -> line.startsWith(word + " ") || line.equals(word))
                .map(line -> line.substring(word.length()).strip())
                .findFirst();
    }

    final String awaitWord(int rank, String word) {
        try {
            Launcher.await(
                    "the word " + word + " of rank " + rank,
                    SAID,
                    () -> said(rank, word).isPresent());
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "; " + told(), e);
        }
        return said(rank, word).orElseThrow();
    }

    final void awaitAll(String word) {
        for (int rank = 0; rank < size; rank++) {
            awaitWord(rank, word);
        }
    }

    final ProcessHandle process(int rank) {
        long pid = Long.parseLong(awaitWord(rank, "process"));
        return ProcessHandle.of(pid)
                .orElseThrow(() -> new AssertionError("rank " + rank + " is gone; " + told()));
    }

    /** SIGKILL; returns when that was, on the clock of {@link Say#micros}. */
    final long kill(int rank) {
        ProcessHandle victim = process(rank);
        long micros = Say.micros(Instant.now());
        if (!victim.destroyForcibly()) {
            throw new AssertionError("can't kill rank " + rank);
        }
        return micros;
    }

    final void signal(String name, int rank) {
        Launcher.signal(name, process(rank).pid());
    }

    /** What must be gone once the job is over: every process that carries this text. */
    static void requireGone(String mark) {
        Launcher.await(
                "the end of all processes with " + mark,
                GONE,
                () -> Processes.carrying(mark).isEmpty());
    }

    static List<Integer> others(int size, int rank) {
        List<Integer> others = new ArrayList<>();
        for (int other = 0; other < size; other++) {
            if (other != rank) {
                others.add(other);
            }
        }
        return others;
    }

    @Override
    public abstract void close();
}
