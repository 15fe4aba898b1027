package io.nexar.transport.quic;

import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslEngine;
import io.netty.handler.ssl.OpenSslCertificateException;
import io.netty.util.AttributeKey;
import io.nexar.security.NodeTrust;

import org.jspecify.annotations.Nullable;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.WeakHashMap;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Remembers why {@link NodeTrust} refused a peer. TLS reduces that to an alert number, also for the
 * side that refused; people need the sentence. Thread-safe.
 */
final class TrustWitness extends X509ExtendedTrustManager {
    private static final AttributeKey<SSLEngine> ENGINE =
            AttributeKey.valueOf(TrustWitness.class, "engine");

    private static final int CERT_REJECTED = 28; // X509_V_ERR_CERT_REJECTED

    private final NodeTrust trust;
    private final Map<SSLEngine, String> refusals = new WeakHashMap<>();

    TrustWitness(NodeTrust trust) {
        this.trust = trust;
    }

    /** Makes the engine of a connection, whose refusal can be asked for later. */
    static QuicSslEngine newEngine(QuicSslContext context, QuicChannel channel) {
        // Without an address no session is resumed: each handshake checks certificates anew.
        QuicSslEngine engine = context.newEngine(channel.alloc());
        channel.attr(ENGINE).set(engine);
        return engine;
    }

    /** Why the peer of this connection was not trusted; null if it was. */
    synchronized @Nullable String refusal(QuicChannel channel) {
        SSLEngine engine = channel.attr(ENGINE).get();
        return engine == null ? null : refusals.get(engine);
    }

    /** Returns what makes BoringSSL say bad_certificate; of others it says internal_error. */
    private synchronized CertificateException remember(
            @Nullable SSLEngine engine, CertificateException refusal) {
        if (engine != null) {
            refusals.put(engine, String.valueOf(refusal.getMessage()));
        }
        return new OpenSslCertificateException(refusal.getMessage(), refusal, CERT_REJECTED);
    }

    @Override
    public void checkServerTrusted(
            X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
            throws CertificateException {
        try {
            trust.checkServerTrusted(chain, authType, engine);
        } catch (CertificateException e) {
            throw remember(engine, e);
        }
    }

    @Override
    public void checkClientTrusted(
            X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
            throws CertificateException {
        try {
            trust.checkClientTrusted(chain, authType, engine);
        } catch (CertificateException e) {
            throw remember(engine, e);
        }
    }

    @Override
    public void checkServerTrusted(
            X509Certificate[] chain, String authType, @Nullable Socket socket)
            throws CertificateException {
        trust.checkServerTrusted(chain, authType, socket);
    }

    @Override
    public void checkClientTrusted(
            X509Certificate[] chain, String authType, @Nullable Socket socket)
            throws CertificateException {
        trust.checkClientTrusted(chain, authType, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType)
            throws CertificateException {
        trust.checkServerTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType)
            throws CertificateException {
        trust.checkClientTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trust.getAcceptedIssuers();
    }
}
