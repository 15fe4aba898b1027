package io.nexar.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.DataBuffer;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.ReduceOp;
import io.nexar.cli.launch.LaunchException;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.CostModelText;
import io.nexar.collective.plan.cost.LinkClass;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What {@code --tune} makes of times; that ranks can be timed, other tests show. */
@Timeout(60)
class TuningTest {
    @TempDir private Path folder;

    private final List<String> progress = new ArrayList<>();

    /**
     * Calls take so many microseconds and a nanosecond for eight bytes; one transport is missing.
     */
    private String tune(int micros, String missing) {
        Tuning.Ranks ranks =
                (transport, kinds, slicing) -> {
                    if (transport.equals(missing)) {
                        throw new LaunchException(1, transport + " is not here");
                    }
                    double factor = transport.equals("local") ? 0.1 : 1;
                    return new Tuning.Timed(
                            kinds.stream()
                                    .mapToDouble(
                                            kind -> factor * (1e3 * micros + kind.bytes() / 8.0))
                                    .toArray(),
                            transport.equals("auto") ? "shm" : transport);
                };
        return new Tuning(2, ranks, progress::add).run("auto");
    }

    @Test
    void theFileSaysWhatCarriedWhatAndTheSettingReadsIt() throws Exception {
        String text = tune(50, "none");
        assertThat(text)
                .startsWith("# nexar bench --tune: 2 ranks, ")
                .contains(
                        "# call, step, copy, reduce, switch, cache, memory, jvm: measured over"
                                + " local\n")
                .contains("# host: measured over shm\n")
                .contains("# message and byte of rack and far: measured over tcp\n");
        Path file = Files.writeString(folder.resolve("model"), text);
        NexarConfig config = NexarConfig.defaults().with("nexar.cost.model", file.toString());
        assertThat(config.fileText("nexar.cost.model")).isEqualTo(text);
        try (LocalCluster cluster = LocalCluster.start(2, config)) {
            cluster.run(world -> {
                int[] values = {world.rank() + 1};
                world.allReduce(DataBuffer.of(values), ReduceOp.SUM);
                assertThat(values).containsExactly(3);
            });
        }
    }

    @Test
    void slowerCallsMakeSlowerLinksAndDistancesStayAsTheyWere() {
        CostModel fast = CostModelText.parse(tune(20, "none"));
        CostModel slow = CostModelText.parse(tune(200, "none"));
        assertThat(slow.link(LinkClass.HOST).latencyNanos())
                .isGreaterThan(2 * fast.link(LinkClass.HOST).latencyNanos());
        CostModel written = CostModelText.parse(CostModelText.format(CostModel.DEFAULT));
        for (LinkClass link : List.of(LinkClass.RACK, LinkClass.FAR)) {
            assertThat(slow.link(link).latencyNanos()).isEqualTo(written.link(link).latencyNanos());
            assertThat(slow.link(link).wireByteNanos())
                    .isEqualTo(written.link(link).wireByteNanos());
        }
    }

    @Test
    void betweenHostsQuicStandsInForTcpAndWithoutProcessesThereIsNoModel() {
        assertThat(tune(50, "tcp")).contains("rack and far: measured over quic\n");
        assertThat(progress).contains("tcp can't be measured");
        assertThatThrownBy(() -> tune(50, "auto")).hasMessageContaining("auto is not here");
    }
}
