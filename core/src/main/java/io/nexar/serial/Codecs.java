package io.nexar.serial;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The codecs of all types that were met. Bounded by the program's own types: no type is ever made
 * of what the bytes say. Any thread.
 */
final class Codecs {
    private final Map<Typed, Codec> known = new ConcurrentHashMap<>();

    /** The type that an object is of, as far as the object itself knows. */
    static Typed typeOf(Object value) {
        return Typed.of(
                value instanceof Enum<?> constant
                        ? constant.getDeclaringClass()
                        : value.getClass());
    }

    /**
     * The codec of a type.
     *
     * @throws IllegalArgumentException if it has none, naming the type and the rule
     */
    Codec of(Typed type) {
        Codec codec = known.get(type);
        if (codec == null) {
            codec = make(type);
            known.put(type, codec);
        }
        return codec;
    }

    PartCodec part(Typed type) {
        return new PartCodec(of(type), !type.raw().isPrimitive());
    }

    private Codec make(Typed type) {
        Class<?> raw = type.raw();
        ScalarCodec scalar = ScalarCodec.byType().get(raw);
        if (scalar != null) {
            return scalar;
        }
        if (raw.isRecord()) {
            return new RecordCodec(type, this);
        }
        if (raw.isEnum()) {
            return new EnumCodec(raw);
        }
        if (raw.isArray()) {
            return raw.getComponentType().isPrimitive()
                    ? new ArrayCodec(raw.getComponentType())
                    : new SequenceCodec(type, this);
        }
        if (raw.isInterface() && raw.isSealed()) {
            return new SealedCodec(raw, this);
        }
        return ofLibrary(type);
    }

    private Codec ofLibrary(Typed type) {
        Class<?> raw = type.raw();
        if (raw == List.class || raw == Set.class) {
            type.variables();
            return new SequenceCodec(type, this);
        }
        if (raw == Map.class) {
            type.variables();
            return new MapCodec(type, this);
        }
        if (raw == Optional.class) {
            type.variables();
            return new OptionalCodec(type, this);
        }
        throw new IllegalArgumentException(
                type
                        + " can't be written: records, enums, texts, numbers, arrays, sealed"
                        + " interfaces of records can, and as components of a record List, Set, Map"
                        + " and Optional of these");
    }
}
