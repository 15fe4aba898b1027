package io.nexar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What the interface promises and this version does not do yet. Each method is really called, in a
 * world of one. A list may only shrink: whoever reaches a method takes its line out.
 */
class UnreachedTest {

    private static final List<String> COMMUNICATOR_ONLY =
            List.of("rpc()", "revoke()", "agree(long)", "shrink()");

    private static final List<String> MEMBERSHIP =
            List.of("grow(Duration)", "leave()", "remove(MemberId, String)");

    /** Long enough for a call that works, short for a receive that nobody answers. */
    private static final Duration PATIENCE = Duration.ofMillis(200);

    @Test
    void onlyTheListedMethodsOfACommunicatorAreUnreached() {
        assertThat(unreached(Communicator.class, Function.identity()))
                .containsExactlyInAnyOrderElementsOf(COMMUNICATOR_ONLY);
    }

    @Test
    void everyMethodOfAnAsyncCommunicatorIsReached() {
        assertThat(unreached(AsyncCommunicator.class, Communicator::async)).isEmpty();
    }

    @Test
    void onlyTheListedMethodsOfAMembershipAreUnreached() {
        List<String> unreached = new ArrayList<>();
        for (Method method : Membership.class.getMethods()) {
            try (Nexar nexar = Nexar.join(NexarConfig.defaults())) {
                if (isUnreached(method, nexar.membership())) {
                    unreached.add(signature(method));
                }
            }
        }
        assertThat(unreached).containsExactlyInAnyOrderElementsOf(MEMBERSHIP);
    }

    @Test
    void elasticRunIsUnreached() {
        try (Nexar nexar = Nexar.join(NexarConfig.defaults())) {
            assertThatThrownBy(() -> Elastic.run(nexar, new NoState(), (_, _) -> false))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("Elastic.run");
        }
    }

    private static <T> List<String> unreached(Class<T> type, Function<Communicator, T> view) {
        List<String> unreached = new ArrayList<>();
        for (Method method : type.getMethods()) {
            try (LocalCluster cluster = LocalCluster.start(1)) {
                Communicator world = cluster.communicators().getFirst().withTimeout(PATIENCE);
                if (isUnreached(method, view.apply(world))) {
                    unreached.add(signature(method));
                }
            }
        }
        return unreached;
    }

    /** Every other outcome, be it an error about the arguments, is somebody's answer. */
    private static boolean isUnreached(Method method, Object target) {
        Object[] arguments =
                Arrays.stream(method.getParameterTypes()).map(UnreachedTest::argument).toArray();
        try {
            method.invoke(target, arguments);
            return false;
        } catch (InvocationTargetException failure) {
            if (failure.getCause() instanceof UnsupportedOperationException unreached) {
                assertThat(unreached)
                        .hasMessageContaining(method.getName())
                        .hasMessageContaining("not part of this version yet");
                return true;
            }
            return false;
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static @Nullable Object argument(Class<?> type) {
        return switch (type.getSimpleName()) {
            case "int" -> 0;
            case "long" -> 0L;
            case "long[]" -> new long[] {1};
            case "DataBuffer" -> DataBuffer.allocate(DataType.F32, 1);
            case "ReduceOp" -> ReduceOp.SUM;
            case "List" -> List.of(DataBuffer.allocate(DataType.F32, 1));
            case "Neighborhood" -> Neighborhood.grid(1);
            case "CompressionState" -> CompressionState.none();
            case "Class" -> String.class;
            case "Object", "String" -> "text";
            case "Duration" -> PATIENCE;
            case "Algorithm" -> Algorithm.AUTO;
            case "MembershipListener" -> (MembershipListener) _ -> {};
            case "MemberId" -> new MemberId(0);
            default -> throw new AssertionError("no argument of " + type);
        };
    }

    private static String signature(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", ", method.getName() + "(", ")"));
    }

    private static final class NoState implements ElasticState {
        @Override
        public void commit() {}

        @Override
        public void rollBack() {}

        @Override
        public void synchronize(Communicator communicator, int source) {}
    }
}
