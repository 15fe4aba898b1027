package io.nexar.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.ConfigurationException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.List;

class JoinStringTest {

    private static final String PIN = "MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI";
    private static final String TOKEN = "c2VjcmV0LXNlY3JldC1zZWNyZXQtMTIz";
    private static final String QUERY = "?pin=" + PIN + "&token=" + TOKEN;

    @ParameterizedTest
    @CsvSource({
        "seed.example.org:7000/digits, seed.example.org, 7000, digits",
        "node_1:1/a, node_1, 1, a",
        "10.0.0.1:65535/Job-2.x_y, 10.0.0.1, 65535, Job-2.x_y",
        "[::1]:7000/digits, ::1, 7000, digits",
        "[2001:db8::17]:7000/digits, 2001:db8::17, 7000, digits",
        "[::ffff:10.0.0.1]:7000/digits, ::ffff:10.0.0.1, 7000, digits",
        "[fe80::1%eth0]:7000/digits, fe80::1%eth0, 7000, digits"
    })
    void comesBackFromItsText(String place, String host, int port, String job) {
        String text = "nexar://" + place + QUERY;
        JoinString parsed = JoinString.parse(text);
        assertThat(parsed)
                .isEqualTo(new JoinString(host, port, job, Pin.parse(PIN), Token.parse(TOKEN)));
        assertThat(parsed.reveal()).isEqualTo(text);
        assertThat(parsed).hasToString("nexar://" + place + "?pin=" + PIN + "&token=***");
    }

    @Test
    void pinAndTokenMayChangePlaces() {
        assertThat(JoinString.parse("nexar://a:1/j?token=" + TOKEN + "&pin=" + PIN))
                .isEqualTo(JoinString.parse("nexar://a:1/j" + QUERY));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "http://a:1/j${q} | does not start with nexar://",
                "nexar:a:1/j${q} | does not start with nexar://",
                "'' | does not start with nexar://",
                "${t} | does not start with nexar://",
                "nexar://a:1/j | no '?'",
                "nexar://a:1${q} | no '/'",
                "nexar://a/j${q} | no port",
                "nexar://[::1]/j${q} | no port",
                "nexar://a:/j${q} | port ''",
                "nexar://a:0/j${q} | port 0",
                "nexar://a:65536/j${q} | port 65536",
                "nexar://a:-1/j${q} | port '-1'",
                "nexar://a:7e3/j${q} | port '7e3'",
                "nexar://:1/j${q} | host ''",
                "nexar://a b:1/j${q} | host (3 characters)",
                "nexar://user@a:1/j${q} | host 'user@a'",
                "nexar://::1:1/j${q} | brackets go around an IPv6 address",
                "nexar://[a]:1/j${q} | brackets go around an IPv6 address",
                "nexar://[::g]:1/j${q} | host '::g'",
                "nexar://[::1:1/j${q} | brackets go around an IPv6 address",
                "nexar://a:1/${q} | job ''",
                "nexar://a:1/j/k${q} | job 'j/k'",
                "nexar://a:1/-j${q} | job '-j'",
                "nexar://a:1/j?token=${t} | has no pin",
                "nexar://a:1/j?pin=${p} | has no token",
                "nexar://a:1/j?pin=abc&token=${t} | has 3 characters",
                "nexar://a:1/j?pin=${p}&token=abc | has 3 characters",
                "nexar://a:1/j?pin=${p}&pin=${p}&token=${t} | two pins",
                "nexar://a:1/j?pin=${p}&token=${t}&token=${t} | two tokens",
                "nexar://a:1/j?pin=${p}&tokn=${t} | parameter 'tokn'",
                "nexar://a:1/j?pin=${p}&${t} | parameter without '='",
                "nexar://a:1/j?pin=${p}&${t}=x | parameter (32 characters)",
                "nexar://a:1/j${q}& | parameter without '='",
                "nexar://a:1/j${q}#x | has 34 characters"
            })
    void aBadOneIsRefusedByPartAndRuleWithoutItsToken(String template, String rule) {
        String text = template.replace("${q}", QUERY).replace("${p}", PIN).replace("${t}", TOKEN);
        assertThatThrownBy(() -> JoinString.parse(text))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(rule)
                .satisfies(JoinStringTest::showsNoToken);
    }

    @Test
    void anEndlessOneIsRefusedByItsLength() {
        assertThatThrownBy(() -> JoinString.parse("nexar://a:1/j" + QUERY + "x".repeat(1_000_000)))
                .hasMessageContaining("characters; the longest has 1024");
    }

    @Test
    void noDamageOfOneCharacterBringsTheTokenIntoTheError() {
        String text = "nexar://seed.example.org:7000/digits" + QUERY;
        int refused = 0;
        for (String damaged : damages(text)) {
            try {
                JoinString parsed = JoinString.parse(damaged);
                assertThat(parsed.toString()).doesNotContain(parsed.token().reveal());
            } catch (ConfigurationException e) {
                showsNoToken(e);
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(text.length()); // most damages are refused
    }

    private static List<String> damages(String text) {
        List<String> damaged = new ArrayList<>();
        for (int i = 0; i < text.length(); i++) {
            damaged.add(text.substring(0, i) + text.substring(i + 1));
            for (char c : ":/?&=[]%@#.-_ xQ9\n\0".toCharArray()) {
                damaged.add(text.substring(0, i) + c + text.substring(i + 1));
                damaged.add(text.substring(0, i) + c + text.substring(i));
            }
        }
        return damaged;
    }

    /** Not whole, and no eight characters of it either. */
    private static void showsNoToken(Throwable error) {
        for (Throwable e = error; e != null; e = e.getCause()) {
            for (int i = 0; i + 8 <= TOKEN.length(); i++) {
                assertThat(e.getMessage()).doesNotContain(TOKEN.substring(i, i + 8));
            }
        }
    }

    @Test
    void aTokenThatTravelsApartFillsTheGap() {
        Token token = Token.parse(TOKEN);
        JoinString whole = JoinString.parse("nexar://a:1/j" + QUERY);
        assertThat(JoinString.parse("nexar://a:1/j?pin=" + PIN, token)).isEqualTo(whole);
        assertThat(JoinString.parse("nexar://a:1/j" + QUERY, token)).isEqualTo(whole);
        assertThatThrownBy(() ->
                        JoinString.parse("nexar://a:1/j" + QUERY, Token.parse("A".repeat(32))))
                .hasMessageContaining("another token")
                .satisfies(JoinStringTest::showsNoToken);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "[::1]", "a/b", "a?b", ":::::::x"})
    void aRecordOfBadPartsCannotBeMade(String host) {
        assertThatThrownBy(() -> new JoinString(host, 1, "j", Pin.parse(PIN), Token.parse(TOKEN)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("host");
    }
}
