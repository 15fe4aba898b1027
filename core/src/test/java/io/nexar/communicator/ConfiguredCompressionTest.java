package io.nexar.communicator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.nexar.CompressionReport;
import io.nexar.CompressionState;
import io.nexar.ConfigurationException;
import io.nexar.DataBuffer;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.ReduceOp;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A compressor that is chosen by a setting. */
class ConfiguredCompressionTest {
    private static NexarConfig configured(String name) {
        return NexarConfig.defaults().with("nexar.compressor", name);
    }

    @Test
    void oneThatTheProgramBringsIsFoundByItsName() {
        try (LocalCluster cluster = LocalCluster.start(3, configured("eighths"))) {
            cluster.run(world -> {
                float[] values = {1.5f, 0.0625f * world.rank(), -2};
                CompressionState state = CompressionState.configured();
                CompressionReport report =
                        world.allReduceCompressed(DataBuffer.of(values), ReduceOp.SUM, state);
                assertThat(values).containsExactly(4.5f, 0.125f, -6);
                // A sixteenth is left out on rank 1, and arrives with its next one.
                assertThat(report.residualNorm()).isEqualTo(world.rank() == 1 ? 0.0625 : 0);
                values[1] = 0.0625f * world.rank();
                world.allReduceCompressed(DataBuffer.of(values), ReduceOp.SUM, state);
                assertThat(values[1]).isEqualTo(0.25f);
            });
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"none|3", "quantize8|3", "topK(0.34)|1", "randomK(0.34, -5)|1"})
    void oursAreChosenByTheirNames(String name, int sent) {
        try (LocalCluster cluster = LocalCluster.start(2, configured(name))) {
            cluster.run(world -> {
                float[] values = {1, 1, 1};
                world.allReduceCompressed(
                        DataBuffer.of(values), ReduceOp.SUM, CompressionState.configured());
                float sum = values[0] + values[1] + values[2];
                assertThat(sum).as(name).isEqualTo(2 * sent);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"zip", "topK(2)", "topK(x)", "topK", "randomK(0.5, 99999999999999999999)"})
    void whatIsNotThereIsRefusedAtTheStartWithWhatThereIs(String name) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> LocalCluster.start(2, configured(name)).close())
                .withMessageContaining("nexar.compressor = '" + name + "'");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> LocalCluster.start(2, configured("zip")).close())
                .withMessageContaining("[eighths]");
    }
}
