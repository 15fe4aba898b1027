package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Algorithm;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.ReduceOp;
import io.nexar.Request;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.PlanCatalog;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

/** Requests in place, several at a time, against blocking calls with two buffers. */
@Timeout(120)
class RequestsInPlaceTest {
    /** 32 doubles to a slice, of which the longest has several. */
    private static final NexarConfig CONFIG =
            NexarConfig.defaults()
                    .with("nexar.collective.pieceBytes", "256")
                    .with("nexar.collective.hostPieceBytes", "256")
                    .with("nexar.collective.creditBytes", "512");

    private static final int[] COUNTS = {2, 100, 1};

    // Pitfall 14: a request in place ends with what a blocking call of two buffers gives.
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
    void requestsInPlaceEndLikeBlockingCallsOfTwoBuffers(int size) {
        try (LocalCluster cluster = LocalCluster.start(size, CONFIG)) {
            cluster.run(world -> {
                for (Algorithm algorithm : PlanCatalog.algorithms(Operation.ALL_REDUCE)) {
                    compare(world.withAlgorithm(algorithm), String.valueOf(algorithm));
                }
            });
        }
    }

    private static void compare(Communicator world, String algorithm) {
        List<double[]> inPlace = new ArrayList<>();
        List<Request<?>> requests = new ArrayList<>();
        for (int count : COUNTS) {
            double[] data = values(world.rank(), count);
            inPlace.add(data);
            requests.add(world.async().allReduce(DataBuffer.of(data), ReduceOp.SUM));
        }
        for (int i = COUNTS.length - 1; i >= 0; i--) {
            requests.get(i).await();
        }
        for (int i = 0; i < COUNTS.length; i++) {
            double[] result = new double[COUNTS[i]];
            double[] send = values(world.rank(), COUNTS[i]);
            world.allReduce(DataBuffer.of(send), DataBuffer.of(result), ReduceOp.SUM);
            assertThat(inPlace.get(i)).as("%s of %d", algorithm, COUNTS[i]).isEqualTo(result);
            assertThat(send).isEqualTo(values(world.rank(), COUNTS[i]));
        }
    }

    /** Of rank r: r, 1/r, and so on. */
    private static double[] values(int rank, int count) {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = i % 2 == 0 ? rank + i : 1.0 / (rank + i);
        }
        return values;
    }
}
