package io.nexar.security;

import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DERNull;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

import java.math.BigInteger;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;

/** Makes certificates that {@link JobAuthority} would never make; as built, it makes a good one. */
final class Forge {

    static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    static final SecureRandom RANDOM = new SecureRandom();

    private final KeyPair signer;
    private final X500Name issuer;
    private PublicKey subjectKey;
    private List<GeneralName> names = new ArrayList<>(List.of(uri("nexar://job/digits/member/3")));
    private Instant begin = NOW.minus(Duration.ofMinutes(5));
    private Instant end = NOW.plus(Duration.ofDays(1));
    private BasicConstraints constraints = new BasicConstraints(false);
    private int usage = KeyUsage.digitalSignature;
    private KeyPurposeId[] purposes = {
        KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth
    };
    private boolean unknownCritical;
    private String signature = "SHA256withECDSA";

    /** Signs with this key under the name of that certificate, which need not be the key's. */
    Forge(KeyPair signer, X509Certificate named) {
        this.signer = signer;
        this.issuer = X500Name.getInstance(named.getSubjectX500Principal().getEncoded());
        this.subjectKey = EllipticKeys.generate(RANDOM).getPublic();
    }

    /** Signs itself: a root of any kind. */
    Forge(KeyPair signer, String name) {
        this.signer = signer;
        this.issuer = new X500Name(name);
        this.subjectKey = signer.getPublic();
    }

    static GeneralName uri(String text) {
        return new GeneralName(GeneralName.uniformResourceIdentifier, text);
    }

    Forge key(PublicKey key) {
        subjectKey = key;
        return this;
    }

    Forge names(GeneralName... given) {
        names = List.of(given);
        return this;
    }

    Forge valid(Instant from, Instant to) {
        begin = from;
        end = to;
        return this;
    }

    Forge authority() {
        constraints = new BasicConstraints(true);
        return this;
    }

    Forge usage(int bits) {
        usage = bits;
        return this;
    }

    Forge purposes(KeyPurposeId... given) {
        purposes = given;
        return this;
    }

    Forge unknownCriticalExtension() {
        unknownCritical = true;
        return this;
    }

    Forge signature(String algorithm) {
        signature = algorithm;
        return this;
    }

    X509Certificate make() {
        try {
            JcaX509v3CertificateBuilder builder =
                    new JcaX509v3CertificateBuilder(
                            issuer,
                            BigInteger.valueOf(7),
                            Date.from(begin),
                            Date.from(end),
                            subjectKey.equals(signer.getPublic())
                                    ? issuer
                                    : new X500Name("CN=forged"),
                            subjectKey);
            builder.addExtension(Extension.basicConstraints, true, constraints);
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(usage));
            if (purposes.length > 0) {
                builder.addExtension(
                        Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purposes));
            }
            if (!names.isEmpty()) {
                builder.addExtension(
                        Extension.subjectAlternativeName,
                        false,
                        new GeneralNames(names.toArray(GeneralName[]::new)));
            }
            if (unknownCritical) {
                builder.addExtension(
                        new ASN1ObjectIdentifier("1.3.6.1.4.1.99999.1"), true, DERNull.INSTANCE);
            }
            return Certificates.decode(
                    builder.build(new JcaContentSignerBuilder(signature).build(signer.getPrivate()))
                            .getEncoded());
        } catch (Exception e) {
            throw new AssertionError("the test's certificate could not be made", e);
        }
    }
}
