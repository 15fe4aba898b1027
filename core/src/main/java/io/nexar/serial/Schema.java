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

    private Schema() {}

    /**
     * @throws IllegalArgumentException if something in the type can't be written
     */
    static long of(Typed type, Codecs codecs) {
        StringBuilder text = new StringBuilder();
        describe(type, codecs, new HashSet<>(), text);
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            byte[] hash = digest.digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(hash).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    /** A type that has come before is named only: types may be in themselves. */
    private static void describe(Typed type, Codecs codecs, Set<Typed> before, StringBuilder text) {
        if (before.size() == TYPES_MAX) {
            throw new IllegalArgumentException(
                    "a type that is made of more than %d types".formatted(TYPES_MAX));
        }
        text.append(type);
        if (before.add(type)) {
            Codec codec = codecs.of(type);
            text.append('{').append(codec.signature());
            codec.forEachPart(part -> {
                text.append(';');
                describe(part, codecs, before, text);
            });
            text.append('}');
        }
    }
}
