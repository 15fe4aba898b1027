package io.nexar.security;

import static io.nexar.security.Forge.NOW;
import static io.nexar.security.Forge.RANDOM;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.security.KeyFactory;
import java.security.spec.X509EncodedKeySpec;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;

class PinAndTokenTest {

    private final JobAuthority authority = JobAuthority.create("digits", NOW, RANDOM);

    @Test
    void aPinComesBackFromItsTextAndMatchesItsKeyOnly() {
        Credentials seed = authority.issueSeed(NOW);
        Credentials otherSeed = authority.issueSeed(NOW);
        Pin pin = Pin.parse(Pin.of(seed.certificate()).toString());
        assertThat(pin).isEqualTo(Pin.of(seed.certificate().getPublicKey()));
        assertThat(pin.matches(seed.certificate())).isTrue();
        assertThat(pin.matches(otherSeed.certificate())).isFalse();
        assertThat(pin.matches(authority.certificate())).isFalse();
    }

    /**
     * The key is P-256's base point; the hash was computed by another program over the DER below.
     */
    @Test
    void aPinIsTheHashThatOtherToolsCompute() throws Exception {
        byte[] spki =
                HexFormat.of()
                        .parseHex(
                                "3059301306072a8648ce3d020106082a8648ce3d03010703420004"
                                    + "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
                                    + "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5");
        var key = KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(spki));
        assertThat(Pin.of(key)).hasToString("XNJS-wzokyQ2-vjM0QQJgbie5K1rn-niorfnGqyyfNM");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "abc",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAB",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA+",
                "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            })
    void aPinThatIsNoHashIsRefusedWithItsLengthAndNotItsText(String text) {
        assertThatThrownBy(() -> Pin.parse(text))
                .hasMessageContaining("has " + text.length() + " characters")
                .satisfies(
                        e -> assertThat(text.isEmpty() || !e.toString().contains(text)).isTrue());
    }

    @Test
    void aTokenComesBackFromItsTextAndEqualsNoOther() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 100; i++) {
            Token token = Token.random(RANDOM);
            assertThat(token.reveal()).hasSize(32).matches("[A-Za-z0-9_-]+");
            assertThat(Token.parse(token.reveal())).isEqualTo(token).hasSameHashCodeAs(token);
            assertThat(seen.add(token.reveal())).isTrue();
        }
    }

    @Test
    void aTokenThatDiffersInOneCharacterIsAnother() {
        String text = "A".repeat(32);
        Token token = Token.parse(text);
        for (int i = 0; i < text.length(); i++) {
            String changed = text.substring(0, i) + "B" + text.substring(i + 1);
            assertThat(Token.parse(changed)).isNotEqualTo(token);
        }
        assertThat(Token.parse(text + "AAAA")).isNotEqualTo(token);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "hunter2",
                "AAAAAAAAAAAAAAAAAAAA",
                "AAAAAAAAAAAAAAAAAAAAAB",
                "a secret with spaces in it",
                "AAAAAAAAAAAAAAAAAAAAAA=="
            })
    void aTokenThatIsTooShortOrMisspeltIsRefusedWithoutBeingShown(String text) {
        assertThatThrownBy(() -> Token.parse(text))
                .hasMessageContaining("has " + text.length() + " characters")
                .satisfies(
                        e -> assertThat(text.isEmpty() || !e.toString().contains(text)).isTrue());
    }

    @Test
    void aTokenIsBounded() {
        assertThat(Token.parse("A".repeat(22)).reveal()).hasSize(22);
        assertThat(Token.parse("A".repeat(86)).reveal()).hasSize(86);
        assertThatThrownBy(() -> Token.parse("A".repeat(87))).hasMessageContaining("has 87");
        assertThatThrownBy(() -> Token.parse("A".repeat(88))).hasMessageContaining("has 88");
    }
}
