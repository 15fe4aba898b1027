package io.nexar.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nexar.Scope;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/** Objects to bytes and back, and bytes that nobody has written. */
class RecordSerializerTest {
    private final RecordSerializer serializer = new RecordSerializer();

    record Scalars(
            boolean a, byte b, short c, char d, int e, long f, float g, double h, String text) {}

    record Boxes(
            @Nullable Boolean a,
            @Nullable Byte b,
            @Nullable Short c,
            @Nullable Character d,
            @Nullable Integer e,
            @Nullable Long f,
            @Nullable Float g,
            @Nullable Double h,
            @Nullable String text,
            @Nullable Scope scope) {}

    record Nested(List<List<@Nullable String>> lists, Map<String, Set<Integer>> sets) {}

    record Maybe(Optional<Nested> nested, Optional<Optional<String>> twice) {}

    record Pair<A, B>(A first, B second) {}

    record Pairs(List<Pair<String, Pair<Integer, long[]>>> pairs, Pair<String, Scope>[] array) {}

    record Chain(int value, @Nullable Chain next) {}

    sealed interface Figure permits Circle, Polygon, Unit {}

    record Circle(double radius) implements Figure {}

    sealed interface Polygon extends Figure permits Square, Triangle {}

    record Square(double side) implements Polygon {}

    record Triangle(double a, double b, double c) implements Polygon {
        Triangle {
            if (a + b <= c) {
                throw new IllegalArgumentException("no triangle");
            }
        }
    }

    enum Unit implements Figure {
        NONE,
        ALL {
            @Override
            public String toString() {
                return "everything";
            }
        }
    }

    record Drawing(List<Figure> figures, Map<Unit, Figure> byUnit) {}

    record Empty() {}

    static Stream<Object> values() {
        Map<String, Set<Integer>> sets = new LinkedHashMap<>();
        sets.put("z", Set.of());
        sets.put("a", Set.of(3));
        Nested nested =
                new Nested(List.of(List.of(), Arrays.asList("ä", null, "\uD83D\uDE00")), sets);
        return Stream.of(
                "text",
                7,
                -3L,
                'x',
                1.5,
                true,
                Scope.PEER,
                Unit.ALL,
                new Empty(),
                new Scalars(
                        true,
                        (byte) -1,
                        Short.MIN_VALUE,
                        '\uFFFF',
                        Integer.MIN_VALUE,
                        Long.MAX_VALUE,
                        -0.0f,
                        Double.NaN,
                        ""),
                new Boxes(null, null, null, null, null, null, null, null, null, null),
                new Boxes(false, (byte) 1, (short) 2, '3', 4, 5L, 6f, 7d, "8", Scope.OPERATION),
                nested,
                new Maybe(Optional.empty(), Optional.of(Optional.empty())),
                new Maybe(Optional.of(nested), Optional.of(Optional.of("in"))),
                new Chain(1, new Chain(2, new Chain(3, null))),
                new Triangle(3, 4, 5),
                new Drawing(
                        List.of(new Circle(1), Unit.NONE, new Square(2), new Triangle(3, 4, 5)),
                        Map.of(Unit.ALL, new Circle(4))));
    }

    @ParameterizedTest
    @MethodSource("values")
    void whatIsWrittenIsReadAgain(Object value) {
        assertThat(serializer.read(bytes(value), Codecs.typeOf(value).raw()))
                .isEqualTo(value)
                .hasToString(value.toString());
    }

    static Stream<Object> arrays() {
        return Stream.of(
                new boolean[] {true, false},
                new byte[] {1, -1},
                new short[] {-2, 2},
                new char[] {'a', '\uFFFF'},
                new int[] {Integer.MIN_VALUE, 3},
                new long[] {Long.MIN_VALUE, 4},
                new float[] {Float.NaN, -0.0f},
                new double[] {5, Double.POSITIVE_INFINITY},
                new int[0],
                new String[] {"a", null, "b"},
                new int[][] {{1, 2}, {}, null},
                new Chain[][] {{new Chain(1, null)}, {null}});
    }

    @ParameterizedTest
    @MethodSource("arrays")
    void arraysAreReadAgain(Object array) {
        Object got = serializer.read(bytes(array), array.getClass());
        assertThat(got).hasSameClassAs(array);
        assertThat(Arrays.deepEquals(new Object[] {got}, new Object[] {array})).isTrue();
    }

    @Test
    void typeArgumentsAreKnownFromTheComponentsOfARecord() {
        @SuppressWarnings("unchecked")
        Pair<String, Scope>[] array = (Pair<String, Scope>[]) Array.newInstance(Pair.class, 1);
        array[0] = new Pair<>("k", Scope.PEER);
        Pairs pairs = new Pairs(List.of(new Pair<>("x", new Pair<>(1, new long[] {2}))), array);
        Pairs got = serializer.read(bytes(pairs), Pairs.class);
        assertThat(got.pairs().getFirst().second().second()).containsExactly(2);
        assertThat(got.array()).containsExactly(array);
    }

    @Test
    void aSealedInterfaceIsReadAsWhicheverItPermits() {
        for (Figure figure : List.of(new Circle(1), new Square(2), Unit.ALL)) {
            assertThat(serializer.read(bytes(figure), Figure.class)).isEqualTo(figure);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> serializer.read(bytes(new Circle(1)), Polygon.class))
                .withMessageContaining("Circle instead of a")
                .withMessageContaining("Polygon");
    }

    @Test
    void whatComesOutOfListsSetsAndMapsCantBeChanged() {
        Nested got =
                serializer.read(
                        bytes(new Nested(new ArrayList<>(), new HashMap<>())), Nested.class);
        assertThat(got.lists()).isUnmodifiable();
        assertThat(Collections.unmodifiableMap(got.sets())).isSameAs(got.sets());
    }

    record Loose(Object value) {}

    record Raw(@SuppressWarnings("rawtypes") List list) {}

    record Growing<T>(@Nullable Growing<List<T>> next) {}

    record HoldsGrowing(Growing<String> growing) {}

    @Test
    void whatCantBeWrittenIsRefusedByName() {
        requireRefused(new Loose("x"), "java.lang.Object can't be written");
        requireRefused(new Raw(List.of()), "java.util.List without its type arguments");
        requireRefused(new ArrayList<>(List.of(1)), "java.util.ArrayList can't be written");
        requireRefused(new Pair<>(1, 2), "Pair without its type arguments");
        requireRefused(new Random(), "java.util.Random can't be written");
        requireRefused("\uD800", "half a character");
        requireRefused(new HoldsGrowing(new Growing<>(null)), "types 64 deep");
        requireRefused(chain(Depth.MAX + 1), "nest more than 100 deep");
        assertThat(serializer.read(bytes(chain(Depth.MAX)), Chain.class))
                .isEqualTo(chain(Depth.MAX));
    }

    @Test
    void bytesOfAnotherTypeOrVersionAreRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> serializer.read(bytes(new Circle(1)), Square.class))
                .withMessageContaining("Circle instead of a io.nexar.serial");
        byte[] other = serializer.write(new Circle(1));
        other[3] ^= 1;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> serializer.read(ByteBuffer.wrap(other), Circle.class))
                .withMessageContaining("another version");
        other[0] = 9;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> serializer.read(ByteBuffer.wrap(other), Circle.class))
                .withMessageContaining("format 9");
        byte[] nonsense = serializer.write(new Circle(1));
        nonsense[12] = 7;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> serializer.read(ByteBuffer.wrap(nonsense), Square.class))
                .withMessageContaining("a io?nexar");
    }

    @Test
    void whatARecordDemandsHoldsForBytesToo() {
        byte[] bytes = serializer.write(new Triangle(3, 4, 5));
        bytes[bytes.length - 1] = 0x7F; // c is now infinite or NaN, beyond any a + b
        bytes[bytes.length - 2] = (byte) 0xE0;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> serializer.read(ByteBuffer.wrap(bytes), Triangle.class))
                .withMessageContaining("refuses its components")
                .withMessageContaining("no triangle");
    }

    // Pitfall 83: bytes that nobody has written make no object that nobody has declared.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void hostileBytesAreRefusedAndNothingElse(long randomSeed) {
        Random random = new Random(randomSeed);
        List<Object> values = Stream.concat(values(), arrays()).toList();
        int refused = 0;
        for (int i = 0; i < 5_000; i++) {
            Object value = values.get(random.nextInt(values.size()));
            byte[] bytes = serializer.write(value);
            int body = 10 + Byte.toUnsignedInt(bytes[9]);
            for (int hits = random.nextInt(4); hits >= 0 && body < bytes.length; hits--) {
                bytes[body + random.nextInt(bytes.length - body)] = (byte) random.nextInt();
            }
            int length = random.nextInt(3) == 0 ? random.nextInt(bytes.length) : bytes.length;
            try {
                serializer.read(ByteBuffer.wrap(bytes, 0, length), Codecs.typeOf(value).raw());
            } catch (IllegalArgumentException expected) {
                refused++;
            }
        }
        assertThat(refused).as("seed %d", randomSeed).isGreaterThan(1_000);
    }

    @Test
    void aLengthThatTheBytesCantFillTakesNoMemory() {
        for (Object value : List.of(new int[1], new String[] {"x"}, "x", new byte[] {1})) {
            byte[] bytes = serializer.write(value);
            int body = 10 + Byte.toUnsignedInt(bytes[9]);
            for (int count : new int[] {Integer.MAX_VALUE, -1, 100, Integer.MIN_VALUE}) {
                ByteBuffer hostile = ByteBuffer.wrap(bytes.clone());
                hostile.order(ByteOrder.LITTLE_ENDIAN).putInt(body, count);
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> serializer.read(hostile, value.getClass()))
                        .withMessageContaining("bytes are left");
            }
        }
    }

    private static Chain chain(int length) {
        Chain chain = new Chain(0, null);
        for (int i = 1; i < length; i++) {
            chain = new Chain(i, chain);
        }
        return chain;
    }

    private ByteBuffer bytes(Object value) {
        return ByteBuffer.wrap(serializer.write(value));
    }

    private void requireRefused(Object value, String reason) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> serializer.write(value))
                .withMessageContaining(reason);
    }
}
