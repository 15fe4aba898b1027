package io.nexar.security;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * The secret that lets a process join a job. Printed by {@link #reveal} only; {@code toString} is
 * masked.
 *
 * <p>Immutable; safe in any thread.
 */
public final class Token {

    /** 192 bits: beyond guessing, and 24 bytes are 32 characters with no bits left over. */
    private static final int RANDOM_BYTES = 24;

    /** A token that the user brings must have at least 128 bits. */
    private static final int BYTES_MIN = 16;

    /** More adds no security; the bound keeps join messages small. */
    private static final int BYTES_MAX = 64;

    private final byte[] secret;

    private Token(byte[] secret) {
        this.secret = secret;
    }

    public static Token random(SecureRandom random) {
        byte[] secret = new byte[RANDOM_BYTES];
        random.nextBytes(secret);
        return new Token(secret);
    }

    /** Reads what {@link #reveal} printed; the error never repeats the text. */
    public static Token parse(String text) {
        byte[] secret = Base64Url.decode(text);
        if (secret.length < BYTES_MIN || secret.length > BYTES_MAX) {
            throw Refusals.badSecret(
                    "token",
                    "has "
                            + text.length()
                            + " characters and is not base64url of "
                            + BYTES_MIN
                            + " to "
                            + BYTES_MAX
                            + " bytes");
        }
        return new Token(secret);
    }

    /** The secret in the clear, for the join string and for nothing that is logged. */
    public String reveal() {
        return Base64Url.encode(secret);
    }

    /** Takes the same time wherever the two differ. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Token token && MessageDigest.isEqual(secret, token.secret);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(secret);
    }

    @Override
    public String toString() {
        return "Token[masked]";
    }
}
