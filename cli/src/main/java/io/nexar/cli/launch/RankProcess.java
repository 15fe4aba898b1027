package io.nexar.cli.launch;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.util.List;

/**
 * One rank's process and the threads that carry its bytes. A pump ends with its stream, which is
 * when the last process that holds the other end is gone.
 */
final class RankProcess {

    /** 16 KiB: a quarter of a pipe, so the rank goes on writing while a chunk is passed on. */
    private static final int CHUNK_BYTES = 16 * 1024;

    private final Process process;
    private final List<Thread> pumps;

    private RankProcess(Process process, List<Thread> pumps) {
        this.process = process;
        this.pumps = pumps;
    }

    /** {@code builder} is complete but for its streams. */
    static RankProcess start(ProcessBuilder builder, int rank, JobSpec spec, JobOutput output)
            throws IOException {
        boolean reads = spec.inputRank() == rank;
        builder.redirectInput(reads ? Redirect.PIPE : Redirect.from(new File("/dev/null")));
        Process process = builder.start();
        if (reads) {
            pump("nexar-stdin-of-" + rank, () -> pass(System.in, process.getOutputStream()));
        }
        LineSplitter stdout = output.stdoutOf(rank);
        LineSplitter stderr = output.stderrOf(rank);
        return new RankProcess(
                process,
                List.of(
                        pump(
                                "nexar-stdout-of-" + rank,
                                () -> split(process.getInputStream(), stdout)),
                        pump(
                                "nexar-stderr-of-" + rank,
                                () -> split(process.getErrorStream(), stderr))));
    }

    Process process() {
        return process;
    }

    /** Waits until all that the rank wrote is passed on, or until the time is up. */
    void drain(long deadlineNanos) throws InterruptedException {
        for (Thread pump : pumps) {
            long millis = Math.max(1, (deadlineNanos - System.nanoTime()) / 1_000_000);
            pump.join(millis);
        }
    }

    private static Thread pump(String name, Runnable work) {
        return Thread.ofPlatform().name(name).daemon().start(work);
    }

    private static void split(InputStream from, LineSplitter to) {
        byte[] chunk = new byte[CHUNK_BYTES];
        try {
            for (int count = from.read(chunk); count >= 0; count = from.read(chunk)) {
                to.handleBytes(chunk, count);
            }
        } catch (IOException e) {
            // The JDK closes the stream of an ended process under a reader: that is its end.
        }
        to.handleEnd();
    }

    private static void pass(InputStream from, OutputStream to) {
        byte[] chunk = new byte[CHUNK_BYTES];
        try (to) {
            for (int count = from.read(chunk); count >= 0; count = from.read(chunk)) {
                to.write(chunk, 0, count);
                to.flush();
            }
        } catch (IOException e) {
            // The rank reads no more, or is gone; its exit code says what the job needs to know.
        }
    }
}
