package io.nexar.transport.quic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.socket.DatagramPacket;
import io.nexar.MemberId;
import io.nexar.transport.Link;
import io.nexar.transport.quic.QuicMembers.Job;
import io.nexar.transport.quic.QuicMembers.Member;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Dials over a network that loses one datagram of twenty, each way. */
class QuicLossTest {
    /** In every build; {@code -Dnexar.test.full=true} makes 6,400: of them some stalled before. */
    private static final int DIALS = Boolean.getBoolean("nexar.test.full") ? 6_400 : 64;

    private static final int DIALLERS = 16;

    private static final double LOSS = 0.05;

    private static final long SEED = 7;

    /**
     * What a handshake loses five times in a row is sent the sixth time by then: after the loss of
     * the first datagram its timer is at three seconds, and doubles.
     */
    private static final long TIMEOUT_SECONDS = 120;

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void everyDialUnderLossMakesALink() throws Exception {
        Job job = new Job("loss");
        List<Member> diallers = new ArrayList<>();
        long patienceMillis = TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS);
        try (Member dialled =
                new Member(
                        QuicMembers.settings(1, job.identity(1), () -> {}),
                        DIALLERS,
                        patienceMillis)) {
            for (int i = 0; i < DIALLERS; i++) {
                Member dialler =
                        new Member(QuicMembers.settings(2 + i, job.identity(2 + i), () -> {}));
                diallers.add(dialler);
                new LossyWire(SEED + i).putInto(dialler);
            }
            List<CompletableFuture<Integer>> done = new ArrayList<>();
            for (Member dialler : diallers) {
                done.add(dialOften(dialler, dialled, DIALS / DIALLERS));
            }
            for (CompletableFuture<Integer> one : done) {
                assertThat(one).as("seed %d", SEED).succeedsWithin(20, TimeUnit.MINUTES);
            }
        } finally {
            diallers.forEach(Member::close);
        }
    }

    /** One after the other, each link closed as soon as it is made. */
    private static CompletableFuture<Integer> dialOften(Member from, Member to, int times) {
        if (times == 0) {
            return CompletableFuture.completedFuture(0);
        }
        MemberId peer = to.endpoint.settings().self();
        CompletableFuture<Link> dial =
                from.endpoint.connect(
                        peer, to.endpoint.address(), TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS));
        return dial.orTimeout(2 * TIMEOUT_SECONDS, TimeUnit.SECONDS)
                .thenCompose(link -> {
                    link.close("dialled");
                    return dialOften(from, to, times - 1);
                });
    }

    private static final class LossyWire extends LateWire {
        private final SplittableRandom random;

        LossyWire(long seed) {
            super(TimeUnit.MILLISECONDS.toNanos(1));
            random = new SplittableRandom(seed);
        }

        @Override
        boolean isLost(Way way, DatagramPacket datagram) {
            return random.nextDouble() < LOSS;
        }
    }
}
