package io.nexar.security;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;

/**
 * Fingerprint of a server's key: SHA-256 of the SubjectPublicKeyInfo (as in RFC 7469, section 2.4),
 * written as 43 characters of base64url.
 *
 * <p>The key and not the certificate is pinned, so that a certificate may be renewed with the same
 * key. A pin is no secret.
 */
public final class Pin {

    private static final int HASH_BYTES = 32; // SHA-256
    private static final int TEXT_CHARS = 43; // 32 bytes in base64url without padding

    private final byte[] hash;

    private Pin(byte[] hash) {
        this.hash = hash;
    }

    public static Pin of(X509Certificate certificate) {
        return of(certificate.getPublicKey());
    }

    public static Pin of(PublicKey key) {
        try {
            return new Pin(MessageDigest.getInstance("SHA-256").digest(key.getEncoded()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no SHA-256", e);
        }
    }

    /**
     * The error doesn't repeat the text: a token pasted at the wrong place must not land in a log.
     */
    public static Pin parse(String text) {
        byte[] hash = Base64Url.decode(text);
        if (text.length() != TEXT_CHARS || hash.length != HASH_BYTES) {
            throw Refusals.badSecret(
                    "pin",
                    "has "
                            + text.length()
                            + " characters and is not a SHA-256 in base64url: exactly "
                            + TEXT_CHARS
                            + " of A-Z a-z 0-9 - _ are needed");
        }
        return new Pin(hash);
    }

    /**
     * Whether the certificate holds the pinned key; takes the same time wherever the two differ.
     */
    public boolean matches(X509Certificate certificate) {
        return equals(of(certificate));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Pin pin && MessageDigest.isEqual(hash, pin.hash);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(hash);
    }

    @Override
    public String toString() {
        return Base64Url.encode(hash);
    }
}
