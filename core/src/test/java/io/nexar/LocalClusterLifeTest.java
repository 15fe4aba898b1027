package io.nexar;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;

class LocalClusterLifeTest {

    /**
     * Enough to meet the moment in which a progress thread is told to stop while it takes its lock.
     */
    private static final int CLUSTERS = 300;

    @Test
    // A thread of its own, since closing does not give way to an interrupt.
    @Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void closingEndsTheProgressThreadWhateverItIsAbout() {
        for (int i = 0; i < CLUSTERS; i++) {
            try (LocalCluster cluster = LocalCluster.start(1 + i % 2)) {
                Communicator first = cluster.communicators().getFirst();
                // Left open on purpose: closing finds something to end.
                first.withTimeout(Duration.ofMinutes(1))
                        .async()
                        .receive(DataBuffer.allocate(DataType.I64, 1), 0, 0);
            }
        }
    }
}
