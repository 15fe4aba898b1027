package io.nexar.serial;

import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Objects;

/** An array of primitives: its length, then its elements as they lie. */
record ArrayCodec(Class<?> component) implements Codec {
    private static final Map<Class<?>, ValueLayout> LAYOUTS =
            Map.of(
                    byte.class,
                    ValueLayout.JAVA_BYTE,
                    short.class,
                    ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
                    char.class,
                    ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
                    int.class,
                    ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
                    long.class,
                    ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
                    float.class,
                    ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN),
                    double.class,
                    ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN));

    @Override
    public void write(Object value, ObjectWriter out) {
        int length = Array.getLength(value);
        out.putInt(length);
        if (value instanceof boolean[] flags) {
            for (boolean flag : flags) {
                out.putByte(flag ? 1 : 0);
            }
        } else {
            out.putArray(value, length, layout());
        }
    }

    @Override
    public Object read(ObjectReader in) {
        if (component == boolean.class) {
            boolean[] flags = new boolean[in.getCount(1)];
            for (int i = 0; i < flags.length; i++) {
                flags[i] = in.getBoolean();
            }
            return flags;
        }
        int length = in.getCount((int) layout().byteSize());
        Object array = Array.newInstance(component, length);
        in.fillArray(array, length, layout());
        return array;
    }

    @Override
    public String signature() {
        return component + "[]";
    }

    private ValueLayout layout() {
        return Objects.requireNonNull(LAYOUTS.get(component));
    }
}
