package io.nexar.security;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

/**
 * What one process shows its peers: its private key, the certificate for it, and the authority that
 * signed it.
 */
public record Credentials(PrivateKey key, X509Certificate certificate, X509Certificate authority) {

    /** Who the certificate says this is; refused for a seed's credentials, which name no member. */
    public NodeIdentity identity() {
        return NodeIdentity.of(certificate);
    }

    @Override
    public String toString() {
        return "Credentials["
                + certificate.getSubjectX500Principal().getName()
                + ", expires "
                + certificate.getNotAfter().toInstant()
                + ", private key masked]";
    }
}
