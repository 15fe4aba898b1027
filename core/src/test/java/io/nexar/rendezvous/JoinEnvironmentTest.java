package io.nexar.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.ConfigurationException;
import io.nexar.NexarConfig;
import io.nexar.security.JobAuthority;
import io.nexar.security.JoinString;
import io.nexar.security.Pin;
import io.nexar.security.Token;

import org.junit.jupiter.api.Test;

import java.security.SecureRandom;
import java.time.Instant;
import java.util.Map;

class JoinEnvironmentTest {

    private static final JoinString SEED = joinString();

    private static JoinString joinString() {
        SecureRandom random = new SecureRandom();
        JobAuthority authority = JobAuthority.create("job", Instant.now(), random);
        Pin pin = Pin.of(authority.issueSeed(Instant.now()).certificate());
        return new JoinString("10.0.0.7", 4711, "job", pin, Token.random(random));
    }

    private static NexarConfig seeded() {
        return NexarConfig.defaults().with("nexar.seed", SEED.reveal());
    }

    @Test
    void nothingAtAllIsAWorldOfOne() {
        JoinEnvironment it = JoinEnvironment.of(NexarConfig.defaults(), Map.of("HOME", "/root"));
        assertThat(it).isEqualTo(new JoinEnvironment(null, -1, -1));
    }

    @Test
    void ownSettingsAreStrongerThanAnotherLaunchersVariables() {
        NexarConfig config = seeded().with("nexar.rank", "3").with("nexar.worldSize", "8");
        Map<String, String> slurm = Map.of("SLURM_PROCID", "1", "SLURM_NTASKS", "4");
        assertThat(JoinEnvironment.of(config, slurm)).isEqualTo(new JoinEnvironment(SEED, 3, 8));
        assertThat(JoinEnvironment.of(seeded(), slurm)).isEqualTo(new JoinEnvironment(SEED, 1, 4));
    }

    @Test
    void everyLaunchersRankAndSizeAreRead() {
        Map<String, String> names =
                Map.of(
                        "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
                        "PMI_RANK", "PMI_SIZE",
                        "SLURM_PROCID", "SLURM_NTASKS",
                        "RANK", "WORLD_SIZE");
        names.forEach((rank, size) ->
                assertThat(JoinEnvironment.of(seeded(), Map.of(rank, "2", size, "5")))
                        .isEqualTo(new JoinEnvironment(SEED, 2, 5)));
        assertThat(JoinEnvironment.of(seeded(), Map.of("JOB_COMPLETION_INDEX", "2")))
                .isEqualTo(new JoinEnvironment(SEED, 2, -1));
    }

    @Test
    void severalRanksWithoutASeedSayWhatToSet() {
        assertThatThrownBy(() ->
                        JoinEnvironment.of(
                                NexarConfig.defaults(),
                                Map.of("SLURM_PROCID", "1", "SLURM_NTASKS", "4")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("SLURM")
                .hasMessageContaining("rank 1 of 4")
                .hasMessageContaining("NEXAR_SEED");
        // One task of a batch job is no parallel job.
        assertThat(
                        JoinEnvironment.of(
                                        NexarConfig.defaults(),
                                        Map.of("SLURM_PROCID", "0", "SLURM_NTASKS", "1"))
                                .seed())
                .isNull();
    }

    @Test
    void anAddressWithoutAPinIsRefusedWithAdvice() {
        NexarConfig config = NexarConfig.defaults().with("nexar.seed", "10.0.0.7:4711");
        assertThatThrownBy(() -> JoinEnvironment.of(config, Map.of()))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("whom to trust");
    }

    @Test
    void theTokenMayStandApart() {
        String text = SEED.reveal();
        String bare = text.substring(0, text.indexOf("&token="));
        NexarConfig config =
                NexarConfig.defaults()
                        .with("nexar.seed", bare)
                        .with("nexar.token", SEED.token().reveal());
        assertThat(JoinEnvironment.of(config, Map.of()).seed()).isEqualTo(SEED);
    }

    @Test
    void aWrongNumberOfALauncherIsNamed() {
        assertThatThrownBy(() ->
                        JoinEnvironment.of(seeded(), Map.of("PMI_RANK", "one", "PMI_SIZE", "4")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("PMI_RANK")
                .hasMessageContaining("one");
        assertThatThrownBy(
                        () -> JoinEnvironment.of(seeded(), Map.of("RANK", "4", "WORLD_SIZE", "4")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("RANK");
    }
}
