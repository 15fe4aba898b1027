package io.nexar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class StatusTest {

    @Test
    void aSizeIsCountedInElementsOfAnyType() {
        // Pitfall 10: more than an int of elements.
        Status status = new Status(3, 7, 6L << 30);
        assertThat(status.count(DataType.U8)).isEqualTo(6L << 30);
        assertThat(status.count(DataType.F64_I64)).isEqualTo((6L << 30) / 16);
    }

    @Test
    void aPartOfAnElementIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Status(0, 0, 10).count(DataType.F32))
                .withMessageContaining("10 bytes")
                .withMessageContaining("F32");
    }
}
