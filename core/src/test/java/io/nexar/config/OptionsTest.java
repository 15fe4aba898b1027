package io.nexar.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;

class OptionsTest {

    static List<Option> all() {
        return Options.all();
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyDefaultIsALegalValue(Option option) {
        if (!option.defaultText().isEmpty()) {
            assertThat(option.kind().parse(option.defaultText())).isNotNull();
        }
        assertThat(option.doc()).endsWith(".");
        assertThat(option.key()).startsWith("nexar.");
    }

    @Test
    void noTwoOptionsShareASpelling() {
        assertThat(Options.all()).extracting(Option::key).doesNotHaveDuplicates();
        assertThat(Options.all()).extracting(Option::flag).doesNotHaveDuplicates();
        assertThat(Options.all()).extracting(Option::variable).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({
        "nexar.interface, --interface, NEXAR_INTERFACE",
        "nexar.worldSize, --world-size, NEXAR_WORLD_SIZE",
        "nexar.collective.piecesInFlight, --collective-pieces-in-flight,"
                + " NEXAR_COLLECTIVE_PIECES_IN_FLIGHT"
    })
    void flagAndVariableFollowFromTheKey(String key, String flag, String variable) {
        Option option = Options.byKey(key, "a test");
        assertThat(option.flag()).isEqualTo(flag);
        assertThat(option.variable()).isEqualTo(variable);
        assertThat(Options.byFlag(flag)).isEqualTo(option);
        assertThat(Options.byVariable(variable)).isEqualTo(option);
    }

    @ParameterizedTest
    @CsvSource({"kitten, sitting, 3", "'', abc, 3", "abc, '', 3", "flaw, lawn, 2", "same, same, 0"})
    void theDistanceCountsEdits(String from, String to, int edits) {
        assertThat(EditDistance.of(from, to)).isEqualTo(edits);
    }
}
