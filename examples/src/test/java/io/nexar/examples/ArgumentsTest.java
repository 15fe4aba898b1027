package io.nexar.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nexar.examples.Arguments.Option;

import org.junit.jupiter.api.Test;

import java.util.List;

class ArgumentsTest {

    private static final Option KEYS = new Option("--keys", "how many", 100, 1, 1_000);
    private static final List<Option> OPTIONS = List.of(KEYS, Option.SEED);

    @Test
    void whatIsGivenCountsAndWhatIsNotHasItsDefault() {
        Arguments arguments = Arguments.parse(OPTIONS, "--seed", "-7");
        assertThat(arguments.count(KEYS)).isEqualTo(100);
        assertThat(arguments.number(Option.SEED)).isEqualTo(-7);
        assertThat(Arguments.parse(OPTIONS, "--keys", "1000").count(KEYS)).isEqualTo(1_000);
    }

    @Test
    void aWrongArgumentIsNamedWithTheRule() {
        refused("--keys 0: must be a whole number from 1 to 1000", "--keys", "0");
        refused("--keys 1001: must be a whole number from 1 to 1000", "--keys", "1001");
        refused("--keys many: must be a whole number from 1 to 1000", "--keys", "many");
        refused("--keys: a value is missing", "--seed", "1", "--keys");
        refused("unknown option --key; there are --help, --keys, --seed", "--key", "1");
    }

    @Test
    void helpNamesEachOptionAndItsDefault() {
        assertThat(Arguments.help("sort", OPTIONS).lines())
                .containsExactly(
                        "Options of sort:",
                        "  --keys N       how many (100)",
                        "  --seed N       of the random numbers (1)");
    }

    private static void refused(String message, String... args) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Arguments.parse(OPTIONS, args))
                .withMessage(message);
    }
}
