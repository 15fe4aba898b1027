package io.nexar.security;

import java.util.Base64;

/**
 * Base64url without padding, and only the one spelling that encoding would give, so that equal
 * values are equal texts.
 */
final class Base64Url {

    private static final byte[] REFUSED = {};

    private Base64Url() {}

    static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** The bytes, or none if the text is not the canonical spelling of any. */
    static byte[] decode(String text) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return REFUSED; // the caller's error names the part; the text itself may be a secret
        }
        return encode(bytes).equals(text) ? bytes : REFUSED;
    }
}
