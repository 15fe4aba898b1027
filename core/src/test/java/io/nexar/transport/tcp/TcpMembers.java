package io.nexar.transport.tcp;

import io.nexar.MemberId;
import io.nexar.NexarConfig;
import io.nexar.security.Credentials;
import io.nexar.security.JobAuthority;
import io.nexar.security.NodeIdentity;
import io.nexar.security.NodeKey;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Link;
import io.nexar.transport.LinkPair;
import io.nexar.transport.PeerAddress;

import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Makes members of jobs, with real certificates, and their TCP endpoints. */
final class TcpMembers {
    static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(20);
    static final int WINDOW_BYTES = 1 << 20;
    static final Limits LIMITS = new Limits(64, TimeUnit.SECONDS.toNanos(10), WINDOW_BYTES);

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

    /** How a test wants its member. */
    record Wish(
            Protection protection,
            Limits limits,
            Predicate<MemberId> isMember,
            Runnable wakeUp,
            InstantSource clock) {
        static Wish plain() {
            return new Wish(Protection.TLS, LIMITS, any -> true, () -> {}, InstantSource.system());
        }

        Wish with(Protection other) {
            return new Wish(other, limits, isMember, wakeUp, clock);
        }

        Wish with(Limits other) {
            return new Wish(protection, other, isMember, wakeUp, clock);
        }

        Wish with(Predicate<MemberId> other) {
            return new Wish(protection, limits, other, wakeUp, clock);
        }

        Wish with(Runnable other) {
            return new Wish(protection, limits, isMember, other, clock);
        }

        Wish at(InstantSource other) {
            return new Wish(protection, limits, isMember, wakeUp, other);
        }
    }

    /** An endpoint with what it has accepted and refused. */
    static final class Member implements AutoCloseable {
        final BlockingQueue<Link> accepted = new LinkedBlockingQueue<>();
        final BlockingQueue<String> refused = new LinkedBlockingQueue<>();
        final TcpEndpoint endpoint;

        Member(long self, EndpointSettings.Identity identity, Wish wish) {
            EndpointSettings settings =
                    new EndpointSettings(
                            new MemberId(self),
                            identity,
                            InetAddress.ofLiteral("127.0.0.1"),
                            NexarConfig.defaults(),
                            wish.isMember(),
                            accepted::add,
                            wish.wakeUp(),
                            task -> new Thread(task, "tcp-" + self));
            endpoint =
                    new TcpTransport(
                                    wish.clock(), System::nanoTime, refused::add, wish.protection())
                            .open(settings, wish.limits());
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

    private TcpMembers() {}

    /** Two members of one job and the link between them; the left one dialled. */
    static LinkPair pair(Wish leftWish, Wish rightWish) throws Exception {
        Job job = new Job("contract");
        Member left = new Member(3, job.identity(3), leftWish);
        Member right = new Member(5, job.identity(5), rightWish);
        Link dialled = dial(left, right);
        return new LinkPair(
                dialled, right.takeAccepted(), () -> List.of(left, right).forEach(Member::close));
    }

    static Link dial(Member from, Member to) throws Exception {
        return dial(from, to, to.endpoint.address());
    }

    /** The same where the way leads through somebody else. */
    static Link dial(Member from, Member to, PeerAddress at) throws Exception {
        return from.endpoint
                .connect(to.endpoint.settings().self(), at, TIMEOUT_NANOS)
                .get(30, TimeUnit.SECONDS);
    }
}
