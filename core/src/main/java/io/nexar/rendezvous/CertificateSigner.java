package io.nexar.rendezvous;

/** The seed's authority, as its machine sees it. */
public interface CertificateSigner {
    /**
     * A certificate, in DER, that binds the request's key to this member of the job.
     *
     * @throws io.nexar.ProtocolException if the request is none, or is not signed by its own key
     */
    byte[] sign(byte[] signingRequest, long memberId);

    /** The authority's own certificate, in DER. */
    byte[] authority();
}
