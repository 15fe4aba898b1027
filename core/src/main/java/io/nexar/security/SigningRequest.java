package io.nexar.security;

import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCSException;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;

import java.io.IOException;
import java.security.KeyPair;
import java.security.PublicKey;

/**
 * PKCS#10 (RFC 2986) with one purpose: it carries a public key and proves that the sender holds the
 * private one. The name and the extensions that it asks for are never looked at, for the authority
 * alone says who a node is.
 */
final class SigningRequest {

    /**
     * A P-256 request has about 250 bytes; 4 KiB leaves room for other clients and keeps garbage
     * cheap.
     */
    static final int BYTES_MAX = 4 * 1024;

    private SigningRequest() {}

    static byte[] create(KeyPair keys) {
        try {
            return new JcaPKCS10CertificationRequestBuilder(
                            new X500Name("CN=nexar"), keys.getPublic())
                    .build(
                            new JcaContentSignerBuilder(EllipticKeys.SIGNATURE)
                                    .build(keys.getPrivate()))
                    .getEncoded();
        } catch (OperatorCreationException | IOException e) {
            throw new IllegalStateException("a signing request could not be made", e);
        }
    }

    /** The request's key, once it is shown that the sender holds the private half. */
    static PublicKey verify(byte[] der) {
        if (der.length > BYTES_MAX) {
            throw Refusals.badPeer(
                    "signing request of " + der.length + " bytes is above " + BYTES_MAX);
        }
        try {
            PKCS10CertificationRequest request = new PKCS10CertificationRequest(der);
            PublicKey key = EllipticKeys.requireP256(request.getSubjectPublicKeyInfo());
            if (!X9ObjectIdentifiers.ecdsa_with_SHA256.equals(
                    request.getSignatureAlgorithm().getAlgorithm())) {
                throw Refusals.badPeer("signing request is not signed by ECDSA with SHA-256");
            }
            if (!request.isSignatureValid(new JcaContentVerifierProviderBuilder().build(key))) {
                throw Refusals.badPeer(
                        "signing request is not signed by its own key: its sender doesn't hold it");
            }
            return key;
        } catch (IOException
                | PKCSException
                | OperatorCreationException
                | IllegalArgumentException
                | IllegalStateException
                | ClassCastException e) {
            throw Refusals.badPeer("signing request cannot be decoded", e);
        }
    }
}
