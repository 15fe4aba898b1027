package io.nexar.security;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names one member of one job. In a certificate it is the only subject alternative name, the URI
 * {@code nexar://job/<jobId>/member/<memberId>}.
 *
 * <p>A member id is not a rank: it never changes and is never given twice within a job.
 */
public record NodeIdentity(String jobId, long memberId) {

    /**
     * 64 is X.509's bound on a common name and on an organization, where the job id stands as well.
     */
    public static final int JOB_ID_CHARS_MAX = 64;

    private static final Pattern JOB_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final Pattern MEMBER_URI =
            Pattern.compile("nexar://job/([^/]{1,64})/member/(0|[1-9][0-9]{0,18})");
    private static final int SAN_URI = 6; // RFC 5280, 4.2.1.6: uniformResourceIdentifier [6]

    public NodeIdentity {
        requireJobId(jobId);
        if (memberId < 0) {
            throw new IllegalArgumentException("member id " + memberId + " is negative");
        }
    }

    /** What the certificate says. It says nothing about who signed it: {@link NodeTrust} does. */
    public static NodeIdentity of(X509Certificate certificate) {
        String uri = onlyUri(certificate);
        Matcher parts = MEMBER_URI.matcher(uri);
        if (!parts.matches() || !isJobId(parts.group(1))) {
            throw Refusals.badPeer(
                    uri.startsWith("nexar://") && uri.endsWith("/seed")
                            ? "the certificate is a seed's, not a member's"
                            : "the certificate's name is no nexar://job/<job>/member/<id>");
        }
        try {
            return new NodeIdentity(parts.group(1), Long.parseLong(parts.group(2)));
        } catch (NumberFormatException e) {
            throw Refusals.badPeer("the certificate's member id is above " + Long.MAX_VALUE, e);
        }
    }

    static String onlyUri(X509Certificate certificate) {
        Collection<List<?>> names;
        try {
            names = certificate.getSubjectAlternativeNames();
        } catch (CertificateParsingException e) {
            throw Refusals.badPeer("the certificate's alternative names cannot be read", e);
        }
        if (names == null || names.isEmpty()) {
            throw Refusals.badPeer("the certificate carries no node identity");
        }
        if (names.size() > 1) {
            throw Refusals.badPeer(
                    "the certificate carries " + names.size() + " names; exactly one is allowed");
        }
        List<?> name = names.iterator().next();
        if (!Integer.valueOf(SAN_URI).equals(name.get(0)) || !(name.get(1) instanceof String uri)) {
            throw Refusals.badPeer("the certificate's name is not a URI");
        }
        return uri;
    }

    /** The name that the seed's own certificate carries instead of a member's. */
    static String seedUri(String jobId) {
        return "nexar://job/" + requireJobId(jobId) + "/seed";
    }

    static String requireJobId(String jobId) {
        if (!isJobId(jobId)) {
            throw new IllegalArgumentException(
                    "job id of "
                            + jobId.length()
                            + " characters: 1 to "
                            + JOB_ID_CHARS_MAX
                            + " letters, digits, '.', '_' or '-' are allowed, the first a letter"
                            + " or digit");
        }
        return jobId;
    }

    static boolean isJobId(String text) {
        return JOB_ID.matcher(text).matches();
    }

    public String uri() {
        return "nexar://job/" + jobId + "/member/" + memberId;
    }

    @Override
    public String toString() {
        return "member " + memberId + " of job " + jobId;
    }
}
