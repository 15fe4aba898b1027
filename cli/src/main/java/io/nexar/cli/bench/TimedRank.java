package io.nexar.cli.bench;

import io.nexar.Algorithm;
import io.nexar.Communicator;
import io.nexar.LocalCluster;
import io.nexar.Nexar;
import io.nexar.NexarConfig;
import io.nexar.cli.simulate.Stopwatch;
import io.nexar.cli.simulate.Stopwatch.Effort;
import io.nexar.cli.simulate.Stopwatch.Kind;
import io.nexar.collective.plan.Operation;

import java.util.List;

/**
 * What the processes of a measurement run: times one kind of call, on one rank of a job or on all
 * ranks of a cluster inside this JVM. Rank 0 prints the nanoseconds and what carried the call.
 */
public final class TimedRank {
    /** Before the nanoseconds, a blank, and the carriers. */
    public static final String RESULT = "nanos ";

    private TimedRank() {}

    /** What it understands; {@code localRanks} is 0 for a rank of a job. */
    public static List<String> words(int localRanks, Kind kind, Effort effort) {
        return List.of(
                String.valueOf(localRanks),
                kind.operation().name(),
                kind.algorithm().name(),
                String.valueOf(kind.bytes()),
                String.valueOf(effort.batches()),
                String.valueOf(effort.warmNanos()),
                String.valueOf(effort.warmCalls()));
    }

    public static void main(String[] words) {
        int localRanks = Integer.parseInt(words[0]);
        Kind kind =
                new Kind(
                        Operation.valueOf(words[1]),
                        Algorithm.valueOf(words[2]),
                        Long.parseLong(words[3]));
        Effort effort =
                new Effort(
                        Integer.parseInt(words[4]),
                        Long.parseLong(words[5]),
                        Long.parseLong(words[6]));
        if (localRanks > 0) {
            NexarConfig config = NexarConfig.fromEnvironment();
            try (LocalCluster cluster = LocalCluster.start(localRanks, config)) {
                cluster.run(world -> time(world, kind, effort, "local"));
            }
            return;
        }
        try (Nexar nexar = Nexar.join()) {
            String carriers = Carriers.ofJob(nexar.world());
            time(nexar.world(), kind, effort, carriers);
        }
    }

    private static void time(Communicator world, Kind kind, Effort effort, String carriers) {
        double nanos = Stopwatch.time(world, List.of(kind), effort)[0];
        if (world.rank() == 0) {
            System.out.println(RESULT + nanos + " " + carriers);
            System.out.flush();
        }
    }
}
