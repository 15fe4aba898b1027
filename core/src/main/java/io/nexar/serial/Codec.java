package io.nexar.serial;

import java.util.function.Consumer;

/** The values of one type as bytes. Both sides know the type; the bytes do not name it. */
interface Codec {
    void write(Object value, ObjectWriter out);

    /**
     * @throws IllegalArgumentException if the bytes hold no such value
     */
    Object read(ObjectReader in);

    /** What distinguishes the type from others, apart from what its parts are. */
    String signature();

    /** The types that it is made of, in order. */
    default void forEachPart(Consumer<Typed> action) {}
}
