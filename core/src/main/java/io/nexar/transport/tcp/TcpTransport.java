package io.nexar.transport.tcp;

import io.nexar.security.NodeTrust;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Transport;

import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * TCP with mutual TLS 1.3 that the calling thread polls itself: the fast lane between hosts. By
 * OpenSSL where its natives are, else by the JDK.
 */
public final class TcpTransport implements Transport {
    private final InstantSource clock;
    private final LongSupplier nanoClock;
    private final Consumer<String> refusals;
    private final Protection protection;

    /**
     * @param clock says whether a certificate is valid
     * @param nanoClock bounds what strangers may take
     * @param refusals hears of each connection that did not become a link, and why; in the
     *     endpoint's thread
     */
    public TcpTransport(InstantSource clock, LongSupplier nanoClock, Consumer<String> refusals) {
        this(clock, nanoClock, refusals, Protection.TLS);
    }

    TcpTransport(
            InstantSource clock,
            LongSupplier nanoClock,
            Consumer<String> refusals,
            Protection protection) {
        this.clock = clock;
        this.nanoClock = nanoClock;
        this.refusals = refusals;
        this.protection = protection;
    }

    /**
     * The same without encryption once both ends have shown by TLS who they are: whoever is on the
     * path can read and change what follows. For networks that are trusted as a whole.
     */
    public static TcpTransport insecurePlaintext(
            InstantSource clock, LongSupplier nanoClock, Consumer<String> refusals) {
        return new TcpTransport(clock, nanoClock, refusals, Protection.INSECURE_PLAINTEXT);
    }

    @Override
    public String name() {
        return protection.transport();
    }

    @Override
    public TcpEndpoint open(EndpointSettings settings) {
        return open(settings, Limits.of((int) settings.config().bytes("nexar.tcp.laneWindow")));
    }

    TcpEndpoint open(EndpointSettings settings, Limits limits) {
        EndpointSettings.Identity identity = settings.requireIdentity();
        NodeTrust trust = new NodeTrust(identity.job(), identity.authority(), clock);
        return new TcpEndpoint(
                settings, new TcpEndpoint.Parts(trust, nanoClock, protection, limits, refusals));
    }
}
