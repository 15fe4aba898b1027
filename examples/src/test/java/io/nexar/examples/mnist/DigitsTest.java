package io.nexar.examples.mnist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.Arrays;

class DigitsTest {

    @Test
    void theBundledDigitsAreTenThousandImagesOf28By28() {
        Digits digits = Digits.bundled();

        assertThat(digits.count()).isEqualTo(10_000);
        assertThat(digits.pixelsPerImage()).isEqualTo(784);
        assertThat(digits.pixels()).hasSize(7_840_000);
        // Read out of the file by other means: labels, and the first grey pixel of first and last.
        assertThat(Arrays.copyOf(digits.labels(), 10))
                .containsExactly(6, 3, 9, 8, 1, 2, 9, 1, 1, 2);
        assertThat(digits.pixels()[3 * 28 + 13]).isEqualTo(29 / 255f);
        assertThat(digits.pixels()[9_999 * 784 + 4 * 28 + 15]).isEqualTo(106 / 255f);
    }

    @Test
    void oneDigitInFiveIsHeldOutAndEveryClassIsOnBothSides() {
        Digits.Split split = Digits.bundled().split();

        assertThat(split.training().count()).isEqualTo(8_000);
        assertThat(split.heldOut().count()).isEqualTo(2_000);
        for (int digit = 0; digit < 10; digit++) {
            // A tenth each, give or take a quarter: no class is scored by a handful.
            assertThat(share(split.heldOut(), digit)).isBetween(0.075, 0.125);
            assertThat(share(split.training(), digit)).isBetween(0.075, 0.125);
        }
    }

    @Test
    void eachDigitGoesToExactlyOneSideWithItsPixels() {
        float[] pixels = {0, 0.5f, 1, 1.5f, 2, 2.5f, 3, 3.5f, 4, 4.5f, 5, 5.5f};
        Digits six = new Digits(2, pixels, new byte[] {0, 1, 2, 3, 4, 5});

        Digits.Split split = six.split();

        assertThat(split.training().labels()).containsExactly(0, 1, 2, 3, 5);
        assertThat(split.training().pixels())
                .containsExactly(0, 0.5f, 1, 1.5f, 2, 2.5f, 3, 3.5f, 5, 5.5f);
        assertThat(split.heldOut().labels()).containsExactly(4);
        assertThat(split.heldOut().pixels()).containsExactly(4, 4.5f);
    }

    @Test
    void labelsThatDoNotFitTheImagesAreRefused() {
        Idx.Images two = new Idx.Images(2, 1, 1, new byte[2]);

        assertThatThrownBy(() -> Digits.of(two, new byte[] {1, 2, 3}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2 images but 3 labels");
        assertThatThrownBy(() -> Digits.of(two, new byte[] {1, 10}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("label 1 is 10, labels are 0 to 9");
        assertThatThrownBy(() -> Digits.of(two, new byte[] {(byte) 200, 1}))
                .hasMessage("label 0 is 200, labels are 0 to 9");
    }

    private static double share(Digits digits, int label) {
        int count = 0;
        for (byte each : digits.labels()) {
            count += each == label ? 1 : 0;
        }
        return (double) count / digits.count();
    }
}
