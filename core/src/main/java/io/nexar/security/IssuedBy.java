package io.nexar.security;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Set;

/**
 * Whether one certificate is signed by the key of another. Equal names say nothing: any authority
 * can take any name.
 */
final class IssuedBy {

    /**
     * What {@link CertificateIssuer} makes, with our own key or a user's. Weaker hashes are refused
     * by not being here.
     */
    private static final Set<String> SIGNATURES = Set.of("SHA256withECDSA", "SHA256withRSA");

    private IssuedBy() {}

    static boolean holds(X509Certificate certificate, X509Certificate authority) {
        if (!SIGNATURES.contains(certificate.getSigAlgName())
                || !certificate
                        .getIssuerX500Principal()
                        .equals(authority.getSubjectX500Principal())) {
            return false;
        }
        try {
            certificate.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false; // a bad signature and a key of another kind both mean: not by this
            // authority
        }
    }
}
