package io.nexar.cli;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes JSON (RFC 8259) on one line: objects, lists, texts, numbers, truth values. */
final class Json {

    /** What a double tells for sure: all decimals of up to so many digits come back unchanged. */
    private static final MathContext DECIMALS = new MathContext(15);

    private Json() {}

    static String object(Map<?, ?> members) {
        return members.entrySet().stream()
                .map(member -> text((String) member.getKey()) + ":" + value(member.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String value(Object value) {
        return switch (value) {
            case String text -> text(text);
            case Integer number -> number.toString();
            case Long number -> number.toString();
            case Double number when Double.isFinite(number) -> decimal(number);
            case Boolean truth -> truth.toString();
            case Map<?, ?> members -> object(members);
            case List<?> list ->
                    list.stream().map(Json::value).collect(Collectors.joining(",", "[", "]"));
            default -> throw new IllegalArgumentException("no JSON for " + value.getClass());
        };
    }

    /** Without an exponent, and without the digits that a double does not have. */
    private static String decimal(double number) {
        BigDecimal exact = new BigDecimal(number, DECIMALS).stripTrailingZeros();
        return exact.toPlainString();
    }

    private static String text(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append("\\u%04x".formatted((int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
