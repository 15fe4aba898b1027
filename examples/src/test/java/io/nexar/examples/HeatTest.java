package io.nexar.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class HeatTest {

    @ParameterizedTest
    @CsvSource({"1, 1x1", "2, 1x2", "3, 1x3", "4, 2x2", "6, 2x3"})
    void anyGridOfRanksFindsTheBitsOfOneProcess(int ranks, String grid) {
        Heat.Problem problem = new Heat.Problem(31, 40, 1);
        assertThat(ResultLine.of(ranks, world -> Heat.run(world, problem)))
                .matches(
                        "heat: ranks=%d grid=%s side=31 steps=40 mean=\\d+\\.\\d{9} equal=true"
                                .formatted(ranks, grid));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7})
    void blocksOfOneCellAreBlocksToo(int steps) {
        Heat.Problem problem = new Heat.Problem(2, steps, 2);
        assertThat(ResultLine.of(4, world -> Heat.run(world, problem))).endsWith("equal=true");
    }

    @Test
    void aPlateWithFewerCellsThanRanksInARowIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Heat.grid(6, 2))
                .withMessage(
                        "--side 2: must be at least 3, a column for each of a row of 2 x 3 ranks");
    }

    @Test
    void heatFlowsAsTheSchemeSays() {
        Heat.Problem one = new Heat.Problem(1, 3, 3);
        assertThat(Heat.alone(one)[0]).isCloseTo(one.first(0, 0) * 0.008, within(1e-12));
        Heat.Problem two = new Heat.Problem(2, 1, 4);
        double[] plate = Heat.alone(two);
        // A cell keeps a fifth and gets a fifth of each of its two neighbours in the plate.
        double first = 0.2 * (two.first(0, 0) + two.first(0, 1) + two.first(1, 0));
        assertThat(plate[0]).isCloseTo(first, within(1e-12));
        double last = 0.2 * (two.first(1, 1) + two.first(0, 1) + two.first(1, 0));
        assertThat(plate[3]).isCloseTo(last, within(1e-12));
    }
}
