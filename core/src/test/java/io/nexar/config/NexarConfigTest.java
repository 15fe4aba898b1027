package io.nexar.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.nexar.ConfigurationException;
import io.nexar.NexarConfig;
import io.nexar.PortRange;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

class NexarConfigTest {

    @Test
    void theDefaultsAreThePromisedOnes() {
        NexarConfig config = NexarConfig.defaults();
        assertThat(config.duration("nexar.timeout.operation")).isEqualTo(Duration.ofMinutes(30));
        assertThat(config.duration("nexar.timeout.formation")).isEqualTo(Duration.ofMinutes(5));
        assertThat(config.bytes("nexar.collective.pieceBytes")).isEqualTo(262_144);
        assertThat(config.integer("nexar.collective.piecesInFlight")).isEqualTo(4);
        assertThat(config.flag("nexar.deterministic")).isFalse();
        assertThat(config.ports("nexar.ports")).isEqualTo(PortRange.EPHEMERAL);
        assertThat(config.get("nexar.transport")).isEqualTo("auto");
        assertThat(config.isSet("nexar.seed")).isFalse();
        assertThat(config.get("nexar.seed")).isEmpty();
    }

    @Test
    void messageCreditHoldsAThousandSmallMessages() {
        // A message counts 64 bytes more than it has.
        assertThat(NexarConfig.defaults().bytes("nexar.message.creditBytes"))
                .isGreaterThanOrEqualTo(1_000 * (8 + 64));
    }

    @Test
    void withLeavesTheOriginalAsItIs() {
        NexarConfig changed = NexarConfig.defaults().with("nexar.deterministic", "true");
        assertThat(changed.flag("nexar.deterministic")).isTrue();
        assertThat(NexarConfig.defaults().flag("nexar.deterministic")).isFalse();
    }

    @Test
    void fileIsWeakerThanCodeWhicheverComesFirst(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("a.properties"), "nexar.check = full");
        NexarConfig codeFirst = NexarConfig.defaults().with("nexar.check", "basic").withFile(file);
        assertThat(codeFirst.get("nexar.check")).isEqualTo("basic");
        assertThat(NexarConfig.defaults().withFile(file).get("nexar.check")).isEqualTo("full");
    }

    @Test
    void secretsAreNeverShown() {
        String pin = "nexar://host:4000/job?pin=abc&token=";
        NexarConfig config =
                NexarConfig.defaults()
                        .with("nexar.token", "s3cret")
                        .with("nexar.seed", pin + "s3cret");
        assertThat(config.get("nexar.token")).isEqualTo("s3cret");
        assertThat(config.toString()).doesNotContain("s3cret").contains("pin=abc");
        assertThat(config.masked().get("nexar.token")).isEqualTo("***");
        assertThat(config.masked().get("nexar.seed")).isEqualTo(pin + "***");
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> config.with("nexar.token", "s3cret\n"))
                .satisfies(failure -> {
                    assertThat(failure).message().doesNotContain("s3cret");
                    assertThat(failure.value()).isEqualTo("***");
                });
    }

    @Test
    void theFingerprintFollowsMeaningNotSpelling() {
        NexarConfig config = NexarConfig.defaults();
        assertThat(config.fingerprint()).hasSize(64);
        assertThat(config.with("nexar.collective.pieceBytes", "262144").fingerprint())
                .isEqualTo(config.fingerprint());
        assertThat(config.with("nexar.collective.pieceBytes", "32KiB").fingerprint())
                .isNotEqualTo(config.fingerprint());
        assertThat(config.with("nexar.rank", "3").with("nexar.timeout.dial", "1s").fingerprint())
                .isEqualTo(config.fingerprint());
    }

    @Test
    void readingWhatIsNotThereIsAMistakeOfTheProgram() {
        NexarConfig config = NexarConfig.defaults();
        assertThatIllegalStateException()
                .isThrownBy(() -> config.integer("nexar.rank"))
                .withMessageContaining("nexar.rank");
        assertThatIllegalStateException().isThrownBy(() -> config.bytes("nexar.timeout.dial"));
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> config.get("nexar.ranks"))
                .satisfies(failure -> assertThat(failure.nearest()).isEqualTo("nexar.rank"));
    }
}
