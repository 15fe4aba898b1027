package io.nexar.serial;

import io.nexar.spi.Serializer;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records and what they are made of, without Java serialization. Both sides have the classes; the
 * bytes begin with a number that is made of the type's names and parts, and its name for an error
 * to say. No class is looked up by it. The format is in docs/objects.md.
 */
public final class RecordSerializer implements Serializer {
    /** What the setting calls it. */
    public static final String NAME = "records";

    private static final int FORMAT = 1;

    /** Of a name, for people. */
    private static final int NAME_BYTES_MAX = 200;

    private final Codecs codecs = new Codecs();
    private final Map<Typed, Long> schemas = new ConcurrentHashMap<>();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public byte[] write(Object value) {
        Typed type = Codecs.typeOf(value);
        ObjectWriter out = new ObjectWriter();
        out.putByte(FORMAT);
        out.putLong(schema(type));
        byte[] name = type.toString().getBytes(StandardCharsets.UTF_8);
        int length = Math.min(name.length, NAME_BYTES_MAX);
        out.putByte(length);
        out.putBytes(Arrays.copyOf(name, length));
        codecs.of(type).write(value, out);
        return out.toBytes();
    }

    @Override
    public <T> T read(ByteBuffer bytes, Class<T> type) {
        ObjectReader in = new ObjectReader(bytes);
        int format = in.getByte();
        if (format != FORMAT) {
            throw in.fault("format %d; this version reads %d".formatted(format, FORMAT));
        }
        long schema = in.getLong();
        int nameLength = Byte.toUnsignedInt(in.getByte());
        String name = new String(in.getBytes(nameLength), StandardCharsets.UTF_8);
        Object value = codecs.of(expected(type, schema, printable(name))).read(in);
        in.requireEnd();
        return type.cast(value);
    }

    private Typed expected(Class<?> type, long schema, String name) {
        List<Typed> candidates =
                type.isInterface() && type.isSealed()
                        ? SealedCodec.permitted(type)
                        : List.of(Typed.of(type));
        for (Typed candidate : candidates) {
            if (schema(candidate) == schema) {
                return candidate;
            }
        }
        throw new IllegalArgumentException(
                name.equals(type.getName())
                        ? "a %s of another version: both sides need the same classes"
                                .formatted(name)
                        : "a %s instead of a %s".formatted(name, type.getName()));
    }

    private long schema(Typed type) {
        Long known = schemas.get(type);
        if (known == null) {
            known = Schema.of(type, codecs);
            schemas.put(type, known);
        }
        return known;
    }

    /** A name comes off the wire, and goes into an error that people read. */
    private static String printable(String name) {
        return name.replaceAll("[^\\p{Alnum}_.$<>,\\[\\] ]", "?");
    }
}
