package io.nexar.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.CostModelText;
import io.nexar.collective.plan.cost.LinkClass;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class MeasurementTest {
    private static final Stopwatch.Effort SHORT = new Stopwatch.Effort(1, 1);

    /** What the numbers are is the machine's affair; that they are there is ours. */
    @Test
    @Timeout(120)
    void measuresAModelThatCanBeReadAgain() {
        Measurement.Timer timer = Measurement.inThisProcess(2, "local", SHORT);
        CostModel found = new Measurement(2, LinkClass.JVM, CostModel.DEFAULT, timer).measure();
        CostModel model = CostModelText.parse(CostModelText.format(found));
        assertThat(model.work().callNanos()).isPositive();
        assertThat(model.host().cores()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(model.link(LinkClass.JVM)).isNotEqualTo(CostModel.DEFAULT.link(LinkClass.JVM));
        assertThat(model.link(LinkClass.FAR).latencyNanos())
                .isEqualTo(CostModel.DEFAULT.link(LinkClass.FAR).latencyNanos());
    }
}
