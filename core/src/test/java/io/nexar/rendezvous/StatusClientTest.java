package io.nexar.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.RendezvousException;
import io.nexar.observe.ProcessReport;
import io.nexar.observe.RankReport;
import io.nexar.security.JobAuthority;
import io.nexar.security.JoinString;
import io.nexar.security.Pin;
import io.nexar.security.Token;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** A real seed on loopback, members in threads of this JVM, and those who look. */
@Timeout(120)
class StatusClientTest {

    private static final long DIAL_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static JobStatus look(JoinString seed) {
        return StatusClient.look(seed, DIAL_NANOS, Thread.ofPlatform().daemon().factory());
    }

    private static byte[] report(int threads) {
        RankReport report = RankReport.busy(new ProcessReport(1, 2, threads, 4));
        return ReportCodec.encode(report, ReportCodec.REPORT_BYTES_MIN);
    }

    private static void answer(Formation formation, byte[] report) {
        formation
                .tether()
                .listen(event -> {
                    if (event instanceof TetherEvent.Asked asked) {
                        formation.tether().report(asked.query(), report);
                    }
                });
    }

    private static int threads(JobStatus status, int rank) {
        return Objects.requireNonNull(status.members().get(rank).report()).process().threads();
    }

    @Test
    void everyMemberAnswersAndOneThatDoesNotIsShownSilent() throws Exception {
        try (Job job = Job.start(4, Job.FORMATION)) {
            List<Formation> formations = job.joinAll(4);
            answer(formations.get(0), report(10));
            answer(formations.get(1), new byte[] {99});
            answer(formations.get(3), report(13));
            JobStatus status = look(job.seed.joinString());
            assertThat(status.phase()).isEqualTo(SeedPhase.RUNNING);
            assertThat(status.members())
                    .extracting(it -> it.row().rank())
                    .containsExactly(0, 1, 2, 3);
            assertThat(threads(status, 0)).isEqualTo(10);
            assertThat(threads(status, 3)).isEqualTo(13);
            assertThat(status.members().get(1).silence()).contains("unreadable answer");
            assertThat(status.members().get(2).silence()).isEqualTo("no answer within 2 s");
            assertThat(status.members().get(2).row().pid()).isEqualTo(4711);
            assertThat(job.seed.status().members()).isEqualTo(4);
        }
    }

    @Test
    void aJobThatFormsNamesTheRanksThatAreMissing() throws Exception {
        try (Job job = Job.start(3, Job.FORMATION)) {
            job.join(1);
            Job.await(() -> job.seed.status().members() == 1);
            JobStatus status = look(job.seed.joinString());
            assertThat(status.phase()).isEqualTo(SeedPhase.GATHERING);
            assertThat(status.missing()).isEqualTo(2);
            assertThat(status.missingRanks()).containsExactly(0, 2);
            assertThat(status.formationNanosLeft()).isPositive();
        }
    }

    @Test
    void aWrongTokenAndAWrongPinAreRefused() throws Exception {
        try (Job job = Job.start(1, Job.FORMATION)) {
            JoinString right = job.seed.joinString();
            SecureRandom random = new SecureRandom();
            JoinString wrongToken =
                    new JoinString(
                            right.host(),
                            right.port(),
                            right.job(),
                            right.pin(),
                            Token.random(random));
            Pin otherPin =
                    Pin.of(
                            JobAuthority.create("job", Instant.now(), random)
                                    .issueSeed(Instant.now())
                                    .certificate());
            JoinString wrongPin =
                    new JoinString(
                            right.host(), right.port(), right.job(), otherPin, right.token());
            assertThatThrownBy(() -> look(wrongToken))
                    .isInstanceOf(RendezvousException.class)
                    .hasMessageContaining("refused: the token is wrong");
            assertThatThrownBy(() -> look(wrongPin))
                    .isInstanceOf(RendezvousException.class)
                    .hasMessageContaining("pin");
            assertThat(look(right).members()).isEmpty();
        }
    }

    @Test
    void aSeedThatIsGoneOrSilentIsAnErrorInTimeThatNamesIt() throws Exception {
        JoinString gone;
        try (Job job = Job.start(1, Job.FORMATION)) {
            gone = job.seed.joinString();
        }
        assertThatThrownBy(() -> look(gone))
                .isInstanceOf(RendezvousException.class)
                .hasMessageContaining("seed 127.0.0.1:" + gone.port())
                .hasMessageContaining("refused");
        try (ServerSocket silent = silent()) {
            JoinString mute =
                    new JoinString(
                            "127.0.0.1", silent.getLocalPort(), "job", gone.pin(), gone.token());
            long dialNanos = TimeUnit.MILLISECONDS.toNanos(300);
            assertThatThrownBy(() ->
                            StatusClient.look(
                                    mute, dialNanos, Thread.ofPlatform().daemon().factory()))
                    .isInstanceOf(RendezvousException.class)
                    .hasMessageContaining("said nothing within 300 ms");
        }
    }

    private static ServerSocket silent() throws IOException {
        return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    }
}
