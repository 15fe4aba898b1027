package io.nexar.rendezvous;

import io.nexar.InterruptedOperationException;
import io.nexar.ProtocolException;
import io.nexar.RendezvousException;
import io.nexar.observe.RankReport;
import io.nexar.rendezvous.JoinMessage.Observation;
import io.nexar.security.JoinString;
import io.nexar.security.PinTrust;
import io.nexar.security.TlsContexts;
import io.nexar.transport.net.ControlClient;
import io.nexar.transport.net.ControlConnection;
import io.nexar.transport.net.ControlListener;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;

/**
 * Looks at a job through its seed, and changes nothing there: shows the token, asks for one page of
 * members after the other, and collects what they answer.
 *
 * <p>The calling thread runs the conversation; what the connection's thread hears comes by a queue,
 * which holds no more than the seed sends for one page.
 */
public final class StatusClient {

    /**
     * How long the seed may say nothing: five times what it gives the members to answer. A seed
     * that was stopped, or is far away, is not worth more of a person's patience.
     */
    private static final long SILENCE_NANOS = 5 * Observers.ANSWER_NANOS;

    private sealed interface Event {
        record Opened(ControlConnection connection) implements Event {}

        record Came(byte[] message) implements Event {}

        record Ended(String reason) implements Event {}
    }

    private final JoinString seed;
    private final long dialNanos;
    private final ThreadFactory threads;
    private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
    private final Map<Long, MemberRow> rows = new LinkedHashMap<>();
    private final Map<Long, byte[]> answers = new HashMap<>();

    private StatusClient(JoinString seed, long dialNanos, ThreadFactory threads) {
        this.seed = seed;
        this.dialNanos = dialNanos;
        this.threads = threads;
    }

    /**
     * Asks once, and blocks until all members have answered or are given up.
     *
     * @param dialNanos for the dial, its TLS handshake included ({@code nexar.timeout.dial})
     * @param threads makes the connection's one thread
     * @throws RendezvousException if the seed can't be reached, refuses, or stops to answer
     * @throws InterruptedOperationException if the thread is interrupted; its flag is set again
     */
    public static JobStatus look(JoinString seed, long dialNanos, ThreadFactory threads) {
        return new StatusClient(seed, dialNanos, threads).run();
    }

    private JobStatus run() {
        SSLContext tls = TlsContexts.joinClient(new PinTrust(seed.pin(), InstantSource.system()));
        try (ControlClient client =
                new ControlClient(() -> TlsContexts.clientEngine(tls), threads, new Listener())) {
            client.connect(
                    candidates(),
                    dialNanos,
                    failure -> events.add(new Event.Ended(String.valueOf(failure.getMessage()))));
            // The dial ends by itself; a little more, so that its own reason is heard.
            if (await(dialNanos + SILENCE_NANOS) instanceof Event.Opened opened) {
                return converse(opened.connection());
            }
            throw failure("it sent something before it was asked");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedOperationException(null, e);
        } catch (ProtocolException e) {
            throw new RendezvousException(describe(e.problem()), List.of(), e);
        }
    }

    private JobStatus converse(ControlConnection connection) throws InterruptedException {
        send(connection, new Observation.Observe(seed.job(), seed.token().reveal()));
        JoinMessage first = next();
        if (!(first instanceof Observation.Observed observed)) {
            throw unexpected(first);
        }
        int from = 0;
        while (from != JoinMessage.ANY) {
            send(connection, new Observation.Look(from));
            int after = readPage();
            if (after != JoinMessage.ANY && after <= from) {
                throw failure("row " + after + " is said to follow row " + from);
            }
            from = after;
        }
        return status(observed);
    }

    /** Takes in what comes for one page; returns where the next begins. */
    private int readPage() throws InterruptedException {
        while (true) {
            JoinMessage message = next();
            switch (message) {
                case Observation.Rows part ->
                        part.rows().forEach(row -> rows.put(row.memberId(), row));
                case Observation.Answer answer when rows.containsKey(answer.memberId()) ->
                        answers.put(answer.memberId(), answer.report());
                case Observation.Looked looked -> {
                    return looked.next();
                }
                default -> throw unexpected(message);
            }
        }
    }

    private JobStatus status(Observation.Observed observed) {
        List<JobStatus.Member> members = new ArrayList<>();
        for (MemberRow row : rows.values()) {
            members.add(member(row, answers.get(row.memberId())));
        }
        return new JobStatus(
                seed.job(),
                observed.phase(),
                observed.worldSize(),
                observed.phaseNanos(),
                observed.formationNanosLeft(),
                observed.failure(),
                members);
    }

    private static JobStatus.Member member(MemberRow row, byte @Nullable [] answer) {
        if (row.standing() != MemberRow.Standing.RUNNING) {
            return new JobStatus.Member(row, null, "");
        }
        if (answer == null) {
            long seconds = TimeUnit.NANOSECONDS.toSeconds(Observers.ANSWER_NANOS);
            return new JobStatus.Member(row, null, "no answer within " + seconds + " s");
        }
        try {
            RankReport report = ReportCodec.decode(answer, "rank " + row.rank());
            return new JobStatus.Member(row, report, "");
        } catch (ProtocolException e) {
            return new JobStatus.Member(row, null, "unreadable answer: " + e.problem());
        }
    }

    private JoinMessage next() throws InterruptedException {
        return switch (await(SILENCE_NANOS)) {
            case Event.Came came -> JoinCodec.decode(came.message(), "the seed");
            case Event.Opened _ -> throw new IllegalStateException("opened twice");
            case Event.Ended ended -> throw failure(ended.reason());
        };
    }

    private Event await(long timeoutNanos) throws InterruptedException {
        Event event = events.poll(timeoutNanos, TimeUnit.NANOSECONDS);
        if (event == null) {
            throw failure(
                    "it says nothing for "
                            + TimeUnit.NANOSECONDS.toSeconds(timeoutNanos)
                            + " s; its process may be stopped");
        }
        if (event instanceof Event.Ended ended) {
            throw failure(ended.reason());
        }
        return event;
    }

    private List<InetSocketAddress> candidates() {
        try {
            return Arrays.stream(InetAddress.getAllByName(seed.host()))
                    .map(address -> new InetSocketAddress(address, seed.port()))
                    .toList();
        } catch (UnknownHostException e) {
            throw new RendezvousException(describe("its name is unknown"), List.of(), e);
        }
    }

    private static void send(ControlConnection connection, Observation message) {
        connection.send(JoinCodec.encode(message));
    }

    private RendezvousException unexpected(JoinMessage message) {
        return failure(
                message instanceof JoinMessage.Refused refused
                        ? "refused: " + refused.reason()
                        : message.getClass().getSimpleName() + " is not expected");
    }

    private RendezvousException failure(String reason) {
        return new RendezvousException(describe(reason), List.of());
    }

    private String describe(String reason) {
        return "seed " + seed.host() + ":" + seed.port() + ": " + reason;
    }

    private final class Listener implements ControlListener {
        @Override
        public void onOpen(ControlConnection connection) {
            events.add(new Event.Opened(connection));
        }

        @Override
        public void onMessage(ControlConnection connection, byte[] message) {
            events.add(new Event.Came(message));
        }

        @Override
        public void onClosed(ControlConnection connection, String reason) {
            events.add(new Event.Ended(reason));
        }
    }
}
