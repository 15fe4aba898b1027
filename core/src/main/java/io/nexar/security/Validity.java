package io.nexar.security;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;

/** The time in which a certificate holds, with messages that give both instants. */
final class Validity {

    private Validity() {}

    static void require(X509Certificate certificate, Instant now) throws CertificateException {
        Instant begin = certificate.getNotBefore().toInstant();
        Instant end = certificate.getNotAfter().toInstant();
        if (now.isBefore(begin)) {
            throw new CertificateException(
                    "certificate not valid before "
                            + begin
                            + "; it is "
                            + now
                            + " here: compare the clocks");
        }
        if (now.isAfter(end)) {
            throw new CertificateException("certificate expired at " + end + "; it is " + now);
        }
    }
}
