package io.nexar.transport.tcp;

import io.nexar.ProtocolException;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.Utf8;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The first bytes inside TLS, from the dialler, the acceptor's answer, and the dialler's word that
 * it has heard it: {@code 'N' 'X' version code | u16 bytes of fill | u16 bytes of text | text |
 * fill}, little-endian. The dialler says how the bytes behind its last word are protected; the
 * acceptor agrees with the same code, or refuses with a text.
 *
 * <p>The first hello and its answer carry a fill that is longer than what one packet takes: where a
 * hop swallows packets of full size, there is no link, and not one that stands still later.
 */
record Hello(int code, String text) {
    /** Everything stays inside TLS. */
    static final int ENCRYPTED = 1;

    /** TLS ends behind the acceptor's answer. */
    static final int PLAINTEXT = 2;

    static final int REFUSED = 0xFF;

    static final int HEAD_BYTES = 8;

    /** Longer than a packet on any Ethernet, jumbo frames among them. */
    static final int FILL_BYTES = 9_216;

    static final int BYTES_MAX = HEAD_BYTES + Packet.REASON_BYTES_MAX + FILL_BYTES;

    static byte[] encode(int code, String text) {
        return encode(code, text, 0);
    }

    static byte[] encodeFilled(int code) {
        return encode(code, "", FILL_BYTES);
    }

    private static byte[] encode(int code, String text, int fillBytes) {
        byte[] words = Utf8.cut(text, Packet.REASON_BYTES_MAX);
        byte[] hello = new byte[HEAD_BYTES + words.length + fillBytes];
        hello[0] = 'N';
        hello[1] = 'X';
        hello[2] = (byte) FrameHeader.PROTOCOL_VERSION;
        hello[3] = (byte) code;
        hello[4] = (byte) fillBytes;
        hello[5] = (byte) (fillBytes >>> 8);
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
        int fill = number(bytes, at + 4);
        if (fill > FILL_BYTES) {
            throw bad(
                    "it claims a fill of %d bytes; at most %d are allowed"
                            .formatted(fill, FILL_BYTES));
        }
        int size = number(bytes, at + 6);
        if (size > Packet.REASON_BYTES_MAX) {
            throw bad(
                    "it claims a text of %d bytes; at most %d are allowed"
                            .formatted(size, Packet.REASON_BYTES_MAX));
        }
        if (bytes.remaining() < HEAD_BYTES + size + fill) {
            return null;
        }
        byte[] words = new byte[size];
        bytes.position(at + HEAD_BYTES).get(words).position(at + HEAD_BYTES + size + fill);
        String text = new String(words, StandardCharsets.UTF_8);
        return new Hello(
                Byte.toUnsignedInt(bytes.get(at + 3)), text.replaceAll("\\p{Cntrl}", " ").strip());
    }

    private static int number(ByteBuffer bytes, int at) {
        return Byte.toUnsignedInt(bytes.get(at)) | Byte.toUnsignedInt(bytes.get(at + 1)) << 8;
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
