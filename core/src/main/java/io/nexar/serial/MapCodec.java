package io.nexar.serial;

import org.jspecify.annotations.Nullable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** A map: the number of entries, then key and value of each, in its order. */
final class MapCodec implements Codec {
    private final Typed keyType;
    private final Typed valueType;
    private final Codecs codecs;

    MapCodec(Typed type, Codecs codecs) {
        this.keyType = type.arguments().getFirst();
        this.valueType = type.arguments().getLast();
        this.codecs = codecs;
    }

    @Override
    public void write(Object value, ObjectWriter out) {
        PartCodec keys = codecs.part(keyType);
        PartCodec values = codecs.part(valueType);
        Map<?, ?> map = (Map<?, ?>) value;
        out.putInt(map.size());
        out.depth()
                .inside(() -> {
                    map.forEach((key, item) -> {
                        keys.write(key, out);
                        values.write(item, out);
                    });
                    return map;
                });
    }

    @Override
    public Object read(ObjectReader in) {
        PartCodec keys = codecs.part(keyType);
        PartCodec values = codecs.part(valueType);
        int count = in.getCount(2);
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
        return in.depth()
                .inside(() -> {
                    for (int i = 0; i < count; i++) {
                        map.put(keys.read(in), values.read(in));
                    }
                    if (map.size() < count) {
                        throw in.fault("a map that has a key twice");
                    }
                    return Collections.unmodifiableMap(map);
                });
    }

    @Override
    public String signature() {
        return "Map";
    }

    @Override
    public void forEachPart(Consumer<Typed> action) {
        action.accept(keyType);
        action.accept(valueType);
    }
}
