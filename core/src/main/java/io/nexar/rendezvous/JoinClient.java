package io.nexar.rendezvous;

import io.nexar.InterruptedOperationException;
import io.nexar.MemberId;
import io.nexar.ProtocolException;
import io.nexar.RendezvousException;
import io.nexar.security.Certificates;
import io.nexar.security.Credentials;
import io.nexar.security.NodeIdentity;
import io.nexar.security.NodeKey;
import io.nexar.security.PinTrust;
import io.nexar.security.TlsContexts;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.net.ControlClient;
import io.nexar.transport.net.ControlFailure;
import io.nexar.transport.net.ControlFailure.Kind;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;

/**
 * Joins a job: {@link JoinMachine} over a connection to the seed.
 *
 * <p>The joining thread waits for work from the machine (dial, open endpoints, link) and does it;
 * messages come in the connection's thread. {@link SeedConnection} holds the machine between them.
 */
public final class JoinClient {

    private static final System.Logger LOG = System.getLogger(JoinClient.class.getName());

    /** How long a worker that gives up lets its last words go out. */
    private static final long LAST_WORDS_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final JoinSettings settings;
    private final DataPlane dataPlane;
    private final NodeKey key;
    private final SeedConnection seed;
    private EndpointSettings.@Nullable Identity identity;
    private @Nullable MemberId self;

    private JoinClient(JoinSettings settings, DataPlane dataPlane) {
        this.settings = settings;
        this.dataPlane = dataPlane;
        this.key = NodeKey.generate(new SecureRandom());
        SSLContext tls =
                TlsContexts.joinClient(new PinTrust(settings.seed().pin(), InstantSource.system()));
        JoinMachine machine =
                new JoinMachine(
                        hello(),
                        settings.timeouts(),
                        settings.random(),
                        settings.nanoClock().getAsLong());
        this.seed = new SeedConnection(machine, settings.nanoClock());
        seed.attach(
                new ControlClient(() -> TlsContexts.clientEngine(tls), settings.threads(), seed));
    }

    /**
     * Joins and blocks until the job has formed, at the latest until the formation deadline.
     *
     * @throws RendezvousException if this worker is refused, or the job does not form
     * @throws InterruptedOperationException if the thread is interrupted; its flag is set again
     */
    public static Formation join(JoinSettings settings, DataPlane dataPlane) {
        return new JoinClient(settings, dataPlane).run();
    }

    private Formation run() {
        boolean isFormed = false;
        try {
            while (true) {
                JoinEffect work = seed.awaitWork();
                if (work instanceof JoinEffect.Formed formed) {
                    isFormed = true;
                    return formation(formed);
                }
                perform(work);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            seed.step(machine -> machine.handleGivenUp("its joining thread was interrupted"));
            throw new InterruptedOperationException(null, e);
        } finally {
            if (!isFormed) {
                seed.awaitClosed(LAST_WORDS_NANOS);
                seed.cut();
            }
        }
    }

    private void perform(JoinEffect work) {
        switch (work) {
            case JoinEffect.Connect _ -> connect();
            case JoinEffect.OpenEndpoints open -> openEndpoints(open.welcome());
            case JoinEffect.LinkPeers link -> linkPeers(link.roster(), link.rank());
            case JoinEffect.Failed failed ->
                    throw new RendezvousException(failed.reason(), failed.missingRanks());
            default -> throw new IllegalStateException("not the joining thread's work: " + work);
        }
    }

    private void connect() {
        String host = settings.seed().host();
        List<InetSocketAddress> candidates;
        try {
            candidates =
                    Arrays.stream(InetAddress.getAllByName(host))
                            .map(a -> new InetSocketAddress(a, settings.seed().port()))
                            .toList();
        } catch (UnknownHostException e) {
            failConnect(
                    new ControlFailure(Kind.UNREACHABLE, "host name " + host + " is unknown", e));
            return;
        }
        long turnNanos = Math.max(0, settings.worldSize()) * SeedRules.TURN_NANOS;
        seed.dial(candidates, settings.timeouts().dialNanos() + turnNanos, this::failConnect);
    }

    private void failConnect(ControlFailure failure) {
        String reason =
                "seed "
                        + settings.seed().host()
                        + ":"
                        + settings.seed().port()
                        + ": "
                        + failure.getMessage();
        seed.step(machine ->
                machine.handleConnectFailed(
                        failure.kind(), reason, settings.nanoClock().getAsLong()));
    }

    private void openEndpoints(JoinMessage.Welcome welcome) {
        try {
            Admission admission = admission(welcome);
            List<PeerAddress> addresses = dataPlane.open(admission);
            seed.step(machine -> machine.handleOpened(settings.host().process(), addresses));
        } catch (RuntimeException e) {
            String reason = "can't open endpoints: " + e.getMessage();
            seed.step(machine -> machine.handleGivenUp(reason));
            throw new RendezvousException(reason, List.of(), e);
        }
    }

    private Admission admission(JoinMessage.Welcome welcome) {
        Credentials credentials =
                key.credentials(
                        Certificates.decode(welcome.certificate()),
                        Certificates.decode(welcome.authority()));
        NodeIdentity expected = new NodeIdentity(settings.seed().job(), welcome.memberId());
        if (!credentials.identity().equals(expected)) {
            throw new ProtocolException(
                    "the seed",
                    "a certificate for " + credentials.identity() + " instead of " + expected);
        }
        self = new MemberId(welcome.memberId());
        identity =
                new EndpointSettings.Identity(
                        expected.jobId(),
                        credentials.key(),
                        credentials.certificate(),
                        credentials.authority());
        InetAddress address =
                RouteAddress.choose(
                        seed.localAddress(), settings.seed().host(), settings.networkInterface());
        LOG.log(
                address.isLoopbackAddress() ? Level.DEBUG : Level.INFO,
                "{0} of job {1} advertises {2}{3}",
                self,
                settings.seed().job(),
                RouteAddress.text(address),
                settings.networkInterface() == null
                        ? ", the address on its route to the seed"
                        : ", as nexar.interface says");
        return new Admission(self, welcome.worldSize(), identity, address);
    }

    private void linkPeers(Roster roster, int rank) {
        dataPlane
                .link(roster, rank)
                .whenComplete((_, failure) -> {
                    if (failure == null) {
                        seed.step(JoinMachine::handleLinked);
                    } else {
                        failLinks(failure);
                    }
                });
    }

    private void failLinks(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException wrapper && wrapper.getCause() != null
                        ? wrapper.getCause()
                        : failure;
        int rank = cause instanceof LinkFailure link ? link.rank() : JoinMessage.ANY;
        seed.step(machine -> machine.handleLinkFailed(rank, String.valueOf(cause.getMessage())));
    }

    private Formation formation(JoinEffect.Formed formed) {
        if (self == null || identity == null) {
            throw new IllegalStateException("formed without an admission");
        }
        return new Formation(formed.rank(), self, identity, formed.roster(), seed);
    }

    private JoinMessage.Hello hello() {
        Map<String, String> agreed = new TreeMap<>(settings.jobSettings());
        agreed.remove("nexar.worldSize"); // compared by itself: a worker need not say it
        return new JoinMessage.Hello(
                settings.seed().job(),
                settings.seed().token().reveal(),
                agreed,
                settings.rank(),
                settings.worldSize(),
                settings.host().host(),
                settings.host().pid(),
                key.signingRequest());
    }
}
