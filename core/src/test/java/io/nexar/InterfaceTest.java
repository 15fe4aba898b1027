package io.nexar;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

class InterfaceTest {

    /** What has no form that starts and returns: questions, objects, views, recovery. */
    private static final Set<String> BLOCKING_ONLY =
            Set.of(
                    "name",
                    "rank",
                    "size",
                    "member",
                    "epoch",
                    "probe",
                    "tryProbe",
                    "match",
                    "tryMatch",
                    "sendObject",
                    "receiveObject",
                    "broadcastObject",
                    "gatherObjects",
                    "allGatherObjects",
                    "async",
                    "prepare",
                    "split",
                    "splitByHost",
                    "duplicate",
                    "withTimeout",
                    "withAlgorithm",
                    "rpc",
                    "revoke",
                    "agree",
                    "shrink",
                    "close");

    @Test
    void everyOperationHasAnAsynchronousFormWithTheSameParameters() {
        List<String> expected =
                Arrays.stream(Communicator.class.getMethods())
                        .filter(method -> !BLOCKING_ONLY.contains(method.getName()))
                        .map(InterfaceTest::signature)
                        .sorted()
                        .toList();
        assertThat(
                        Arrays.stream(AsyncCommunicator.class.getMethods())
                                .map(InterfaceTest::signature))
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(AsyncCommunicator.class.getMethods())
                .allMatch(method -> method.getReturnType() == Request.class);
    }

    @Test
    void everyCollectiveCanBePrepared() {
        Set<String> others =
                Set.of(
                        "send",
                        "receive",
                        "sendReceive",
                        // The state of a compression changes with each call.
                        "allReduceCompressed");
        assertThat(
                        Arrays.stream(PreparingCommunicator.class.getMethods())
                                .map(InterfaceTest::signature))
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(AsyncCommunicator.class.getMethods())
                                .filter(method -> !others.contains(method.getName()))
                                .map(InterfaceTest::signature)
                                .toList());
        assertThat(PreparingCommunicator.class.getMethods())
                .allMatch(method -> method.getReturnType() == PreparedCollective.class);
    }

    private static String signature(Method method) {
        return method.getName() + Arrays.toString(method.getParameterTypes());
    }

    @Test
    void noCountIsAnInt() {
        // Pitfall 10: counts and sizes are longs wherever they pass through the interface.
        Stream.of(Communicator.class, AsyncCommunicator.class, PreparingCommunicator.class)
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .forEach(method ->
                        assertThat(method.getParameterTypes())
                                .as(signature(method))
                                .doesNotContain(int[].class));
        Stream.of(DataBuffer.class, Status.class, Partition.class, CompressionReport.class)
                .flatMap(type -> Arrays.stream(type.getMethods()))
                .filter(method -> method.getName().matches("count.*|byteSize|bytes|offset|.*Bytes"))
                .forEach(method ->
                        assertThat(method.getReturnType())
                                .as(signature(method))
                                .isEqualTo(long.class));
    }
}
