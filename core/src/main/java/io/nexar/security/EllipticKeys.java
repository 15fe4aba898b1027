package io.nexar.security;

import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.edec.EdECObjectIdentifiers;
import org.bouncycastle.asn1.sec.SECNamedCurves;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.X509EncodedKeySpec;

/**
 * Keys on NIST P-256, the one curve that every TLS 1.3 implementation must have (RFC 8446, section
 * 9.1): the JDK's, BoringSSL under Netty's TCP, and BoringSSL under quiche.
 */
final class EllipticKeys {

    static final String SIGNATURE = "SHA256withECDSA";

    private static final String CURVE = "secp256r1";

    private EllipticKeys() {}

    static KeyPair generate(SecureRandom random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec(CURVE), random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no elliptic curve " + CURVE, e);
        }
    }

    /** The peer's key, refused unless it is a point of P-256 under the curve's name. */
    static PublicKey requireP256(SubjectPublicKeyInfo info) {
        ASN1ObjectIdentifier algorithm = info.getAlgorithm().getAlgorithm();
        if (EdECObjectIdentifiers.id_Ed25519.equals(algorithm)) {
            throw Refusals.badPeer(
                    "key is Ed25519, which not every TLS implementation offers: EC P-256 is"
                            + " needed");
        }
        if (!X9ObjectIdentifiers.id_ecPublicKey.equals(algorithm)) {
            throw Refusals.badPeer("key of algorithm " + algorithm + ": EC P-256 is needed");
        }
        // A curve given by its numbers instead of its name could be any curve (CVE-2020-0601).
        if (!SECObjectIdentifiers.secp256r1.equals(info.getAlgorithm().getParameters())) {
            throw Refusals.badPeer("key is on another curve than P-256: EC P-256 is needed");
        }
        try {
            // Throws unless the point lies on the curve.
            SECNamedCurves.getByOID(SECObjectIdentifiers.secp256r1)
                    .getCurve()
                    .decodePoint(info.getPublicKeyData().getBytes());
            return KeyFactory.getInstance("EC")
                    .generatePublic(new X509EncodedKeySpec(info.getEncoded("DER")));
        } catch (IllegalArgumentException | GeneralSecurityException | IOException e) {
            throw Refusals.badPeer("key is no point of the curve P-256", e);
        }
    }
}
