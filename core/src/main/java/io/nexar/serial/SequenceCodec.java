package io.nexar.serial;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * An array of references, a list or a set: the number of elements, then the elements. Lists and
 * sets come out in the order that they had, and can't be changed.
 */
final class SequenceCodec implements Codec {
    private final Typed type;
    private final Typed elementType;
    private final Codecs codecs;

    SequenceCodec(Typed type, Codecs codecs) {
        this.type = type;
        this.elementType = type.arguments().getFirst();
        this.codecs = codecs;
    }

    @Override
    public void write(Object value, ObjectWriter out) {
        PartCodec element = codecs.part(elementType);
        Collection<?> elements =
                value instanceof Object[] array ? Arrays.asList(array) : (Collection<?>) value;
        out.putInt(elements.size());
        out.depth()
                .inside(() -> {
                    elements.forEach(item -> element.write(item, out));
                    return elements;
                });
    }

    @Override
    public Object read(ObjectReader in) {
        PartCodec element = codecs.part(elementType);
        int count = in.getCount(1);
        List<@Nullable Object> elements = new ArrayList<>(count);
        return in.depth()
                .inside(() -> {
                    for (int i = 0; i < count; i++) {
                        elements.add(element.read(in));
                    }
                    return shaped(elements, in);
                });
    }

    @Override
    public String signature() {
        return type.raw().isArray() ? "array" : type.raw().getSimpleName();
    }

    @Override
    public void forEachPart(Consumer<Typed> action) {
        action.accept(elementType);
    }

    private Object shaped(List<@Nullable Object> elements, ObjectReader in) {
        if (type.raw().isArray()) {
            Object array = Array.newInstance(type.raw().getComponentType(), elements.size());
            return elements.toArray((Object[]) array);
        }
        if (type.raw() == List.class) {
            return Collections.unmodifiableList(elements);
        }
        Set<@Nullable Object> set = new LinkedHashSet<>(elements);
        if (set.size() < elements.size()) {
            throw in.fault("a set that has an element twice");
        }
        return Collections.unmodifiableSet(set);
    }
}
