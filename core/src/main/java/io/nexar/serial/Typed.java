package io.nexar.serial;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A type whose arguments are known: {@code List<String>}, never {@code List<T>}.
 *
 * @param raw an array's is the array of its component's raw type
 * @param arguments an array of references has one: its component
 */
record Typed(Class<?> raw, List<Typed> arguments) {
    Typed {
        arguments = List.copyOf(arguments);
    }

    static Typed of(Class<?> type) {
        return of(type, Map.of());
    }

    /** A type as it is declared, where the variables around it mean these types. */
    static Typed of(Type type, Map<TypeVariable<?>, Typed> known) {
        return switch (type) {
            case Class<?> array when array.isArray() && !array.getComponentType().isPrimitive() ->
                    new Typed(array, List.of(of(array.getComponentType(), known)));
            case Class<?> plain -> new Typed(plain, List.of());
            case ParameterizedType parameterized ->
                    new Typed(
                            (Class<?>) parameterized.getRawType(),
                            Arrays.stream(parameterized.getActualTypeArguments())
                                    .map(argument -> of(argument, known))
                                    .toList());
            case GenericArrayType array -> {
                Typed component = of(array.getGenericComponentType(), known);
                yield new Typed(component.raw.arrayType(), List.of(component));
            }
            case WildcardType wildcard -> of(wildcard.getUpperBounds()[0], known);
            case TypeVariable<?> variable when known.containsKey(variable) -> known.get(variable);
            default -> throw new IllegalArgumentException(type + ": not known which type that is");
        };
    }

    /** What the variables of the class mean here. */
    Map<TypeVariable<?>, Typed> variables() {
        TypeVariable<?>[] declared = raw.getTypeParameters();
        if (declared.length != arguments.size()) {
            throw new IllegalArgumentException(
                    raw.getName()
                            + " without its type arguments: the component of a record can give"
                            + " them, for example Box<String>");
        }
        Map<TypeVariable<?>, Typed> variables = new HashMap<>();
        for (int i = 0; i < declared.length; i++) {
            variables.put(declared[i], arguments.get(i));
        }
        return variables;
    }

    /** As in a program: {@code java.util.List<java.lang.String>}. */
    @Override
    public String toString() {
        if (raw.isArray()) {
            return raw.getComponentType().isPrimitive()
                    ? raw.getTypeName()
                    : arguments.getFirst() + "[]";
        }
        return arguments.isEmpty()
                ? raw.getName()
                : arguments.stream()
                        .map(Typed::toString)
                        .collect(Collectors.joining(", ", raw.getName() + "<", ">"));
    }
}
