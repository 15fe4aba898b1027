package io.nexar.transport.tcp;

import io.nexar.ProtocolException;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.Utf8;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The first bytes inside TLS, from the dialler, and the acceptor's answer: {@code 'N' 'X' version
 * code | u8 0 | u8 0 | u16 bytes of text, little-endian | text}. The dialler says how the bytes
 * behind the answer are protected; the acceptor agrees with the same word, or refuses with a text.
 */
record Hello(int code, String text) {
    /** Everything stays inside TLS. */
    static final int ENCRYPTED = 1;

    /** TLS ends behind the acceptor's answer. */
    static final int PLAINTEXT = 2;

    static final int REFUSED = 0xFF;

    static final int HEAD_BYTES = 8;

    static final int BYTES_MAX = HEAD_BYTES + Packet.REASON_BYTES_MAX;

    static byte[] encode(int code, String text) {
        byte[] words = Utf8.cut(text, Packet.REASON_BYTES_MAX);
        byte[] hello = new byte[HEAD_BYTES + words.length];
        hello[0] = 'N';
        hello[1] = 'X';
        hello[2] = (byte) FrameHeader.PROTOCOL_VERSION;
        hello[3] = (byte) code;
        hello[6] = (byte) words.length;
        hello[7] = (byte) (words.length >>> 8);
        System.arraycopy(words, 0, hello, HEAD_BYTES, words.length);
        return hello;
    }

    /**
     * Takes a hello from the buffer; null if not all of it is there. What is wrong with it is told
     * as soon as it shows.
     */
    static @Nullable Hello take(ByteBuffer bytes) {
        int at = bytes.position();
        requireLetter(bytes, at, 0, 'N');
        requireLetter(bytes, at, 1, 'X');
        if (bytes.remaining() < HEAD_BYTES) {
            return null;
        }
        int version = Byte.toUnsignedInt(bytes.get(at + 2));
        if (version != FrameHeader.PROTOCOL_VERSION) {
            throw bad(
                    "its version is %d, this side speaks %d"
                            .formatted(version, FrameHeader.PROTOCOL_VERSION));
        }
        int size =
                Byte.toUnsignedInt(bytes.get(at + 6)) | Byte.toUnsignedInt(bytes.get(at + 7)) << 8;
        if (size > Packet.REASON_BYTES_MAX) {
            throw bad(
                    "it claims a text of %d bytes; at most %d are allowed"
                            .formatted(size, Packet.REASON_BYTES_MAX));
        }
        if (bytes.remaining() < HEAD_BYTES + size) {
            return null;
        }
        byte[] words = new byte[size];
        bytes.position(at + HEAD_BYTES).get(words);
        String text = new String(words, StandardCharsets.UTF_8);
        return new Hello(
                Byte.toUnsignedInt(bytes.get(at + 3)), text.replaceAll("\\p{Cntrl}", " ").strip());
    }

    private static void requireLetter(ByteBuffer bytes, int at, int place, char letter) {
        if (bytes.remaining() > place && bytes.get(at + place) != letter) {
            throw bad(
                    "byte %d of it is %02x, so it is no hello"
                            .formatted(place, bytes.get(at + place)));
        }
    }

    private static ProtocolException bad(String problem) {
        return new ProtocolException("a connection", problem);
    }
}
