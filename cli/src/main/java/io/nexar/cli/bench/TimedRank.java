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

import java.util.ArrayList;
import java.util.List;

/**
 * What the processes of a measurement run: times kinds of calls, on one rank of a job or on all
 * ranks of a cluster inside this JVM. Rank 0 prints the nanoseconds and what carried the calls.
 */
public final class TimedRank {
    /** Before what carried the calls, and the nanoseconds of each kind, with blanks between. */
    public static final String RESULT = "nanos ";

    /** Before the kinds. */
    private static final int WORDS = 3;

    private static final int WORDS_OF_KIND = 3;

    private TimedRank() {}

    /** What it understands; {@code localRanks} is 0 for a rank of a job. */
    public static List<String> words(int localRanks, List<Kind> kinds, Effort effort) {
        List<String> words = new ArrayList<>();
        words.add(String.valueOf(localRanks));
        words.add(String.valueOf(effort.turns()));
        words.add(String.valueOf(effort.warmNanos()));
        for (Kind kind : kinds) {
            words.add(kind.operation().name());
            words.add(kind.algorithm().name());
            words.add(String.valueOf(kind.bytes()));
        }
        return words;
    }

    public static void main(String[] words) {
        int localRanks = Integer.parseInt(words[0]);
        Effort effort = new Effort(Integer.parseInt(words[1]), Long.parseLong(words[2]));
        List<Kind> kinds = kinds(words);
        if (localRanks > 0) {
            NexarConfig config = NexarConfig.fromEnvironment();
            try (LocalCluster cluster = LocalCluster.start(localRanks, config)) {
                cluster.run(world -> time(world, kinds, effort, "local"));
            }
            return;
        }
        try (Nexar nexar = Nexar.join()) {
            String carriers = Carriers.ofJob(nexar.world());
            time(nexar.world(), kinds, effort, carriers);
        }
    }

    private static List<Kind> kinds(String[] words) {
        List<Kind> kinds = new ArrayList<>();
        for (int i = WORDS; i < words.length; i += WORDS_OF_KIND) {
            kinds.add(
                    new Kind(
                            Operation.valueOf(words[i]),
                            Algorithm.valueOf(words[i + 1]),
                            Long.parseLong(words[i + 2])));
        }
        return kinds;
    }

    private static void time(Communicator world, List<Kind> kinds, Effort effort, String carriers) {
        double[] nanos = Stopwatch.time(world, kinds, effort);
        if (world.rank() == 0) {
            StringBuilder line = new StringBuilder(RESULT).append(carriers);
            for (double each : nanos) {
                line.append(' ').append(each);
            }
            System.out.println(line);
            System.out.flush();
        }
    }
}
