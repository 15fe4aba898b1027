package io.nexar.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Texts for people as bytes, of which the beginning is enough. */
public final class Utf8 {
    private Utf8() {}

    /** At most {@code bytesMax} bytes of it, cut between characters. */
    public static byte[] cut(String text, int bytesMax) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, bytesMax);
        while (length < bytes.length && length > 0 && (bytes[length] & 0xC0) == 0x80) {
            length--;
        }
        return Arrays.copyOf(bytes, length);
    }
}
