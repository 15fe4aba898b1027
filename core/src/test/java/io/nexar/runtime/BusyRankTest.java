package io.nexar.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.MemberId;
import io.nexar.communicator.OpenCommunicators;
import io.nexar.fabric.Fabric;
import io.nexar.fabric.FabricSettings;
import io.nexar.fabric.IdleStrategy;
import io.nexar.fabric.Progress;
import io.nexar.observe.RankReport.Activity;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.concurrent.TimeUnit;

/** A rank whose state somebody holds while it is looked at. */
@Timeout(60)
class BusyRankTest {
    private static final long LOCK_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final MemberId self = new MemberId(0);
    private final Fabric fabric =
            new Fabric(
                    self,
                    new FabricSettings(4096, 256, 1088, 1024),
                    System::nanoTime,
                    (member, hasLeft, reason) -> {});
    private final Progress progress = new Progress(fabric, IdleStrategy.of(1, 1), System::nanoTime);

    private Activity look() {
        // A new one each time: a reporter gives the same report for a while.
        return new RankReporter(progress, fabric, new OpenCommunicators(), List.of(self), 0)
                .report(member -> -1)
                .activity();
    }

    @Test
    void theReportOfARankWhoseStateIsNotFreeSaysSoInTime() throws Exception {
        assertThat(look()).isEqualTo(Activity.IN_USER_CODE);
        progress.lock();
        try {
            long begin = System.nanoTime();
            Activity[] seen = new Activity[1];
            Thread looking = Thread.ofPlatform().start(() -> seen[0] = look());
            looking.join();
            assertThat(seen[0]).isEqualTo(Activity.BUSY);
            assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(LOCK_WAIT_NANOS);
        } finally {
            progress.unlock();
        }
        assertThat(look()).isEqualTo(Activity.IN_USER_CODE);
    }
}
