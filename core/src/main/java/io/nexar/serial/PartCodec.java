package io.nexar.serial;

import org.jspecify.annotations.Nullable;

/** A value as a part of another: before a reference one byte says whether there is a value. */
record PartCodec(Codec codec, boolean isReference) {
    void write(@Nullable Object value, ObjectWriter out) {
        if (isReference) {
            out.putByte(value == null ? 0 : 1);
        }
        if (value != null) {
            codec.write(value, out);
        }
    }

    @Nullable Object read(ObjectReader in) {
        return isReference && !in.getBoolean() ? null : codec.read(in);
    }
}
