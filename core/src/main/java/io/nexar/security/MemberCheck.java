package io.nexar.security;

import io.nexar.ProtocolException;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

/**
 * Whether a chain shows a member of one job. The chain is one leaf, signed by exactly this
 * authority; the authority itself may follow it, anything else may not.
 *
 * <p>In this order, so that nothing is believed before its signature: signed by this authority's
 * key; valid now, as the authority is; no authority itself; for signatures only; for the wanted
 * role; no critical extension that is unknown; exactly one name, of this job's member.
 */
record MemberCheck(String jobId, X509Certificate authority) {

    static final String SERVER = "1.3.6.1.5.5.7.3.1"; // RFC 5280, 4.2.1.12: id-kp-serverAuth
    static final String CLIENT = "1.3.6.1.5.5.7.3.2"; // id-kp-clientAuth

    private static final int DIGITAL_SIGNATURE = 0; // RFC 5280, 4.2.1.3
    private static final int KEY_CERT_SIGN = 5;

    void require(X509Certificate[] chain, String purpose, Instant now) throws CertificateException {
        boolean shaped = chain.length == 1 || (chain.length == 2 && chain[1].equals(authority));
        if (!shaped) {
            throw new CertificateException(
                    "a chain of "
                            + chain.length
                            + " certificates: one, signed by the authority of job "
                            + jobId
                            + ", is needed");
        }
        X509Certificate leaf = chain[0];
        if (!IssuedBy.holds(leaf, authority)) {
            throw new CertificateException(
                    "not signed by the authority of job " + jobId + claim(leaf));
        }
        Validity.require(authority, now);
        Validity.require(leaf, now);
        requireUsage(leaf, purpose);
        requireJob(leaf);
    }

    private static void requireUsage(X509Certificate leaf, String purpose)
            throws CertificateException {
        if (leaf.getBasicConstraints() != -1) {
            throw new CertificateException("an authority's certificate cannot stand for a member");
        }
        boolean[] usage = leaf.getKeyUsage();
        if (usage == null || !usage[DIGITAL_SIGNATURE] || usage[KEY_CERT_SIGN]) {
            throw new CertificateException(
                    "the certificate's key usage is not that of a member: digital signature only");
        }
        List<String> purposes = leaf.getExtendedKeyUsage();
        if (purposes == null || !purposes.contains(purpose)) {
            throw new CertificateException(
                    "the certificate is not for a TLS "
                            + (purpose.equals(SERVER) ? "server" : "client"));
        }
        if (leaf.hasUnsupportedCriticalExtension()) {
            throw new CertificateException("the certificate has an unknown critical extension");
        }
    }

    private void requireJob(X509Certificate leaf) throws CertificateException {
        NodeIdentity identity;
        try {
            identity = NodeIdentity.of(leaf);
        } catch (ProtocolException e) {
            throw new CertificateException(e.problem(), e);
        }
        if (!identity.jobId().equals(jobId)) {
            throw new CertificateException("the peer is " + identity + ", not of job " + jobId);
        }
    }

    /** What a certificate of somebody else says about itself: for the message only. */
    private static String claim(X509Certificate stranger) {
        try {
            return ": it claims to be " + NodeIdentity.of(stranger) + " of another authority";
        } catch (ProtocolException e) {
            return ": another authority's certificate that names no member";
        }
    }
}
