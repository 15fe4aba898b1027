package io.nexar.serial;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.Set;

/**
 * Sixty-four bits over the names and parts of a type and of all types in it, so that bytes of
 * another type, or of another version of it, are known before a value is made of them.
 */
final class Schema {
    /** A type that grows with each step into it has no end; no program has a tenth as many. */
    private static final int TYPES_MAX = 1000;

    /** And none goes so deep before it comes to a type that has been met. */
    private static final int DEPTH_MAX = 64;

    private final Codecs codecs;
    private final Set<Typed> before = new HashSet<>();
    private final StringBuilder text = new StringBuilder();

    private Schema(Codecs codecs) {
        this.codecs = codecs;
    }

    /**
     * @throws IllegalArgumentException if something in the type can't be written
     */
    static long of(Typed type, Codecs codecs) {
        Schema schema = new Schema(codecs);
        schema.describe(type, 0);
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] hash = digest.digest(schema.text.toString().getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(hash).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    /** A type that has come before is named only: types may be in themselves. */
    private void describe(Typed type, int depth) {
        if (before.size() == TYPES_MAX || depth == DEPTH_MAX) {
            throw new IllegalArgumentException(
                    "a type that is made of more than %d types, or of types %d deep"
                            .formatted(TYPES_MAX, DEPTH_MAX));
        }
        text.append(type);
        if (before.add(type)) {
            Codec codec = codecs.of(type);
            text.append('{').append(codec.signature());
            codec.forEachPart(part -> {
                text.append(';');
                describe(part, depth + 1);
            });
            text.append('}');
        }
    }
}
