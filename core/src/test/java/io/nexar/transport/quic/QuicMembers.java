package io.nexar.transport.quic;

import io.nexar.MemberId;
import io.nexar.NexarConfig;
import io.nexar.security.Credentials;
import io.nexar.security.JobAuthority;
import io.nexar.security.NodeIdentity;
import io.nexar.security.NodeKey;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Link;
import io.nexar.transport.LinkPair;

import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Makes members of jobs, with real certificates, and their endpoints. */
final class QuicMembers {
    static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** A job's authority; certificates are made as the seed makes them. */
    static final class Job {
        private final SecureRandom random = new SecureRandom();
        private final JobAuthority authority;

        Job(String id) {
            authority = JobAuthority.create(id, Instant.now(), random);
        }

        EndpointSettings.Identity identity(long member) {
            NodeKey key = NodeKey.generate(random);
            NodeIdentity node = new NodeIdentity(authority.jobId(), member);
            Credentials made =
                    key.credentials(
                            authority.sign(key.signingRequest(), node, Instant.now()),
                            authority.certificate());
            return new EndpointSettings.Identity(
                    authority.jobId(), made.key(), made.certificate(), made.authority());
        }
    }

    /** An endpoint with what it has accepted and refused. */
    static final class Member implements AutoCloseable {
        final BlockingQueue<Link> accepted = new LinkedBlockingQueue<>();
        final BlockingQueue<String> refused = new LinkedBlockingQueue<>();
        final QuicEndpoint endpoint;

        Member(EndpointSettings settings) {
            this(settings, 512, 10_000);
        }

        Member(EndpointSettings settings, int pendingMax, long handshakeMillisMax) {
            EndpointSettings withQueue =
                    new EndpointSettings(
                            settings.self(),
                            settings.identity(),
                            settings.bind(),
                            settings.config(),
                            settings.isMember(),
                            accepted::add,
                            settings.wakeUp(),
                            settings.threads());
            endpoint =
                    new QuicTransport(
                                    InstantSource.system(),
                                    System::nanoTime,
                                    new Strangers(pendingMax, handshakeMillisMax, refused::add))
                            .open(withQueue);
        }

        Link takeAccepted() throws InterruptedException {
            Link link = accepted.poll(20, TimeUnit.SECONDS);
            if (link == null) {
                throw new AssertionError("no link was accepted within 20 s; refused: " + refused);
            }
            return link;
        }

        String takeRefused() throws InterruptedException {
            String reason = refused.poll(20, TimeUnit.SECONDS);
            if (reason == null) {
                throw new AssertionError("nothing was refused within 20 s");
            }
            return reason;
        }

        @Override
        public void close() {
            endpoint.close();
        }
    }

    private QuicMembers() {}

    static EndpointSettings settings(
            long self, EndpointSettings.Identity identity, Runnable wakeUp) {
        return settings(self, identity, any -> true, wakeUp);
    }

    static EndpointSettings settings(
            long self,
            EndpointSettings.Identity identity,
            Predicate<MemberId> isMember,
            Runnable wakeUp) {
        return settings(self, identity, isMember, wakeUp, task -> new Thread(task, "quic-" + self));
    }

    /** Links with any member, none of which is polled. */
    static EndpointSettings settings(
            long self, EndpointSettings.Identity identity, ThreadFactory threads) {
        return settings(self, identity, any -> true, () -> {}, threads);
    }

    private static EndpointSettings settings(
            long self,
            EndpointSettings.Identity identity,
            Predicate<MemberId> isMember,
            Runnable wakeUp,
            ThreadFactory threads) {
        return new EndpointSettings(
                new MemberId(self),
                identity,
                InetAddress.ofLiteral("127.0.0.1"),
                NexarConfig.defaults(),
                isMember,
                link -> {},
                wakeUp,
                threads);
    }

    /** One whose windows are far below a frame, so that every edge of flow control is met. */
    static Member tiny(Job job, long self, Runnable wakeUp) {
        NexarConfig config = NexarConfig.defaults().with("nexar.quic.connectionWindow", "512KiB");
        EndpointSettings settings = settings(self, job.identity(self), wakeUp);
        return new Member(with(settings, settings.bind(), config));
    }

    static EndpointSettings with(EndpointSettings from, InetAddress bind, NexarConfig config) {
        return new EndpointSettings(
                from.self(),
                from.identity(),
                bind,
                config,
                from.isMember(),
                from.onLink(),
                from.wakeUp(),
                from.threads());
    }

    /** Two members of one job and the link between them; the left one dialled. */
    static LinkPair pair(Runnable leftWakeUp, Runnable rightWakeUp) throws Exception {
        Job job = new Job("contract");
        Member left = new Member(settings(3, job.identity(3), leftWakeUp));
        Member right = new Member(settings(5, job.identity(5), rightWakeUp));
        Link dialled = dial(left, right);
        return new LinkPair(
                dialled, right.takeAccepted(), () -> List.of(left, right).forEach(Member::close));
    }

    static Link dial(Member from, Member to) throws Exception {
        return from.endpoint
                .connect(to.endpoint.settings().self(), to.endpoint.address(), TIMEOUT_NANOS)
                .get(30, TimeUnit.SECONDS);
    }
}
