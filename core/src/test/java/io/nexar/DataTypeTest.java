package io.nexar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;

class DataTypeTest {

    @ParameterizedTest
    @CsvSource({
        "F64, 8, 8", "F32, 4, 4", "F16, 2, 2", "BF16, 2, 2",
        "I8, 1, 1", "I16, 2, 2", "I32, 4, 4", "I64, 8, 8",
        "U8, 1, 1", "U16, 2, 2", "U32, 4, 4", "U64, 8, 8",
        "F32_I32, 8, 4", "F64_I64, 16, 8", "I32_I32, 8, 4", "I64_I64, 16, 8"
    })
    void sizesAndAlignmentsAreFixed(DataType type, int bytes, int alignmentBytes) {
        assertThat(type.bytes()).isEqualTo(bytes);
        assertThat(type.alignmentBytes()).isEqualTo(alignmentBytes);
    }

    @Test
    void eachTypeIsOfOneFamily() {
        for (DataType type : DataType.values()) {
            char letter = type.name().charAt(type.name().startsWith("BF") ? 1 : 0);
            boolean isPair = type.name().contains("_");
            assertThat(type.isPair()).isEqualTo(isPair);
            assertThat(type.isFloatingPoint()).isEqualTo(!isPair && letter == 'F');
            assertThat(type.isInteger()).isEqualTo(!isPair && letter != 'F');
            assertThat(type.isUnsigned()).isEqualTo(letter == 'U');
        }
    }

    @Test
    void aPairIsAValueAndAnIndex() {
        assertThat(DataType.F64_I64.valueType()).isEqualTo(DataType.F64);
        assertThat(DataType.F64_I64.indexType()).isEqualTo(DataType.I64);
        Arrays.stream(DataType.values())
                .filter(DataType::isPair)
                .forEach(type ->
                        assertThat(type.name())
                                .isEqualTo(type.valueType() + "_" + type.indexType()));
        assertThat(DataType.U8.valueType()).isEqualTo(DataType.U8);
        assertThatIllegalStateException()
                .isThrownBy(DataType.U8::indexType)
                .withMessageContaining("U8");
    }
}
