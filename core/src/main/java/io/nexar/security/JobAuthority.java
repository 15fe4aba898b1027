package io.nexar.security;

import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.KeyPurposeId;

import java.security.KeyPair;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;

/**
 * A job's certificate authority: it alone says who is a member.
 *
 * <p>Made when the seed starts, and gone with it: the private key is in the seed's memory only. It
 * answers a signing request with a certificate that names the node as the seed decided, whatever
 * the request asks for. A user's own authority takes its place through {@link #of}.
 *
 * <p>Immutable; safe in any thread.
 */
public final class JobAuthority {

    /** Two clocks within a job may differ by this much; certificates begin so much earlier. */
    static final Duration CLOCK_SKEW_MAX = Duration.ofMinutes(5);

    /**
     * There is no revocation, so a stolen member key serves until its certificate ends. 14 days is
     * twice the longest run that cluster schedulers usually allow; a connection that stands is not
     * cut when it ends, but no new one is made.
     */
    static final Duration MEMBER_VALIDITY = Duration.ofDays(14);

    /**
     * The seed's key is pinned in join strings that people keep, so its certificate lasts as long
     * as the authority.
     */
    static final Duration AUTHORITY_VALIDITY = Duration.ofDays(365);

    private final String jobId;
    private final X509Certificate certificate;
    private final CertificateIssuer issuer;
    private final SecureRandom random;

    private JobAuthority(
            String jobId,
            X509Certificate certificate,
            CertificateIssuer issuer,
            SecureRandom random) {
        this.jobId = jobId;
        this.certificate = certificate;
        this.issuer = issuer;
        this.random = random;
    }

    /** A new authority with a key of its own. */
    public static JobAuthority create(String jobId, Instant now, SecureRandom random) {
        X500Name name = name(NodeIdentity.requireJobId(jobId), "nexar authority");
        KeyPair keys = EllipticKeys.generate(random);
        CertificateIssuer issuer =
                new CertificateIssuer(name, keys.getPublic(), keys.getPrivate(), random);
        X509Certificate certificate =
                issuer.authority(
                        new CertificateIssuer.Subject(
                                name,
                                keys.getPublic(),
                                now.minus(CLOCK_SKEW_MAX),
                                now.plus(AUTHORITY_VALIDITY)));
        return new JobAuthority(jobId, certificate, issuer, random);
    }

    /**
     * The user's own authority. Jobs that share one are told apart by the job id in each
     * certificate.
     */
    public static JobAuthority of(
            String jobId, AuthorityKey authority, Instant now, SecureRandom random) {
        NodeIdentity.requireJobId(jobId);
        authority.requireUsable(now);
        X509Certificate certificate = authority.certificate();
        CertificateIssuer issuer =
                new CertificateIssuer(
                        X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded()),
                        certificate.getPublicKey(),
                        authority.key(),
                        random);
        return new JobAuthority(jobId, certificate, issuer, random);
    }

    /** What the nodes of the job trust, and the only thing they trust. */
    public X509Certificate certificate() {
        return certificate;
    }

    public String jobId() {
        return jobId;
    }

    /**
     * A fresh key and a certificate for the seed's own TLS server; it names the job's seed and no
     * member.
     */
    public Credentials issueSeed(Instant now) {
        KeyPair keys = EllipticKeys.generate(random);
        X509Certificate seed =
                issuer.leaf(
                        subject("seed", keys.getPublic(), now, AUTHORITY_VALIDITY),
                        NodeIdentity.seedUri(jobId),
                        KeyPurposeId.id_kp_serverAuth);
        return new Credentials(keys.getPrivate(), seed, certificate);
    }

    /**
     * Answers a worker's PKCS#10 request. The certificate carries {@code identity} and the
     * request's key; whatever else the request says is ignored. A request that is too long,
     * malformed, of another key type than EC P-256, or not signed by its own key is refused.
     */
    public X509Certificate sign(byte[] signingRequest, NodeIdentity identity, Instant now) {
        if (!identity.jobId().equals(jobId)) {
            throw new IllegalArgumentException(
                    "the authority of job " + jobId + " doesn't sign " + identity);
        }
        PublicKey key = SigningRequest.verify(signingRequest);
        return issuer.leaf(
                subject("member " + identity.memberId(), key, now, MEMBER_VALIDITY),
                identity.uri(),
                KeyPurposeId.id_kp_serverAuth,
                KeyPurposeId.id_kp_clientAuth);
    }

    /** A node's certificate never outlives the authority's. */
    private CertificateIssuer.Subject subject(
            String name, PublicKey key, Instant now, Duration validity) {
        Instant authorityEnd = certificate.getNotAfter().toInstant();
        if (!now.isBefore(authorityEnd)) {
            throw Refusals.badSetting("authority", "job " + jobId, "expired at " + authorityEnd);
        }
        Instant end = now.plus(validity);
        return new CertificateIssuer.Subject(
                name(jobId, name),
                key,
                now.minus(CLOCK_SKEW_MAX),
                end.isBefore(authorityEnd) ? end : authorityEnd);
    }

    private static X500Name name(String jobId, String commonName) {
        return new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.O, jobId)
                .addRDN(BCStyle.CN, commonName)
                .build();
    }

    @Override
    public String toString() {
        return "JobAuthority[" + jobId + ", " + Pin.of(certificate) + ", private key masked]";
    }
}
