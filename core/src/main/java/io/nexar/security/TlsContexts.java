package io.nexar.security;

import org.jspecify.annotations.Nullable;

import java.security.GeneralSecurityException;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/**
 * TLS 1.3 over TCP by the JDK. A context carries keys and trust; protocol versions and the demand
 * for a client certificate belong to each engine or socket, so take engines from here, or give a
 * socket the parameters from here.
 *
 * <p>Engines are made without the peer's address: the JDK then resumes no session, and each
 * handshake checks certificates anew.
 */
public final class TlsContexts {

    private static final String[] PROTOCOLS = {"TLSv1.3"};

    private TlsContexts() {}

    /**
     * The seed's server at a join: shows the pinned key, asks for no certificate, for a joiner has
     * none yet.
     */
    public static SSLContext joinServer(Credentials seed) {
        return context(seed, null);
    }

    /** The joiner's side: no certificate of its own, and no trust but the pin's. */
    public static SSLContext joinClient(PinTrust trust) {
        return context(null, trust);
    }

    /**
     * Between members, client and server alike: each shows its certificate and checks the other's.
     */
    public static SSLContext mutual(Credentials credentials, NodeTrust trust) {
        return context(credentials, trust);
    }

    /** For a socket of {@link #joinServer} or {@link #joinClient}. */
    public static SSLParameters joinParameters() {
        SSLParameters parameters = new SSLParameters();
        parameters.setProtocols(PROTOCOLS);
        return parameters;
    }

    /** For a socket of {@link #mutual}. */
    public static SSLParameters mutualParameters() {
        SSLParameters parameters = joinParameters();
        parameters.setNeedClientAuth(true);
        return parameters;
    }

    public static SSLEngine joinServerEngine(SSLContext context) {
        return engine(context, false, joinParameters());
    }

    public static SSLEngine mutualServerEngine(SSLContext context) {
        return engine(context, false, mutualParameters());
    }

    /** Of {@link #joinClient} or {@link #mutual}. */
    public static SSLEngine clientEngine(SSLContext context) {
        return engine(context, true, joinParameters());
    }

    private static SSLEngine engine(SSLContext context, boolean client, SSLParameters parameters) {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(client);
        engine.setSSLParameters(parameters);
        return engine;
    }

    private static SSLContext context(
            @Nullable Credentials credentials, @Nullable TrustManager trust) {
        try {
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            // An empty array means nobody; null would mean the JDK's own store.
            context.init(
                    credentials == null
                            ? new KeyManager[0]
                            : new KeyManager[] {new FixedKeyManager(credentials)},
                    trust == null ? new TrustManager[0] : new TrustManager[] {trust},
                    null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no TLS 1.3", e);
        }
    }
}
