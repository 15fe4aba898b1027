package io.nexar.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

class JsonTest {

    @Test
    void membersKeepTheirOrderAndEachKindItsForm() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("event", "failed");
        facts.put("pid", 1L << 40);
        facts.put("orderly", false);
        facts.put("missingRanks", List.of(1, 3));
        assertThat(Json.object(facts))
                .isEqualTo(
                        "{\"event\":\"failed\",\"pid\":1099511627776,\"orderly\":false,"
                                + "\"missingRanks\":[1,3]}");
    }

    @Test
    void objectsAndListsMayStandInEachOther() {
        assertThat(Json.object(Map.of("ranks", List.of(Map.of("rank", 0), Map.of()))))
                .isEqualTo("{\"ranks\":[{\"rank\":0},{}]}");
    }

    @Test
    void whatWouldEndATextOrALineIsEscaped() {
        assertThat(Json.object(Map.of("reason", "a \"b\" \\ c\nd\u0000 ü")))
                .isEqualTo("{\"reason\":\"a \\\"b\\\" \\\\ c\\u000ad\\u0000 ü\"}");
    }

    @Test
    void realNumbersHaveNoExponentAndNoDigitsThatADoubleHasNot() {
        assertThat(Json.object(Map.of("x", List.of(9e-6, 0.1 + 0.2, 1e12, 0.0, -2.5))))
                .isEqualTo("{\"x\":[0.000009,0.3,1000000000000,0,-2.5]}");
    }

    @Test
    void whatHasNoFormIsRefused() {
        assertThatThrownBy(() -> Json.object(Map.of("x", Double.NaN)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
