package io.nexar.security;

import java.security.KeyPair;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;

/**
 * A node's own key pair. The private key is made here and stays in this process; only a signing
 * request leaves it.
 *
 * <p>Immutable; safe in any thread.
 */
public final class NodeKey {

    private final KeyPair keys;

    private NodeKey(KeyPair keys) {
        this.keys = keys;
    }

    public static NodeKey generate(SecureRandom random) {
        return new NodeKey(EllipticKeys.generate(random));
    }

    /** PKCS#10 in DER, below 4 KiB. */
    public byte[] signingRequest() {
        return SigningRequest.create(keys);
    }

    /**
     * Joins the key with the certificate that the authority answered, which must be for this key
     * and by that authority.
     */
    public Credentials credentials(X509Certificate certificate, X509Certificate authority) {
        if (!certificate.getPublicKey().equals(keys.getPublic())) {
            throw Refusals.badPeer("the certificate is for another key than this node's");
        }
        if (!IssuedBy.holds(certificate, authority)) {
            throw Refusals.badPeer("the certificate is not signed by the authority beside it");
        }
        Credentials credentials = new Credentials(keys.getPrivate(), certificate, authority);
        credentials.identity(); // refuses a certificate that names no member
        return credentials;
    }

    @Override
    public String toString() {
        return "NodeKey[" + Pin.of(keys.getPublic()) + ", private key masked]";
    }
}
