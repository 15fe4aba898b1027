package io.nexar.cli.bench;

import io.nexar.LocalCluster;
import io.nexar.Nexar;
import io.nexar.NexarConfig;

import java.io.PrintStream;

/**
 * What the processes of a measurement run: one rank of a job, or all ranks of a cluster inside this
 * JVM. Rank 0 prints a line a result, for {@link BenchResult#parse}.
 */
public final class BenchRank {
    /** Before each result. */
    public static final String RESULT = "bench ";

    private BenchRank() {}

    public static void main(String[] words) {
        BenchSpec spec = BenchSpec.parse(words);
        if (spec.isLocal()) {
            NexarConfig config = NexarConfig.fromEnvironment();
            try (LocalCluster cluster = LocalCluster.start(spec.ranks(), config)) {
                cluster.run(world -> new BenchRunner(world, spec, "local").run(BenchRank::print));
            }
            return;
        }
        try (Nexar nexar = Nexar.join()) {
            String transport = Carriers.ofJob(nexar.world());
            new BenchRunner(nexar.world(), spec, transport).run(BenchRank::print);
        }
    }

    private static void print(BenchResult result) {
        PrintStream out = System.out;
        out.println(RESULT + result.line());
        out.flush();
    }
}
