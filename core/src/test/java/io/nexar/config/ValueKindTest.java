package io.nexar.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.nexar.PortRange;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;

class ValueKindTest {

    @ParameterizedTest
    @CsvSource({"500ms, PT0.5S", "10s, PT10S", "5m, PT5M", "1h, PT1H", "999999999h, PT999999999H"})
    void durationsAreANumberAndAUnit(String text, Duration duration) {
        assertThat(new ValueKind.Span().parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "5",
                "s",
                "-1s",
                "1.5s",
                "5 s",
                "5S",
                "5sec",
                "1000000000s",
                "0s",
                "0ms"
            })
    void whatIsNoDurationIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ValueKind.Span().parse(text))
                .withMessageContaining("duration");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "17, 17", "17B, 17", "64KiB, 65536", "1MiB, 1048576", "3GiB, 3221225472"})
    void sizesAreBytesOrBinaryUnits(String text, long bytes) {
        assertThat(new ValueKind.Size(0, Long.MAX_VALUE).parse(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "-1", "1KB", "1kib", "64 KiB", "1TiB", "KiB", "1.5MiB", "9999999999"})
    void whatIsNoSizeIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Sizes.parseBytes(text))
                .withMessageContaining("size");
    }

    @ParameterizedTest
    @ValueSource(strings = {"15", "1KiB"})
    void aSizeOutsideItsBoundsIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ValueKind.Size(16, 1023).parse(text))
                .withMessageContaining("from 16 to 1023 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "9", "-3", "3.0", "three", "99999999999"})
    void aNumberOutsideItsBoundsIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ValueKind.Whole(1, 8).parse(text))
                .withMessageContaining("1 to 8");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "yes", "TRUE", "1"})
    void aFlagIsTrueOrFalse(String text) {
        assertThat(new ValueKind.Flag().parse("true")).isTrue();
        assertThat(new ValueKind.Flag().parse("false")).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ValueKind.Flag().parse(text))
                .withMessageContaining("true or false");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "B", "c "})
    void aChoiceIsOneOfItsWords(String text) {
        ValueKind choice = new ValueKind.Choice(List.of("b", "c"));
        assertThat(choice.parse("c")).isEqualTo("c");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> choice.parse(text))
                .withMessageContaining("one of b, c");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "1",
                "0-0",
                "0-5",
                "5-4",
                "1-65536",
                "99999-99999",
                "-1-5",
                "a-b",
                "1-2-3"
            })
    void portsAreARange(String text) {
        ValueKind ports = new ValueKind.Ports();
        assertThat(ports.parse("40000-40100")).isEqualTo(new PortRange(40_000, 40_100));
        assertThat(ports.parse("7-7")).isEqualTo(new PortRange(7, 7));
        assertThat(ports.parse("ephemeral")).isEqualTo(PortRange.EPHEMERAL);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ports.parse(text))
                .withMessageContaining("range of ports");
    }
}
