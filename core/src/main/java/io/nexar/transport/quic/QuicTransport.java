package io.nexar.transport.quic;

import io.netty.handler.codec.quic.Quic;
import io.nexar.security.NodeTrust;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Transport;

import java.time.InstantSource;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** QUIC v1 with mutual TLS 1.3: links between hosts. */
public final class QuicTransport implements Transport {
    /** In settings and addresses. */
    public static final String NAME = "quic";

    private final InstantSource clock;
    private final LongSupplier nanoClock;
    private final Strangers strangers;

    /**
     * @param clock says whether a certificate is valid
     * @param nanoClock bounds the life of an address token
     * @param refusals hears of each connection that did not become a link, and why; in the
     *     endpoint's thread
     */
    public QuicTransport(InstantSource clock, LongSupplier nanoClock, Consumer<String> refusals) {
        this(clock, nanoClock, Strangers.telling(refusals));
    }

    QuicTransport(InstantSource clock, LongSupplier nanoClock, Strangers strangers) {
        this.clock = clock;
        this.nanoClock = nanoClock;
        this.strangers = strangers;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public QuicEndpoint open(EndpointSettings settings) {
        if (!Quic.isAvailable()) {
            throw new UnsupportedOperationException(
                    "QUIC has no native library on this platform: "
                            + Quic.unavailabilityCause().getMessage(),
                    Quic.unavailabilityCause());
        }
        EndpointSettings.Identity identity = settings.requireIdentity();
        NodeTrust trust = new NodeTrust(identity.job(), identity.authority(), clock);
        return new QuicEndpoint(settings, trust, nanoClock, strangers);
    }
}
