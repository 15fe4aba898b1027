package io.nexar.transport.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.security.Credentials;
import io.nexar.security.JobAuthority;
import io.nexar.security.TlsContexts;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Control connections that end in the ways that kernels have. */
@Timeout(60)
class BrokenConnectionTest {
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final Queue<Thread> loops = new ConcurrentLinkedQueue<>();
    private ControlServer server;

    @BeforeEach
    void listen() {
        JobAuthority authority = JobAuthority.create("broken", Instant.now(), new SecureRandom());
        Credentials seed = authority.issueSeed(Instant.now());
        SSLContext tls = TlsContexts.joinServer(seed);
        server =
                ControlServer.start(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                        () -> TlsContexts.joinServerEngine(tls),
                        this::loop,
                        new Noted());
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aResetOfAHalfClosedConnectionIsNoticedWithinASecondAndCostsNoProcessorTime()
            throws Exception {
        // Pitfall 47: shutdownOutput, then a reset; before TLS and in the middle of it.
        try (Socket raw = connect()) {
            assertThat(events.poll(10, TimeUnit.SECONDS)).isEqualTo("open");
            raw.shutdownOutput();
            reset(raw);
            requireClosed();
        }
        try (Socket raw = connect()) {
            SSLSocket secured = secure(raw);
            secured.getOutputStream().write(new byte[] {2, 0, 0, 0, 7, 7});
            assertThat(events.poll(10, TimeUnit.SECONDS)).isEqualTo("open");
            assertThat(events.poll(10, TimeUnit.SECONDS)).isEqualTo("message of 2");
            raw.shutdownOutput();
            reset(raw);
            requireClosed();
        }
        requireIdle();
    }

    @Test
    void aPeerThatOnlyStopsToSendIsClosedToo() throws Exception {
        try (Socket raw = connect()) {
            secure(raw);
            assertThat(events.poll(10, TimeUnit.SECONDS)).isEqualTo("open");
            raw.shutdownOutput();
            requireClosed();
            requireIdle();
        }
    }

    private Thread loop(Runnable task) {
        Thread thread = new Thread(task, "broken-connections");
        loops.add(thread);
        return thread;
    }

    private Socket connect() throws Exception {
        return new Socket(server.address().getAddress(), server.address().getPort());
    }

    /** With a linger of 0 the kernel sends a reset instead of an end. */
    private static void reset(Socket raw) throws Exception {
        raw.setSoLinger(true, 0);
        raw.close();
    }

    private static SSLSocket secure(Socket raw) throws Exception {
        SSLContext trusting = SSLContext.getInstance("TLSv1.3");
        trusting.init(null, new TrustManager[] {new TrustAll()}, null);
        SSLSocket secured =
                (SSLSocket)
                        trusting.getSocketFactory()
                                .createSocket(raw, "localhost", raw.getPort(), false);
        secured.startHandshake();
        return secured;
    }

    private void requireClosed() throws InterruptedException {
        assertThat(events.poll(1, TimeUnit.SECONDS)).isEqualTo("closed");
        assertThat(events).isEmpty();
    }

    /** A loop that spins on a dead socket uses all of its time. */
    private void requireIdle() throws InterruptedException {
        var threads = ManagementFactory.getThreadMXBean();
        Thread loop = loops.element();
        long before = threads.getThreadCpuTime(loop.threadId());
        assertThat(events.poll(500, TimeUnit.MILLISECONDS)).isNull();
        long usedNanos = threads.getThreadCpuTime(loop.threadId()) - before;
        assertThat(usedNanos).isLessThan(TimeUnit.MILLISECONDS.toNanos(100));
    }

    private final class Noted implements ControlListener {
        @Override
        public void onOpen(ControlConnection connection) {
            events.add("open");
        }

        @Override
        public void onMessage(ControlConnection connection, byte[] message) {
            events.add("message of " + message.length);
        }

        @Override
        public void onClosed(ControlConnection connection, String reason) {
            events.add("closed");
        }
    }

    /** Whom it talks to does not matter here. */
    private static final class TrustAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
