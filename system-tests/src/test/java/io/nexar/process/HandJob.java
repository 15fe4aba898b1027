package io.nexar.process;

import io.nexar.cli.Launcher;
import io.nexar.rendezvous.AddressBook;
import io.nexar.rendezvous.SeedEvent;
import io.nexar.rendezvous.SeedServer;
import io.nexar.rendezvous.SeedSettings;
import io.nexar.security.JobAuthority;
import io.nexar.security.Token;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A job without a launcher: the test holds the seed and starts each rank itself, so that nobody
 * ends the survivors, and nobody but the ranks and the seed can notice a death.
 */
final class HandJob extends ForkedJob {
    private final Path folder;
    private final SeedServer seed;
    private final Queue<SeedEvent> events = new ConcurrentLinkedQueue<>();
    private final List<Launcher> workers = new ArrayList<>();

    private HandJob(Path folder, int size, Duration formation) {
        super(size);
        this.folder = folder;
        SecureRandom random = new SecureRandom();
        InstantSource clock = InstantSource.system();
        this.seed =
                SeedServer.start(
                        new SeedSettings(
                                JobAuthority.create("by-hand", clock.instant(), random),
                                Token.random(random),
                                size,
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                                null,
                                null,
                                formation.toNanos(),
                                AddressBook.DIRECT,
                                clock,
                                System::nanoTime,
                                Thread.ofPlatform().name("test-seed").daemon().factory(),
                                events::add));
    }

    /** The seed alone; {@link #startRank} brings the ranks. */
    static HandJob seed(Path folder, int size, Duration formation) {
        return new HandJob(folder, size, formation);
    }

    /** All ranks with the same program. */
    static HandJob start(Path folder, int size, List<String> program) {
        HandJob job = seed(folder, size, Duration.ofMinutes(2));
        for (int rank = 0; rank < size; rank++) {
            job.startRank(rank, program);
        }
        return job;
    }

    /** Starts the next rank; ranks are started in order, or one again that has gone. */
    Launcher startRank(int rank, List<String> program) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "env",
                                // Ignored in a build in the background, and a JVM leaves it so.
                                "--default-signal=INT",
                                "NEXAR_SEED=" + seed.joinString().reveal(),
                                "NEXAR_RANK=" + rank,
                                "NEXAR_TIMEOUT_DIAL=" + DIAL));
        command.addAll(program);
        Launcher worker = Launcher.start(folder, command);
        if (rank < workers.size()) {
            workers.set(rank, worker);
        } else {
            workers.add(worker);
        }
        return worker;
    }

    SeedServer seedServer() {
        return seed;
    }

    /** What the seed has told so far. */
    List<SeedEvent> events() {
        return List.copyOf(events);
    }

    Launcher worker(int rank) {
        return workers.get(rank);
    }

    @Override
    List<String> lines(int rank) {
        return rank < workers.size() ? workers.get(rank).wholeLines() : List.of();
    }

    @Override
    String told() {
        StringBuilder all = new StringBuilder("seed: " + events);
        for (int rank = 0; rank < workers.size(); rank++) {
            all.append("; rank ").append(rank).append(": ").append(workers.get(rank).lines());
        }
        return all.toString();
    }

    @Override
    public void close() {
        AssertionError leak = null;
        for (Launcher worker : workers) {
            try {
                worker.close();
            } catch (AssertionError failure) {
                leak = failure;
            }
        }
        seed.close();
        if (leak != null) {
            throw leak;
        }
    }
}
