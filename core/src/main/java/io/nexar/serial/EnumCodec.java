package io.nexar.serial;

import java.util.Arrays;
import java.util.stream.Collectors;

/** A constant of an enum, by its number; the signature has the names. */
record EnumCodec(Class<?> type) implements Codec {
    @Override
    public void write(Object value, ObjectWriter out) {
        out.putInt(((Enum<?>) value).ordinal());
    }

    @Override
    public Object read(ObjectReader in) {
        Object[] constants = type.getEnumConstants();
        int ordinal = in.getInt();
        if (ordinal < 0 || ordinal >= constants.length) {
            throw in.fault("constant %d of %s".formatted(ordinal, type.getName()));
        }
        return constants[ordinal];
    }

    @Override
    public String signature() {
        return Arrays.stream(type.getEnumConstants())
                .map(constant -> ((Enum<?>) constant).name())
                .collect(Collectors.joining(",", "enum " + type.getName() + " ", ""));
    }
}
