package io.nexar.transport.net;

import io.netty.handler.ssl.OpenSslCertificateException;
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
public final class TrustWitness extends X509ExtendedTrustManager {
    private static final int CERT_REJECTED = 28; // X509_V_ERR_CERT_REJECTED

    private final NodeTrust trust;
    private final Map<SSLEngine, String> refusals = new WeakHashMap<>();

    public TrustWitness(NodeTrust trust) {
        this.trust = trust;
    }

    /** Why the peer of this engine was not trusted; null if it was. */
    public synchronized @Nullable String refusal(@Nullable SSLEngine engine) {
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
