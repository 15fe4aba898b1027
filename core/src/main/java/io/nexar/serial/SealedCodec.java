package io.nexar.serial;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/** One of the records and enums that a sealed interface permits: its number, then the value. */
final class SealedCodec implements Codec {
    private final Class<?> type;
    private final List<Typed> permitted;
    private final Codecs codecs;

    SealedCodec(Class<?> type, Codecs codecs) {
        this.type = type;
        this.permitted = permitted(type);
        this.codecs = codecs;
    }

    /** By name, so that all sides count alike; those of interfaces inside are among them. */
    static List<Typed> permitted(Class<?> sealed) {
        List<Class<?>> found = new ArrayList<>();
        collect(sealed, found);
        return found.stream()
                .distinct()
                .sorted(Comparator.comparing(Class::getName))
                .map(Typed::of)
                .toList();
    }

    private static void collect(Class<?> type, List<Class<?>> found) {
        if (type.isInterface() && type.isSealed()) {
            for (Class<?> next : type.getPermittedSubclasses()) {
                collect(next, found);
            }
        } else {
            found.add(type);
        }
    }

    @Override
    public void write(Object value, ObjectWriter out) {
        Typed actual = Codecs.typeOf(value);
        int number = permitted.indexOf(actual);
        if (number < 0) {
            throw new IllegalArgumentException(
                    "%s is none of those that %s permits".formatted(actual, type.getName()));
        }
        out.putShort(number);
        codecs.of(actual).write(value, out);
    }

    @Override
    public Object read(ObjectReader in) {
        int number = Short.toUnsignedInt(in.getShort());
        if (number >= permitted.size()) {
            throw in.fault("number %d of those that %s permits".formatted(number, type.getName()));
        }
        return codecs.of(permitted.get(number)).read(in);
    }

    @Override
    public String signature() {
        return "sealed " + type.getName();
    }

    @Override
    public void forEachPart(Consumer<Typed> action) {
        permitted.forEach(action);
    }
}
