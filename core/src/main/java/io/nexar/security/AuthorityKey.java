package io.nexar.security;

import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;

/**
 * The user's own authority: a certificate that may sign others, and its private key (elliptic
 * curve, or RSA).
 */
public record AuthorityKey(X509Certificate certificate, PrivateKey key) {

    /**
     * The largest RSA key in use makes a file of 13 KiB; a bound keeps a wrong path from filling
     * the memory.
     */
    private static final int FILE_BYTES_MAX = 64 * 1024;

    /** NIST SP 800-131A: shorter RSA keys are disallowed. */
    private static final int RSA_BITS_MIN = 2048;

    private static final int KEY_CERT_SIGN = 5; // RFC 5280, 4.2.1.3

    /** Reads two PEM files, not encrypted; the key's file must give access to its owner alone. */
    public static AuthorityKey load(Path certificateFile, Path keyFile) {
        return new AuthorityKey(readCertificate(certificateFile), readKey(keyFile));
    }

    private static X509Certificate readCertificate(Path file) {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw Refusals.badSetting(
                        "file", file, "is longer than the " + FILE_BYTES_MAX + " bytes allowed");
            }
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            if (parse(file, text) instanceof X509CertificateHolder holder) {
                return Certificates.decode(holder.getEncoded());
            }
            throw Refusals.badSetting("file", file, "holds no PEM certificate");
        } catch (IOException e) {
            throw Refusals.badSetting("file", file, "cannot be read: " + e);
        }
    }

    private static PrivateKey readKey(Path file) {
        Object found = parse(file, OwnerOnlyFiles.read(file, FILE_BYTES_MAX));
        PrivateKeyInfo info =
                switch (found) {
                    case PrivateKeyInfo plain -> plain;
                    case PEMKeyPair pair -> pair.getPrivateKeyInfo();
                    case null, default ->
                            throw Refusals.badSetting(
                                    "file", file, "holds no private key in PEM without a password");
                };
        boolean elliptic =
                X9ObjectIdentifiers.id_ecPublicKey.equals(
                        info.getPrivateKeyAlgorithm().getAlgorithm());
        try {
            return KeyFactory.getInstance(elliptic ? "EC" : "RSA")
                    .generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded()));
        } catch (GeneralSecurityException | IOException e) {
            // No cause: a decoder's message may quote what it read.
            throw Refusals.badSetting(
                    "file", file, "holds no elliptic-curve or RSA key that this JDK can use");
        }
    }

    private static @Nullable Object parse(Path file, String text) {
        try (PEMParser parser = new PEMParser(new StringReader(text))) {
            return parser.readObject();
        } catch (IOException | RuntimeException e) {
            throw Refusals.badSetting("file", file, "is not in PEM form");
        }
    }

    void requireUsable(Instant now) {
        String name = certificate.getSubjectX500Principal().getName();
        if (certificate.getBasicConstraints() < 0) {
            throw Refusals.badSetting(
                    "authority", name, "may not sign certificates: it is not a CA");
        }
        boolean[] usage = certificate.getKeyUsage();
        if (usage != null && !usage[KEY_CERT_SIGN]) {
            throw Refusals.badSetting(
                    "authority", name, "may not sign certificates: no keyCertSign usage");
        }
        if (certificate.getPublicKey() instanceof RSAKey rsa
                && rsa.getModulus().bitLength() < RSA_BITS_MIN) {
            throw Refusals.badSetting(
                    "authority", name, "has an RSA key below " + RSA_BITS_MIN + " bits");
        }
        try {
            Validity.require(certificate, now);
        } catch (CertificateException e) {
            throw Refusals.badSetting("authority", name, String.valueOf(e.getMessage()));
        }
        if (!holdsPrivateHalf()) {
            throw Refusals.badSetting(
                    "authority", name, "is no pair with the private key beside it");
        }
    }

    private boolean holdsPrivateHalf() {
        String algorithm = key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
        byte[] probe = certificate.getSerialNumber().toByteArray();
        try {
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(probe);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(probe);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false; // a key of another kind than the certificate's
        }
    }

    @Override
    public String toString() {
        return "AuthorityKey["
                + certificate.getSubjectX500Principal().getName()
                + ", private key masked]";
    }
}
