package io.nexar.transport.shm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * 128 random bits that name one endpoint. They travel in its address, over the rendezvous, so who
 * knows them is of the job; and no other process that got the same number later has them.
 */
record Token(long high, long low) {
    static final int BYTES = 16;

    static Token random(SecureRandom random) {
        return new Token(random.nextLong(), random.nextLong());
    }

    static Token read(MemorySegment memory, long at) {
        return new Token(
                memory.get(ValueLayout.JAVA_LONG, at), memory.get(ValueLayout.JAVA_LONG, at + 8));
    }

    void write(MemorySegment memory, long at) {
        memory.set(ValueLayout.JAVA_LONG, at, high);
        memory.set(ValueLayout.JAVA_LONG, at + 8, low);
    }

    static Token parse(String text) {
        if (text.length() != 2 * BYTES) {
            throw new IllegalArgumentException("a token has " + 2 * BYTES + " hexadecimal digits");
        }
        return new Token(
                HexFormat.fromHexDigitsToLong(text, 0, BYTES),
                HexFormat.fromHexDigitsToLong(text, BYTES, 2 * BYTES));
    }

    String digits() {
        return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
    }

    /** A secret: who knows it may dial. */
    @Override
    public String toString() {
        return "Token";
    }
}
