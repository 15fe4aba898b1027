package io.nexar.security;

import org.jspecify.annotations.Nullable;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts exactly the server whose key has the pin, for the time of its certificate. What a joining
 * process uses before it knows the job's authority.
 *
 * <p>Host names are not compared: the key is the identity. Immutable; safe in any thread.
 */
public final class PinTrust extends X509ExtendedTrustManager {

    private final Pin pin;
    private final InstantSource clock;

    public PinTrust(Pin pin, InstantSource clock) {
        this.pin = pin;
        this.clock = clock;
    }

    private void requirePinned(X509Certificate[] chain) throws CertificateException {
        if (chain.length == 0) {
            throw new CertificateException("the server showed no certificate");
        }
        if (!pin.matches(chain[0])) {
            throw new CertificateException(
                    "the server is not the one of the join string: pin expected "
                            + pin
                            + ", presented "
                            + Pin.of(chain[0]));
        }
        Validity.require(chain[0], clock.instant());
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType)
            throws CertificateException {
        requirePinned(chain);
    }

    @Override
    public void checkServerTrusted(
            X509Certificate[] chain, String authType, @Nullable Socket socket)
            throws CertificateException {
        requirePinned(chain);
    }

    @Override
    public void checkServerTrusted(
            X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
            throws CertificateException {
        requirePinned(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType)
            throws CertificateException {
        throw new CertificateException("a pin identifies a server, not a client");
    }

    @Override
    public void checkClientTrusted(
            X509Certificate[] chain, String authType, @Nullable Socket socket)
            throws CertificateException {
        checkClientTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(
            X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
            throws CertificateException {
        checkClientTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
