package io.nexar.security;

import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

import java.io.IOException;
import java.math.BigInteger;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;

/**
 * Writes X.509 v3 certificates (RFC 5280) and signs them with one key. Knows the form, not the
 * policy.
 */
final class CertificateIssuer {

    /**
     * RFC 5280 allows 20 octets; 128 random bits never meet again and tell nothing about how many
     * were issued.
     */
    private static final int SERIAL_BITS = 128;

    /** What a certificate is to say: its name, its key and the time in which it holds. */
    record Subject(X500Name name, PublicKey key, Instant notBefore, Instant notAfter) {}

    private final X500Name issuer;
    private final PublicKey publicKey;
    private final PrivateKey privateKey;
    private final SecureRandom random;

    CertificateIssuer(
            X500Name issuer, PublicKey publicKey, PrivateKey privateKey, SecureRandom random) {
        this.issuer = issuer;
        this.publicKey = publicKey;
        this.privateKey = privateKey;
        this.random = random;
    }

    X509Certificate authority(Subject subject) {
        try {
            X509v3CertificateBuilder builder = builder(subject);
            // Path length 0: this authority signs nodes and never another authority.
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
            return sign(builder);
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("an authority's certificate could not be made", e);
        }
    }

    X509Certificate leaf(Subject subject, String uri, KeyPurposeId... purposes) {
        try {
            X509v3CertificateBuilder builder = builder(subject);
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purposes));
            builder.addExtension(
                    Extension.subjectAlternativeName,
                    false,
                    new GeneralNames(new GeneralName(GeneralName.uniformResourceIdentifier, uri)));
            builder.addExtension(
                    Extension.authorityKeyIdentifier,
                    false,
                    new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(publicKey));
            return sign(builder);
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("a node's certificate could not be made", e);
        }
    }

    private X509v3CertificateBuilder builder(Subject subject)
            throws IOException, NoSuchAlgorithmException {
        X509v3CertificateBuilder builder =
                new X509v3CertificateBuilder(
                        issuer,
                        new BigInteger(SERIAL_BITS, random).add(BigInteger.ONE),
                        Date.from(subject.notBefore()),
                        Date.from(subject.notAfter()),
                        subject.name(),
                        SubjectPublicKeyInfo.getInstance(subject.key().getEncoded()));
        builder.addExtension(
                Extension.subjectKeyIdentifier,
                false,
                new JcaX509ExtensionUtils().createSubjectKeyIdentifier(subject.key()));
        return builder;
    }

    private X509Certificate sign(X509v3CertificateBuilder builder) throws IOException {
        String algorithm =
                privateKey.getAlgorithm().equals("RSA") ? "SHA256withRSA" : EllipticKeys.SIGNATURE;
        try {
            return Certificates.decode(
                    builder.build(
                                    new JcaContentSignerBuilder(algorithm)
                                            .setSecureRandom(random)
                                            .build(privateKey))
                            .getEncoded());
        } catch (OperatorCreationException e) {
            throw new IllegalStateException("the authority's key cannot sign", e);
        }
    }
}
