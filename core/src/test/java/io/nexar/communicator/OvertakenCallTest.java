package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Algorithm;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.Request;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Calls that have used up the credit which an earlier one needs, piece after piece. */
@Timeout(60)
class OvertakenCallTest {
    /** Credit for 16 pieces of 16 doubles. */
    private static final NexarConfig CONFIG =
            NexarConfig.defaults()
                    .with("nexar.collective.hostPieceBytes", "128")
                    .with("nexar.collective.creditBytes", "2KiB");

    private static final int PIECES = 50;
    private static final int LATER = 20;

    /**
     * Along the tree from rank 1 the vector comes to rank 0 by way of rank 3, which begins what it
     * broadcasts itself before anything of that has come.
     */
    @Test
    void theEarlierCallGoesOnWithTheOnePieceThatTheyLeaveIt() {
        CountDownLatch sent = new CountDownLatch(1);
        try (LocalCluster cluster = LocalCluster.start(4, CONFIG)) {
            cluster.run(world -> {
                Communicator tree = world.withAlgorithm(Algorithm.BINOMIAL_TREE);
                if (world.rank() == 1) {
                    sent.await();
                }
                double[] early = values(world.rank() == 1 ? 7 : 0, PIECES * 16);
                List<Request<Void>> requests = new ArrayList<>();
                requests.add(tree.async().broadcast(DataBuffer.of(early), 1));
                if (world.rank() != 3) {
                    requests.getFirst().await();
                    assertThat(early).isEqualTo(values(7, PIECES * 16));
                }
                List<double[]> later = new ArrayList<>();
                for (int call = 0; call < LATER; call++) {
                    later.add(values(world.rank() == 3 ? call + 1 : 0, 2));
                    requests.add(tree.async().broadcast(DataBuffer.of(later.getLast()), 3));
                }
                sent.countDown();
                requests.forEach(Request::await);
                for (int call = 0; call < LATER; call++) {
                    assertThat(later.get(call)).isEqualTo(values(call + 1, 2));
                }
                assertThat(early).isEqualTo(values(7, PIECES * 16));
            });
        }
    }

    private static double[] values(double first, int count) {
        double[] values = new double[count];
        Arrays.setAll(values, i -> first == 0 ? 0 : first + i * 0.5);
        return values;
    }
}
