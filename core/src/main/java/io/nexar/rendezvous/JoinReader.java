package io.nexar.rendezvous;

import io.nexar.ProtocolException;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads the fields of one join message; whatever does not fit its bound is refused by name. */
final class JoinReader {

    private final ByteBuffer in;
    private final String peer;

    /**
     * @param peer who sent it, for the error
     */
    JoinReader(byte[] message, String peer) {
        this.peer = peer;
        in = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
    }

    int u8(String what) {
        require(1, what);
        return in.get() & 0xFF;
    }

    int u16(String what) {
        require(2, what);
        return in.getShort() & 0xFFFF;
    }

    int i32(String what) {
        require(4, what);
        return in.getInt();
    }

    long i64(String what) {
        require(8, what);
        return in.getLong();
    }

    int i32Within(int min, int max, String what) {
        int value = i32(what);
        if (value < min || value > max) {
            throw bad(what + " " + value + " is not within " + min + " to " + max);
        }
        return value;
    }

    long notNegative(String what) {
        long value = i64(what);
        if (value < 0) {
            throw bad(what + " " + value + " is negative");
        }
        return value;
    }

    int u8Below(int limit, String what) {
        int value = u8(what);
        if (value >= limit) {
            throw bad(what + " " + value + " is not below " + limit);
        }
        return value;
    }

    boolean flag(String what) {
        int value = u8(what);
        if (value > 1) {
            throw bad(what + " " + value + " is neither 0 nor 1");
        }
        return value == 1;
    }

    int count(int max, String what) {
        int value = u16(what);
        if (value > max) {
            throw bad(value + " " + what + " are above " + max);
        }
        return value;
    }

    byte[] bytes(int bytesMax, String what) {
        int length = u16(what);
        if (length > bytesMax) {
            throw bad(what + " of " + length + " bytes is above " + bytesMax);
        }
        require(length, what);
        byte[] value = new byte[length];
        in.get(value);
        return value;
    }

    String text(int bytesMax, String what) {
        byte[] encoded = bytes(bytesMax, what);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(encoded)).toString();
        } catch (CharacterCodingException e) {
            throw bad(what + " is not UTF-8");
        }
    }

    String reason() {
        return text(JoinBounds.REASON_BYTES_MAX, "reason");
    }

    int position() {
        return in.position();
    }

    void requireEnd(String what) {
        if (in.hasRemaining()) {
            throw bad(in.remaining() + " bytes behind the end of " + what);
        }
    }

    ProtocolException bad(String what) {
        return new ProtocolException(peer, "join message: " + what);
    }

    private void require(int bytes, String what) {
        if (in.remaining() < bytes) {
            throw bad("ends within " + what);
        }
    }
}
