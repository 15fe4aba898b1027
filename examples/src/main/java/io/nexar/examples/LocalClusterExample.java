package io.nexar.examples;

import io.nexar.DataBuffer;
import io.nexar.LocalCluster;
import io.nexar.ReduceOp;

import java.util.List;

/**
 * Four ranks inside one JVM, each a thread: for tests and notebooks. {@code ./nexar run -n 1
 * local-cluster}.
 */
public final class LocalClusterExample {

    private LocalClusterExample() {}

    public static void main(String[] args) {
        System.out.println("local-cluster: " + sums(4));
    }

    /** What each rank holds after all have added their numbers up. */
    static List<Long> sums(int ranks) {
        try (LocalCluster cluster = LocalCluster.start(ranks)) {
            return cluster.call(world -> {
                long[] sum = {world.rank()};
                world.allReduce(DataBuffer.of(sum), ReduceOp.SUM);
                return sum[0];
            });
        }
    }
}
