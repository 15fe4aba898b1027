package io.nexar.serial;

import org.jspecify.annotations.Nullable;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A record: its components, one after the other. Read through its canonical constructor, so that
 * whatever the record demands of its components holds for what comes off the wire as well.
 */
final class RecordCodec implements Codec {
    private final Class<?> type;
    private final String[] names;
    private final List<Typed> components;
    private final Method[] accessors;
    private final Constructor<?> constructor;
    private final Codecs codecs;

    /** Whoever comes first fills it; all would fill in the same. */
    private volatile PartCodec @Nullable [] parts;

    RecordCodec(Typed record, Codecs codecs) {
        this.type = record.raw();
        this.codecs = codecs;
        RecordComponent[] declared = type.getRecordComponents();
        var variables = record.variables();
        this.names = Arrays.stream(declared).map(RecordComponent::getName).toArray(String[]::new);
        this.components =
                Arrays.stream(declared)
                        .map(component -> Typed.of(component.getGenericType(), variables))
                        .toList();
        this.accessors =
                Arrays.stream(declared).map(RecordComponent::getAccessor).toArray(Method[]::new);
        Class<?>[] parameters =
                Arrays.stream(declared).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            this.constructor = type.getDeclaredConstructor(parameters);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("a record without its canonical constructor", e);
        }
        open(constructor);
        Arrays.stream(accessors).forEach(this::open);
    }

    private void open(AccessibleObject member) {
        try {
            member.setAccessible(true);
        } catch (InaccessibleObjectException e) {
            throw new IllegalArgumentException(
                    "%s can't be reached: its module must open package %s to io.nexar"
                            .formatted(type.getName(), type.getPackageName()),
                    e);
        }
    }

    @Override
    public void write(Object value, ObjectWriter out) {
        out.depth()
                .inside(() -> {
                    for (int i = 0; i < accessors.length; i++) {
                        parts()[i].write(call(value, i), out);
                    }
                    return value;
                });
    }

    /** Looked up when they are needed: a record may be in itself. */
    private PartCodec[] parts() {
        PartCodec[] known = parts;
        if (known == null) {
            known = components.stream().map(codecs::part).toArray(PartCodec[]::new);
            parts = known;
        }
        return known;
    }

    private @Nullable Object call(Object value, int component) {
        try {
            return accessors[component].invoke(value);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    "%s.%s() has thrown %s"
                            .formatted(type.getName(), names[component], e.getCause()),
                    e.getCause());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("a member that was opened", e);
        }
    }

    @Override
    public Object read(ObjectReader in) {
        return in.depth()
                .inside(() -> {
                    @Nullable Object[] arguments = new Object[accessors.length];
                    for (int i = 0; i < arguments.length; i++) {
                        arguments[i] = parts()[i].read(in);
                    }
                    return make(arguments);
                });
    }

    private Object make(@Nullable Object[] arguments) {
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    "%s refuses its components: %s".formatted(type.getName(), e.getCause()),
                    e.getCause());
        } catch (InstantiationException | IllegalAccessException e) {
            throw new IllegalStateException("a constructor that was opened", e);
        }
    }

    @Override
    public String signature() {
        return Arrays.stream(names)
                .collect(Collectors.joining(",", "record " + type.getName() + " ", ""));
    }

    @Override
    public void forEachPart(Consumer<Typed> action) {
        components.forEach(action);
    }
}
