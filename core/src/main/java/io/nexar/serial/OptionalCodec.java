package io.nexar.serial;

import java.util.Optional;
import java.util.function.Consumer;

/** What an optional has, if it has something. */
final class OptionalCodec implements Codec {
    private final Typed valueType;
    private final Codecs codecs;

    OptionalCodec(Typed type, Codecs codecs) {
        this.valueType = type.arguments().getFirst();
        this.codecs = codecs;
    }

    @Override
    public void write(Object value, ObjectWriter out) {
        out.depth()
                .inside(() -> {
                    codecs.part(valueType).write(((Optional<?>) value).orElse(null), out);
                    return value;
                });
    }

    @Override
    public Object read(ObjectReader in) {
        return in.depth().inside(() -> Optional.ofNullable(codecs.part(valueType).read(in)));
    }

    @Override
    public String signature() {
        return "Optional";
    }

    @Override
    public void forEachPart(Consumer<Typed> action) {
        action.accept(valueType);
    }
}
