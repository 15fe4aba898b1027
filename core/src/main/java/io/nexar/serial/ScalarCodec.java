package io.nexar.serial;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Primitives and their boxes with a fixed width, and texts. */
enum ScalarCodec implements Codec {
    BOOLEAN(
            boolean.class,
            Boolean.class,
            (value, out) -> out.putByte((boolean) value ? 1 : 0),
            ObjectReader::getBoolean),
    BYTE(byte.class, Byte.class, (value, out) -> out.putByte((byte) value), ObjectReader::getByte),
    SHORT(
            short.class,
            Short.class,
            (value, out) -> out.putShort((short) value),
            ObjectReader::getShort),
    CHAR(
            char.class,
            Character.class,
            (value, out) -> out.putShort((char) value),
            in -> (char) in.getShort()),
    INT(int.class, Integer.class, (value, out) -> out.putInt((int) value), ObjectReader::getInt),
    LONG(long.class, Long.class, (value, out) -> out.putLong((long) value), ObjectReader::getLong),
    FLOAT(
            float.class,
            Float.class,
            (value, out) -> out.putInt(Float.floatToRawIntBits((float) value)),
            in -> Float.intBitsToFloat(in.getInt())),
    DOUBLE(
            double.class,
            Double.class,
            (value, out) -> out.putLong(Double.doubleToRawLongBits((double) value)),
            in -> Double.longBitsToDouble(in.getLong())),
    STRING(String.class, String.class, ScalarCodec::writeText, ScalarCodec::readText);

    private static final Map<Class<?>, ScalarCodec> BY_TYPE =
            Arrays.stream(values())
                    .flatMap(codec ->
                            Arrays.stream(new Class<?>[] {codec.primitive, codec.box})
                                    .distinct()
                                    .map(type -> Map.entry(type, codec)))
                    .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));

    private final Class<?> primitive;
    private final Class<?> box;
    private final BiConsumer<Object, ObjectWriter> writing;
    private final Function<ObjectReader, Object> reading;

    ScalarCodec(
            Class<?> primitive,
            Class<?> box,
            BiConsumer<Object, ObjectWriter> writing,
            Function<ObjectReader, Object> reading) {
        this.primitive = primitive;
        this.box = box;
        this.writing = writing;
        this.reading = reading;
    }

    /** By type; the others are no scalars. */
    static Map<Class<?>, ScalarCodec> byType() {
        return BY_TYPE;
    }

    @Override
    public void write(Object value, ObjectWriter out) {
        writing.accept(value, out);
    }

    @Override
    public Object read(ObjectReader in) {
        return reading.apply(in);
    }

    @Override
    public String signature() {
        return name();
    }

    private static void writeText(Object value, ObjectWriter out) {
        try {
            ByteBuffer encoded =
                    StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap((String) value));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            out.putInt(bytes.length);
            out.putBytes(bytes);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(
                    "a text with half a character (a lone surrogate)", e);
        }
    }

    private static String readText(ObjectReader in) {
        byte[] bytes = in.getBytes(in.getCount(1));
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException(in.fault("a text that is no UTF-8").getMessage(), e);
        }
    }
}
