package io.nexar.security;

import java.io.ByteArrayInputStream;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;

/** Certificates as the bytes that travel in join messages, and back. */
public final class Certificates {

    /** Ours have about 500 bytes; a user's authority with an RSA key of 4096 bits about 2,000. */
    public static final int DER_BYTES_MAX = 8 * 1024;

    private Certificates() {}

    public static byte[] encode(X509Certificate certificate) {
        try {
            return certificate.getEncoded();
        } catch (CertificateEncodingException e) {
            throw new IllegalArgumentException("the certificate has no encoding", e);
        }
    }

    /**
     * Reads one DER certificate that a peer sent: bounded, nothing behind it, and no check of who
     * signed it.
     */
    public static X509Certificate decode(byte[] der) {
        if (der.length > DER_BYTES_MAX) {
            throw Refusals.badPeer(
                    "certificate of " + der.length + " bytes is above " + DER_BYTES_MAX);
        }
        try {
            X509Certificate certificate =
                    (X509Certificate)
                            CertificateFactory.getInstance("X.509")
                                    .generateCertificate(new ByteArrayInputStream(der));
            if (!Arrays.equals(certificate.getEncoded(), der)) {
                throw Refusals.badPeer("certificate with other bytes around its DER form");
            }
            return certificate;
        } catch (CertificateException e) {
            throw Refusals.badPeer("what should be a certificate cannot be decoded", e);
        }
    }
}
