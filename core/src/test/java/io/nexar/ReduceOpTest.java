package io.nexar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

class ReduceOpTest {

    private static final Set<DataType> FLOATS =
            EnumSet.of(DataType.F64, DataType.F32, DataType.F16, DataType.BF16);
    private static final Set<DataType> PAIRS =
            EnumSet.of(DataType.F32_I32, DataType.F64_I64, DataType.I32_I32, DataType.I64_I64);

    @ParameterizedTest
    @EnumSource
    void eachTypeTakesTheOperationsOfItsFamily(DataType type) {
        boolean isPair = PAIRS.contains(type);
        boolean isFloat = FLOATS.contains(type);
        for (ReduceOp op : StandardReduceOp.values()) {
            boolean expected =
                    switch (op.name()) {
                        case "MINLOC", "MAXLOC" -> isPair;
                        case "SUM", "PROD", "MIN", "MAX", "AVG" -> !isPair;
                        default -> !isPair && !isFloat;
                    };
            assertThat(op.supports(type)).as("%s of %s", op, type).isEqualTo(expected);
        }
        assertThat(ReduceOp.ofDoubles("d", Math::hypot).supports(type)).isEqualTo(isFloat);
        assertThat(ReduceOp.ofLongs("l", Math::max).supports(type)).isEqualTo(!isFloat && !isPair);
        assertThat(ReduceOp.of("i", 2, (_, _, _, _) -> {}).supports(type)).isTrue();
    }

    @Test
    void builtInOperationsAreCommutativeAndSingle() {
        assertThat(StandardReduceOp.values())
                .hasSize(13)
                .allMatch(ReduceOp::isCommutative)
                .allMatch(op -> op.itemWidth() == 1);
        for (ReduceOp op : StandardReduceOp.values()) {
            assertThatIllegalStateException()
                    .isThrownBy(op::nonCommutative)
                    .withMessageContaining(op.name());
            assertThatIllegalStateException().isThrownBy(() -> op.withIdentity(0.5));
            assertThatIllegalStateException().isThrownBy(() -> op.withIdentity(1L));
        }
    }

    @Test
    void aUsersOperationKeepsWhatItWasTold() {
        ReduceOp matrix = ReduceOp.of("matrix", 4, (_, _, _, _) -> {});
        assertThat(matrix.name()).isEqualTo("matrix");
        assertThat(matrix.itemWidth()).isEqualTo(4);
        assertThat(matrix.isCommutative()).isTrue();
        ReduceOp ordered = matrix.withIdentity(1).nonCommutative();
        assertThat(ordered.isCommutative()).isFalse();
        assertThat(identity(ordered)).isEqualTo(1L);
        assertThat(matrix.isCommutative()).isTrue();
        assertThat(identity(matrix)).isNull();
        assertThat(ordered).hasToString("matrix");
    }

    @Test
    void anIdentityIsOfTheKindThatTheOperationComputesWith() {
        ReduceOp doubles = ReduceOp.ofDoubles("hypot", Math::hypot);
        assertThat(identity(doubles.withIdentity(0))).isEqualTo(0.0);
        assertThat(identity(doubles.withIdentity(1.5))).isEqualTo(1.5);
        ReduceOp longs = ReduceOp.ofLongs("gcd", (a, b) -> a);
        assertThat(identity(longs.withIdentity(3))).isEqualTo(3L);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> longs.withIdentity(0.5))
                .withMessageContaining("gcd");
    }

    private static @Nullable Object identity(ReduceOp op) {
        return ((UserReduceOp) op).identity();
    }

    @Test
    void namesThatRanksCouldConfuseAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReduceOp.ofDoubles("SUM", Double::sum))
                .withMessageContaining("SUM");
        assertThatIllegalArgumentException().isThrownBy(() -> ReduceOp.ofLongs(" ", Long::sum));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReduceOp.of("x", 0, (_, _, _, _) -> {}))
                .withMessageContaining("itemWidth 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"io.nexar.ReduceOp", "io.nexar.StandardReduceOp"})
    void constantsAreThereWhicheverClassIsTouchedFirst(String first) throws Exception {
        URL[] classPath =
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(ReduceOpTest::url)
                        .toArray(URL[]::new);
        try (URLClassLoader fresh =
                new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader())) {
            Class.forName(first, true, fresh);
            Class<?> operations = Class.forName("io.nexar.ReduceOp", true, fresh);
            assertThat(operations.getClassLoader()).isEqualTo(fresh);
            for (StandardReduceOp op : StandardReduceOp.values()) {
                assertThat(operations.getField(op.name()).get(null)).hasToString(op.name());
            }
        }
    }

    private static URL url(String path) {
        try {
            return Path.of(path).toUri().toURL();
        } catch (java.net.MalformedURLException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
