package io.nexar.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.ConfigurationException;
import io.nexar.NexarConfig;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.LinkClass;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class CostModelOptionTest {
    private static final String KEY = "nexar.cost.model";

    @TempDir private Path directory;

    private NexarConfig config(String name, String text) throws IOException {
        Path file = Files.writeString(directory.resolve(name), text);
        return NexarConfig.defaults().with(KEY, file.toString());
    }

    @Test
    void withoutAFileTheDefaultCounts() {
        assertThat(RankSettings.of(NexarConfig.defaults(), LinkClass.HOST, 1).costModel())
                .isEqualTo(CostModel.DEFAULT);
    }

    @Test
    void theFileCounts() throws IOException {
        assertThat(
                        RankSettings.of(config("model", "call = 7us"), LinkClass.HOST, 1)
                                .costModel()
                                .work()
                                .callNanos())
                .isEqualTo(7000);
    }

    @Test
    void aFileThatIsWrongIsRefusedWithLineAndRule() throws IOException {
        NexarConfig wrong = config("wrong", "call = 7us\nhost.latency = soon");
        assertThatThrownBy(() -> RankSettings.of(wrong, LinkClass.HOST, 1))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(KEY)
                .hasMessageContaining("line 2: 'soon': host.latency is a time");
    }

    @Test
    void aFileThatCanNotBeReadOrIsTooLongIsRefusedWhereItIsNamed() {
        assertThatThrownBy(() ->
                        NexarConfig.defaults().with(KEY, directory.resolve("nowhere").toString()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("a text file that can be read")
                .hasMessageContaining("nowhere");
        assertThatThrownBy(() -> config("long", "#".repeat(65 << 10)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("64 KiB");
    }

    /** The seed compares what must agree: the text, not the place where a process has it. */
    @Test
    void jobsAgreeOnTheTextNotOnThePath() throws IOException {
        assertThat(config("a", "call = 7us").jobSettings().get(KEY))
                .startsWith("sha256:")
                .isEqualTo(config("b", "call = 7us").jobSettings().get(KEY))
                .isNotEqualTo(config("c", "call = 8us").jobSettings().get(KEY));
    }
}
