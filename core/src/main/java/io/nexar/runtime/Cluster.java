package io.nexar.runtime;

import io.nexar.Communicator;
import io.nexar.InterruptedOperationException;
import io.nexar.NexarConfig;
import io.nexar.RankFailuresException;
import io.nexar.RankFunction;
import io.nexar.spi.ClusterRuntime;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs tasks on the ranks of a cluster, one platform thread a rank. */
public final class Cluster implements ClusterRuntime {
    private final RankGroup group;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Cluster(RankGroup group) {
        this.group = group;
    }

    public static Cluster start(int ranks, NexarConfig config) {
        if (ranks < 1) {
            throw new IllegalArgumentException("a cluster of " + ranks + " ranks; 1 is the least");
        }
        String transport = config.get("nexar.transport");
        return new Cluster(
                switch (transport) {
                    case "auto", "local" -> new LocalRanks(ranks, config);
                    default -> new JoinedRanks(ranks, config);
                });
    }

    @Override
    public List<Communicator> communicators() {
        return group.communicators();
    }

    @Override
    public <T> List<T> call(RankFunction<T> task) {
        List<Communicator> worlds = group.communicators();
        Run<T> run = new Run<>(task, worlds.size());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < worlds.size(); i++) {
            int rank = i;
            threads.add(RankThreads.task(rank, () -> run.rank(rank, worlds.get(rank))));
        }
        threads.forEach(Thread::start);
        join(threads);
        return run.results();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            group.close();
        }
    }

    private static void join(List<Thread> threads) {
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException interrupt) {
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
            throw new InterruptedOperationException(null, interrupt);
        }
    }

    /** One task on all ranks: what each returned or threw. */
    private final class Run<T> {
        private final RankFunction<T> task;
        private final List<@Nullable T> results = new ArrayList<>();
        private final Map<Integer, Throwable> failures = new TreeMap<>();
        private final AtomicInteger first = new AtomicInteger(-1);

        Run(RankFunction<T> task, int ranks) {
            this.task = task;
            for (int i = 0; i < ranks; i++) {
                results.add(null);
            }
        }

        void rank(int rank, Communicator world) {
            try {
                T result = task.apply(world);
                synchronized (this) {
                    results.set(rank, result);
                }
            } catch (Throwable failure) {
                synchronized (this) {
                    failures.put(rank, failure);
                }
                first.compareAndSet(-1, rank);
                group.taskFailed(rank, failure);
            }
        }

        @SuppressWarnings("NullAway") // A rank's null is what its task returned.
        synchronized List<T> results() {
            if (!failures.isEmpty()) {
                throw new RankFailuresException(first.get(), failures);
            }
            return new ArrayList<>(results);
        }
    }
}
