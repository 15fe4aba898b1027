package io.nexar.examples;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.Nexar;
import io.nexar.ReduceOp;

/**
 * A job without launcher: a seed in one terminal, a worker in each of two others. This program is a
 * worker. The seed writes the join string, which holds the job's secret, into a file that only its
 * owner can read; a worker finds it in {@code NEXAR_SEED}.
 */
public final class SeedAndWorkers {

    private static final String COMMANDS =
            """
            Three terminals, all in the folder of the source tree:

              1: ./nexar seed -n 2 --join-file job.join
              2: export NEXAR_SEED="$(cat job.join)"
                 $(tools/find-jdk)/bin/java --enable-native-access=ALL-UNNAMED \\
                   -cp "$(cat cli/target/classpath.txt)" io.nexar.examples.SeedAndWorkers
              3: the same as in 2
            """;

    private SeedAndWorkers() {}

    public static void main(String[] args) {
        try (Nexar nexar = Nexar.join()) {
            if (!nexar.config().isSet("nexar.seed")) {
                System.err.print(COMMANDS);
                return;
            }
            System.out.println(meet(nexar.world()));
        }
    }

    static String meet(Communicator world) {
        long[] pids = {ProcessHandle.current().pid()};
        world.allReduce(DataBuffer.of(pids), ReduceOp.MAX);
        return "rank %d of %d; the highest process id among us is %d"
                .formatted(world.rank(), world.size(), pids[0]);
    }
}
