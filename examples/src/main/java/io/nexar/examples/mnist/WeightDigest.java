package io.nexar.examples.mnist;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** A digest of weights: equal if and only if all their bits are, for all that anyone knows. */
final class WeightDigest {

    private WeightDigest() {}

    /** The SHA-256 of the weights' bits, as four numbers that ranks can exchange. */
    static long[] of(float[] weights) {
        ByteBuffer bits = ByteBuffer.allocate(weights.length * Float.BYTES);
        bits.asFloatBuffer().put(weights);
        long[] digest = new long[4];
        ByteBuffer.wrap(sha256().digest(bits.array())).asLongBuffer().get(digest);
        return digest;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
