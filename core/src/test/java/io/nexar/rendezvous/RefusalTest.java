package io.nexar.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.security.JobAuthority;
import io.nexar.security.JoinString;
import io.nexar.security.Pin;
import io.nexar.security.PinTrust;
import io.nexar.security.TlsContexts;
import io.nexar.security.Token;

import org.junit.jupiter.api.Test;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLSocket;

/** Who must not get in: told why, on both sides, while the honest form. */
class RefusalTest {

    private static boolean wasRefused(Job job, String reason) {
        return job.told.stream()
                .anyMatch(event ->
                        event instanceof SeedEvent.Refused refused
                                && refused.reason().contains(reason));
    }

    private static JoinString with(JoinString old, String jobName, Pin pin, Token token) {
        return new JoinString(old.host(), old.port(), jobName, pin, token);
    }

    @Test
    void badWorkersAreRefusedWithTheReasonOnBothSidesWhileTheHonestForm() throws Exception {
        try (Job job = Job.start(2, Job.FORMATION)) {
            JoinString right = job.seed.joinString();
            SecureRandom random = new SecureRandom();
            Pin otherPin =
                    Pin.of(
                            JobAuthority.create("job", Instant.now(), random)
                                    .issueSeed(Instant.now())
                                    .certificate());
            Token otherToken = Token.random(random);
            Future<Formation> first = job.join(0);
            Job.await(() -> job.seed.status().members() == 1);
            var wrongToken =
                    job.join(
                            job.changed(1, it -> with(it, "job", it.pin(), otherToken)),
                            new Job.Loopback());
            var wrongJob =
                    job.join(
                            job.changed(1, it -> with(it, "other", it.pin(), it.token())),
                            new Job.Loopback());
            var wrongPin =
                    job.join(
                            job.changed(1, it -> with(it, "job", otherPin, it.token())),
                            new Job.Loopback());
            var sameRank = job.join(0);
            assertThat(Job.failure(wrongToken)).hasMessageContaining("the token is wrong");
            assertThat(Job.failure(wrongJob))
                    .hasMessageContaining("this is job job, not job other");
            assertThat(Job.failure(wrongPin))
                    .hasMessageContaining("pin")
                    .hasMessageContaining("expected");
            assertThat(Job.failure(sameRank)).hasMessageContaining("rank 0 is already taken by");
            Job.await(() -> wasRefused(job, "the token is wrong"));
            Job.await(() -> wasRefused(job, "not job other"));
            Job.await(() -> wasRefused(job, "rank 0 is already taken"));
            Formation second = job.join(1).get(30, TimeUnit.SECONDS);
            assertThat(second.rank()).isEqualTo(1);
            assertThat(first.get(30, TimeUnit.SECONDS).rank()).isZero();
            assertThat(Job.failure(job.join(1))).hasMessageContaining("already taken");
            assertThat(right.toString()).doesNotContain(right.token().reveal());
        }
    }

    @Test
    void aWorkerOfAnotherVersionIsToldBothVersions() throws Exception {
        try (Job job = Job.start(1, Job.FORMATION);
                SSLSocket socket = tls(job)) {
            byte[] hello = JoinCodec.encode(new JoinMessage.Go());
            ByteBuffer.wrap(hello).order(ByteOrder.LITTLE_ENDIAN).putShort(4, (short) 9);
            send(socket, hello);
            assertThat(receive(socket))
                    .isInstanceOf(JoinMessage.Refused.class)
                    .asString()
                    .contains("version 9")
                    .contains("here is 1");
            Job.await(() -> wasRefused(job, "version 9"));
            assertThat(job.join(0).get(30, TimeUnit.SECONDS).rank()).isZero();
        }
    }

    @Test
    void strangersThatSayNothingOrGarbageHarmNobody() throws Exception {
        // Pitfall 82: whoever could reach the port could make the listener keep, or run, things.
        try (Job job = Job.start(2, Job.FORMATION)) {
            List<Socket> strangers = new ArrayList<>();
            try {
                for (int i = 0; i < 20; i++) {
                    Socket stranger = new Socket();
                    stranger.connect(job.seed.address());
                    strangers.add(stranger);
                }
                for (Socket stranger : strangers.subList(10, 20)) {
                    stranger.getOutputStream()
                            .write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                    stranger.setSoTimeout(10_000);
                    int read = stranger.getInputStream().readNBytes(64).length;
                    assertThat(read).as("no more than a TLS alert").isLessThan(16);
                }
                try (SSLSocket liar = tls(job)) {
                    liar.getOutputStream().write(new byte[] {-1, -1, -1, -1, 0, 0});
                    liar.getOutputStream().flush();
                    liar.setSoTimeout(10_000);
                    assertThat(liar.getInputStream().read()).isEqualTo(-1);
                }
                assertThat(job.joinAll(2)).hasSize(2);
                Job.await(() -> wasRefused(job, "a message of 4294967295 bytes is above 65536"));
            } finally {
                for (Socket stranger : strangers) {
                    stranger.close();
                }
            }
        }
    }

    @Test
    void twoJobsOnOneHostNeverMix() throws Exception {
        // Pitfall 71: jobs that shared a rendezvous path joined each other.
        try (Job one = Job.start(InetAddress.getLoopbackAddress(), "one", 2, Job.FORMATION);
                Job two = Job.start(InetAddress.getLoopbackAddress(), "two", 2, Job.FORMATION)) {
            JoinString crossed =
                    new JoinString(
                            "127.0.0.1",
                            two.seed.joinString().port(),
                            "one",
                            one.seed.joinString().pin(),
                            one.seed.joinString().token());
            Future<Formation> lost = one.join(Job.settings(crossed, 0), new Job.Loopback());
            assertThat(Job.failure(lost)).hasMessageContaining("not the one of the join string");
            assertThat(one.joinAll(2)).allMatch(it -> it.identity().job().equals("one"));
            assertThat(two.joinAll(2)).allMatch(it -> it.identity().job().equals("two"));
        }
    }

    @Test
    void settingsThatMustAgreeAreComparedByNameAndValue() throws Exception {
        try (Job job = Job.start(2, Job.FORMATION)) {
            job.join(0);
            Job.await(() -> job.seed.status().members() == 1);
            JoinSettings base = job.settings(1);
            JoinSettings other =
                    new JoinSettings(
                            base.seed(),
                            1,
                            2,
                            Map.of("nexar.check", "full"),
                            base.host(),
                            null,
                            base.timeouts(),
                            new Random(1),
                            base.nanoClock(),
                            base.threads());
            assertThat(Job.failure(job.join(other, new Job.Loopback())))
                    .hasMessageContaining("nexar.check is basic in the job and full here");
        }
    }

    private static SSLSocket tls(Job job) throws IOException {
        InetSocketAddress address = job.seed.address();
        PinTrust trust = new PinTrust(job.seed.joinString().pin(), InstantSource.system());
        SSLSocket socket =
                (SSLSocket)
                        TlsContexts.joinClient(trust)
                                .getSocketFactory()
                                .createSocket(address.getAddress(), address.getPort());
        socket.setSSLParameters(TlsContexts.joinParameters());
        socket.startHandshake();
        return socket;
    }

    private static void send(SSLSocket socket, byte[] message) throws IOException {
        OutputStream out = socket.getOutputStream();
        ByteBuffer frame = ByteBuffer.allocate(4 + message.length).order(ByteOrder.LITTLE_ENDIAN);
        out.write(frame.putInt(message.length).put(message).array());
        out.flush();
    }

    private static JoinMessage receive(SSLSocket socket) throws IOException {
        socket.setSoTimeout(10_000);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] message = new byte[Integer.reverseBytes(in.readInt())];
        in.readFully(message);
        return JoinCodec.decode(message, "the seed");
    }
}
