package io.nexar.examples.mnist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.nexar.LocalCluster;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

class MnistTest {

    /** Four times through the digits: seconds, and the accuracy is past 0.93 already. */
    private static final MnistOptions SHORT = MnistOptions.parse("--epochs", "4");

    @Test
    void ranksThatShareTheWorkLearnWhatOneRankLearns() {
        Mnist.Result alone = train(1, SHORT);
        // 256 digits a batch on 3 ranks: 86, 85 and 85.
        Mnist.Result shared = train(3, SHORT);

        assertThat(alone.accuracy()).isGreaterThan(0.93);
        assertThat(shared.accuracy()).isCloseTo(alone.accuracy(), within(0.01));
        assertThat(shared.identical()).isTrue();
        assertThat(shared.ranks()).isEqualTo(3);
    }

    @Test
    void aTwentiethOfTheGradientsIsEnoughToLearnTheSameOfFewerBytes() {
        Mnist.Result top = train(2, "topk:0.05");
        Mnist.Result whole = train(2, "none");

        assertThat(top.accuracy()).isCloseTo(whole.accuracy(), within(0.01));
        assertThat(top.identical()).isTrue();
        assertThat(top.sentBytes()).isBetween(whole.sentBytes() / 11, whole.sentBytes() / 9);
    }

    @Test
    void randomPlacesAreEnoughToLearnWithoutMomentum() {
        MnistOptions options =
                MnistOptions.parse(
                        "--compress",
                        "randomk:0.05",
                        "--momentum",
                        "0",
                        "--learning-rate",
                        "1",
                        "--epochs",
                        "4");
        Mnist.Result result = train(2, options);

        // With momentum it is 0.3 at best.
        assertThat(result.accuracy()).isGreaterThan(0.8);
        assertThat(result.identical()).isTrue();
    }

    @Test
    void theLastLineHasItsFormWhateverTheLocale() {
        String line = "mnist: ranks=4 accuracy=0.957 identical=true seconds=3.1";
        assertThat(new Mnist.Result(4, 0.9566, true, 3.14159, "", 0).line()).isEqualTo(line);
        assertThat(new Mnist.Result(4, 0.9566, true, 3.14159, "topk:0.05", 99).line())
                .isEqualTo(line + " compress=topk:0.05 bytes=99");
    }

    @Test
    void digestsDifferWhenOneBitDoes() {
        float[] weights = {1, 2, 3};
        long[] digest = WeightDigest.of(weights);
        assertThat(WeightDigest.of(weights.clone())).containsExactly(digest).hasSize(4);
        weights[2] = Math.nextUp(3f);
        assertThat(WeightDigest.of(weights)).isNotEqualTo(digest);
        // -0.0 == 0.0, but their bits differ.
        assertThat(WeightDigest.of(new float[] {0f}))
                .isNotEqualTo(WeightDigest.of(new float[] {-0f}));
    }

    @Test
    void optionsAreReadAndWrongOnesNamedWithTheirRule() {
        assertThat(MnistOptions.parse()).isEqualTo(MnistOptions.DEFAULTS);
        assertThat(
                        MnistOptions.parse(
                                "--epochs",
                                "2",
                                "--batch",
                                "64",
                                "--learning-rate",
                                "0.5",
                                "--momentum",
                                "0.25",
                                "--seed",
                                "-9",
                                "--compress",
                                "topk:0.05"))
                .isEqualTo(new MnistOptions(2, 64, 0.5f, 0.25f, -9, "topk:0.05"));
        refused("--momentum 1: must be a number from 0, below 1", "--momentum", "1");
        refused("--compress topk:2: must be none, quantize8, topk:F", "--compress", "topk:2");
        refused("--compress zip: must be none, quantize8, topk:F", "--compress", "zip");
        refused("--epochs 0: must be a whole number from 1 to 1000", "--epochs", "0");
        refused("--batch many: must be a whole number from 1 to 8000", "--batch", "many");
        refused(
                "--learning-rate NaN: must be a number above 0, at most 10",
                "--learning-rate",
                "NaN");
        refused("--seed 1.5: must be a whole number", "--seed", "1.5");
        refused("--epochs: a value is missing", "--epochs");
        refused("unknown option --epoch; options: --epochs N", "--epoch", "3");
    }

    @Test
    void progressIsALineAnEpochWithoutTerminalAndABarOnOne() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
        try (Progress lines = Progress.lines(print, 8)) {
            lines.batchDone();
            lines.epochDone(1, 0.51234);
        }
        assertThat(out.toString(StandardCharsets.UTF_8).strip())
                .isEqualTo("epoch 1 of 8: loss 0.5123");
        out.reset();
        try (Progress bar = Progress.bar(print, 2)) {
            bar.batchDone();
            bar.batchDone();
        }
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("training 100%")
                .contains("2/2")
                .contains("\r");
    }

    private static void refused(String message, String... args) {
        assertThatThrownBy(() -> MnistOptions.parse(args))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    private static Mnist.Result train(int ranks, String compress) {
        return train(ranks, MnistOptions.parse("--epochs", "4", "--compress", compress));
    }

    private static Mnist.Result train(int ranks, MnistOptions options) {
        try (LocalCluster cluster = LocalCluster.start(ranks)) {
            List<Mnist.Result> results =
                    cluster.call(world -> Mnist.train(world, options, batches -> Progress.quiet()));
            assertThat(results)
                    .extracting(Mnist.Result::accuracy)
                    .containsOnly(results.getFirst().accuracy());
            return results.getFirst();
        }
    }
}
