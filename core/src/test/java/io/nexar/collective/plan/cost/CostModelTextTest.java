package io.nexar.collective.plan.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

class CostModelTextTest {
    @Test
    void whatATextSaysCountsAndTheRestIsTheDefault() {
        CostModel model =
                CostModelText.parse(
                        """
                        # measured by hand
                        host.latency = 2.5us   # between processes
                        host.wire=free
                        reduce = 4GB/s
                        far.byte = 80 MB/s
                        cores = 2
                        switch = 3us
                        cache = 512KiB
                        hostcache = 4096KiB
                        memory = 5GB/s
                        """);
        assertThat(model.link(LinkClass.HOST).latencyNanos()).isEqualTo(2500);
        assertThat(model.link(LinkClass.HOST).wireByteNanos()).isZero();
        assertThat(model.work().reduceByteNanos()).isEqualTo(0.25);
        assertThat(model.link(LinkClass.FAR).byteNanos()).isCloseTo(12.5, within(1e-9));
        assertThat(model.host())
                .isEqualTo(new HostCost(2, 3000, new CacheCost(512 << 10, 0, 0, 4 << 20, 0.2)));
        assertThat(model.link(LinkClass.JVM)).isEqualTo(CostModel.DEFAULT.link(LinkClass.JVM));
        assertThat(CostModelText.parse("")).isEqualTo(CostModel.DEFAULT);
    }

    @Test
    void whatIsWrittenIsReadAgain() {
        CostModel model =
                CostModel.DEFAULT
                        .with(new WorkCost(1234.5, 78.25, 0.125, 0.5))
                        .with(
                                new HostCost(
                                        3, 250, new CacheCost(1 << 20, 0.25, 0.125, 4 << 20, 0.5)))
                        .with(LinkClass.RACK, new LinkCost(1.5, 0, 2, 0.001));
        String text = CostModelText.format(model);
        CostModel again = CostModelText.parse(text);
        assertThat(CostModelText.format(again)).isEqualTo(text);
        assertThat(again.work().callNanos()).isCloseTo(1234.5, within(10.0));
        assertThat(again.link(LinkClass.RACK)).isEqualTo(model.link(LinkClass.RACK));
        assertThat(again.host()).isEqualTo(model.host());
    }

    @Test
    void aWrongLineIsNamedWithItsRule() {
        refused("\nhost.latency", "line 2: 'host.latency': a line is 'key = value'");
        refused(
                "host.speed = 1us",
                "line 1: 'host.speed': a key is one of [call, step, copy, reduce,");
        refused("call = 1us\n\ncall = 2us", "line 3: 'call': a key stands once, and this one is");
        refused("call = fast", "line 1: 'fast': call is a time such as 800ns, 2.5us, 1ms, or free");
        refused("call = -1us", "'-1us': call is a time");
        refused("call = 1e9s", "'1e9s': call is a time");
        refused("call = 12345678901s", "call is a time");
        refused("copy = 3us", "'3us': copy is a rate such as 1.5GB/s or 80MB/s, or free");
        refused("rack.wire = 0GB/s", "rack.wire is more than 0; what costs nothing is free");
        refused("cores = 1.5", "'1.5': cores are a whole number, 0 to 65536");
        refused("cache = 1MB", "'1MB': cache is a size such as 2048KiB, or enough");
        refused("cores = 99999", "cores are a whole number, 0 to 65536");
    }

    /** The defaults, as the documentation writes them. */
    @Test
    void theDocumentedDefaultsAreThose() throws IOException {
        String document = Files.readString(Path.of("..", "docs", "algorithms.md"));
        StringBuilder model = new StringBuilder();
        for (String key :
                List.of("call", "step", "cores", "switch", "cache", "memory", "copy", "reduce")) {
            model.append(key).append(" = ");
            model.append(defaults(document, "`" + key + "`").getLast()).append('\n');
        }
        for (String key : List.of("latency", "message", "byte", "wire")) {
            List<String> values = defaults(document, "... `" + key + "`");
            for (LinkClass link : LinkClass.values()) {
                String value = values.get(link.ordinal());
                model.append(link.key()).append('.').append(key).append(" = ");
                model.append(value).append('\n');
            }
        }
        model.append("copy = ").append(defaults(document, "`copy`, `reduce`").getFirst());
        String text = model.toString().replaceFirst("copy = .*\\n", "");
        assertThat(CostModelText.format(CostModelText.parse(text)))
                .isEqualTo(CostModelText.format(CostModel.DEFAULT));
    }

    /** The last cell of the row that names the key first or second. */
    private static List<String> defaults(String document, String key) {
        String row =
                document.lines()
                        .filter(line -> line.startsWith("| ") && line.contains(key))
                        .findFirst()
                        .orElseThrow();
        String[] cells = row.split("\\|");
        return List.of(cells[cells.length - 1].strip().split(", "));
    }

    private static void refused(String text, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CostModelText.parse(text))
                .withMessageContaining(message);
    }
}
