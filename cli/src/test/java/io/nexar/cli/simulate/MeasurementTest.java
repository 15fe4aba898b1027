package io.nexar.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nexar.Algorithm;
import io.nexar.cli.simulate.Seating.Form;
import io.nexar.cli.simulate.Stopwatch.Kind;
import io.nexar.cli.simulate.Stopwatch.Times;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.CostModelText;
import io.nexar.collective.plan.cost.LinkClass;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.BitSet;
import java.util.List;
import java.util.function.ToDoubleFunction;

class MeasurementTest {
    private static final Stopwatch.Effort SHORT = new Stopwatch.Effort(1, 1);

    /** What is best of all lies beyond a ridge. */
    @Test
    void aSearchEndsAtTheBestThatIsFoundFromAnyStart() {
        ToDoubleFunction<double[]> loss =
                numbers -> Math.min(10 + Math.abs(numbers[0] - 1), Math.abs(numbers[0] - 100));
        double[] one = {1};
        double[] other = {60};
        assertThat(Search.from(List.of(one), loss)[0]).isEqualTo(1);
        assertThat(Search.from(List.of(one, other), loss)[0]).isCloseTo(100, within(5.0));
    }

    @Test
    void aBoundThreadHasOneCoreAndThenAllThatItHadBefore() {
        BitSet before = CoreBinding.allowed();
        assumeTrue(!before.isEmpty(), "the system does not say where threads may be");
        try (CoreBinding binding = new CoreBinding()) {
            for (int core = 0; core < before.cardinality(); core++) {
                assertThat(binding.moveTo(core)).isTrue();
                assertThat(CoreBinding.allowed().cardinality()).isEqualTo(1);
                assertThat(before.intersects(CoreBinding.allowed())).isTrue();
            }
            assertThat(binding.moveTo(before.cardinality())).isFalse();
        }
        assertThat(CoreBinding.allowed()).isEqualTo(before);
    }

    @Test
    @Timeout(60)
    void ranksThatShareCoresAreTimedInEveryFormOfSeatingAndOthersOnce() {
        int cores = Runtime.getRuntime().availableProcessors();
        assumeTrue(cores > 1 && cores < 16, "ranks share cores, or not, as one adds them");
        assumeTrue(CoreBinding.isPossible(cores), "threads can't be bound to all cores here");
        assertThat(times(cores + 1)).extracting(Times::form).containsExactly(Form.values());
        assertThat(times(2)).extracting(Times::form).containsExactly((Form) null);
    }

    private static List<Times> times(int ranks) {
        List<Times> times =
                Measurement.inThisProcess(ranks, "local", SHORT)
                        .time(
                                List.of(new Kind(Operation.ALL_REDUCE, Algorithm.RING, 1024)),
                                Measurement.asItCuts(ranks, LinkClass.JVM));
        assertThat(times).allSatisfy(each -> assertThat(each.nanos()).hasSize(1).doesNotContain(0));
        return times;
    }

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
