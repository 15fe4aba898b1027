package io.nexar.examples.mnist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Arrays;

class IdxTest {

    private static final int IMAGES = 0x803;
    private static final int LABELS = 0x801;

    @Test
    void imagesKeepTheirSizesAndTheOrderOfTheirPixels() {
        Idx.Images images = Idx.images("two", file(12, IMAGES, 2, 2, 3));

        assertThat(images.count()).isEqualTo(2);
        assertThat(images.rows()).isEqualTo(2);
        assertThat(images.columns()).isEqualTo(3);
        assertThat(images.pixels()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    }

    @Test
    void labelsKeepTheirOrder() {
        assertThat(Idx.labels("three", file(3, LABELS, 3))).containsExactly(1, 2, 3);
    }

    @Test
    void aFileOfTheOtherKindIsRefusedWithBothMagicNumbers() {
        assertThatThrownBy(() -> Idx.images("swapped", file(3, LABELS, 3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("swapped begins with 0x00000801, IDX images begin with 0x00000803");
        assertThatThrownBy(() -> Idx.labels("swapped", file(0, IMAGES, 3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("IDX labels begin with 0x00000801");
    }

    @Test
    void aByteTooFewOrTooManyIsRefused() {
        assertThatThrownBy(() -> Idx.images("short", file(11, IMAGES, 2, 2, 3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("short has 11 bytes of data, its sizes say 12");
        assertThatThrownBy(() -> Idx.labels("long", file(4, LABELS, 3)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("long has 4 bytes of data, its sizes say 3");
    }

    @Test
    void sizesThatNoFileCanHaveAreRefusedBeforeMemoryIsTaken() {
        assertThatThrownBy(() -> Idx.labels("none", file(0, LABELS, 0)))
                .hasMessageContaining("count=0");
        assertThatThrownBy(() -> Idx.labels("negative", file(0, LABELS, -5)))
                .hasMessageContaining("count=-5");
        assertThatThrownBy(() -> Idx.images("wide", file(0, IMAGES, 1, 1, 5000)))
                .hasMessageContaining("columns=5000, allowed are 1 to 4096");
        assertThatThrownBy(() -> Idx.images("huge", file(0, IMAGES, 0x7fffffff, 4096, 4096)))
                .hasMessageContaining("its sizes say 36028797002186752");
    }

    @Test
    void aFileThatEndsInsideItsHeaderIsRefused() {
        byte[] whole = file(12, IMAGES, 2, 2, 3);
        for (int length = 0; length < 16; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> Idx.images("cut", cut))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("cut ends inside its header, after %d bytes", cut.length);
        }
    }

    /** The given header words, then bytes 1, 2, 3, ... */
    private static byte[] file(int dataBytes, int... header) {
        ByteBuffer file = ByteBuffer.allocate(header.length * 4 + dataBytes);
        for (int word : header) {
            file.putInt(word);
        }
        for (int i = 1; i <= dataBytes; i++) {
            file.put((byte) i);
        }
        return file.array();
    }
}
