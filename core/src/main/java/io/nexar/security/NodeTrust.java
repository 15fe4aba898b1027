package io.nexar.security;

import org.jspecify.annotations.Nullable;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts the members of one job, as client and as server.
 *
 * <p>The handshake asks "is this a member of my job?", see {@link MemberCheck}. It doesn't know
 * whom the caller dialled, so whoever dialled asks {@link #requireMember} afterwards, before the
 * first byte of payload. Host names are not compared. The JDK's path builder is not used: it
 * accepts longer chains, other anchors and clocks of its own.
 *
 * <p>Immutable; safe in any thread.
 */
public final class NodeTrust extends X509ExtendedTrustManager {

    private final MemberCheck check;
    private final InstantSource clock;

    public NodeTrust(String jobId, X509Certificate authority, InstantSource clock) {
        this.check = new MemberCheck(NodeIdentity.requireJobId(jobId), authority);
        this.clock = clock;
    }

    /** Trusts the members of the job that these credentials are of. */
    public static NodeTrust of(Credentials credentials, InstantSource clock) {
        return new NodeTrust(credentials.identity().jobId(), credentials.authority(), clock);
    }

    /**
     * The peer's identity if it is the expected member of this job; otherwise an error that names
     * both.
     */
    public NodeIdentity requireMember(X509Certificate certificate, long expectedMember) {
        NodeIdentity presented = NodeIdentity.of(certificate);
        NodeIdentity expected = new NodeIdentity(check.jobId(), expectedMember);
        if (!presented.equals(expected)) {
            throw Refusals.badPeer("expected " + expected + ", but the peer is " + presented);
        }
        return presented;
    }

    private void check(X509Certificate[] chain, String purpose) throws CertificateException {
        check.require(chain, purpose, clock.instant());
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType)
            throws CertificateException {
        check(chain, MemberCheck.SERVER);
    }

    @Override
    public void checkServerTrusted(
            X509Certificate[] chain, String authType, @Nullable Socket socket)
            throws CertificateException {
        check(chain, MemberCheck.SERVER);
    }

    @Override
    public void checkServerTrusted(
            X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
            throws CertificateException {
        check(chain, MemberCheck.SERVER);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType)
            throws CertificateException {
        check(chain, MemberCheck.CLIENT);
    }

    @Override
    public void checkClientTrusted(
            X509Certificate[] chain, String authType, @Nullable Socket socket)
            throws CertificateException {
        check(chain, MemberCheck.CLIENT);
    }

    @Override
    public void checkClientTrusted(
            X509Certificate[] chain, String authType, @Nullable SSLEngine engine)
            throws CertificateException {
        check(chain, MemberCheck.CLIENT);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[] {check.authority()};
    }
}
