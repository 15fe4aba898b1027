package io.nexar.security;

import static io.nexar.security.Forge.RANDOM;
import static io.nexar.security.Forge.uri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.ProtocolException;

import org.bouncycastle.asn1.x509.GeneralName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.security.KeyPair;

class NodeIdentityTest {

    private final KeyPair keys = EllipticKeys.generate(RANDOM);

    private Forge forge() {
        return new Forge(keys, "CN=any");
    }

    @ParameterizedTest
    @CsvSource({"digits,0", "a,1", "Job_2.x-y,9223372036854775807"})
    void comesBackOutOfTheCertificateThatCarriesIt(String job, long member) {
        NodeIdentity identity = new NodeIdentity(job, member);
        assertThat(NodeIdentity.of(forge().names(uri(identity.uri())).make())).isEqualTo(identity);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nexar://job/digits/member/",
                "nexar://job/digits/member/-1",
                "nexar://job/digits/member/+1",
                "nexar://job/digits/member/03",
                "nexar://job/digits/member/3/",
                "nexar://job/digits/member/3?x",
                "nexar://job/digits/member/3x",
                "nexar://job//member/3",
                "nexar://job/-digits/member/3",
                "nexar://job/di%67its/member/3",
                "nexar://job/a/b/member/3",
                "NEXAR://job/digits/member/3",
                "http://job/digits/member/3",
                "nexar://job/digits"
            })
    void aMalformedNameIsRefused(String name) {
        var certificate = forge().names(uri(name)).make();
        assertThatThrownBy(() -> NodeIdentity.of(certificate))
                .hasMessageContaining("no nexar://job/<job>/member/<id>");
    }

    @Test
    void aMemberIdBeyondLongIsRefused() {
        var certificate =
                forge().names(uri("nexar://job/digits/member/9223372036854775808")).make();
        assertThatThrownBy(() -> NodeIdentity.of(certificate)).hasMessageContaining("above");
    }

    @Test
    void aNameThatIsNoUriAtAllIsRefused() {
        var certificate = forge().names(uri("")).make();
        assertThatThrownBy(() -> NodeIdentity.of(certificate))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("cannot be read");
    }

    @Test
    void aCertificateWithoutNameIsRefused() {
        var certificate = forge().names().make();
        assertThatThrownBy(() -> NodeIdentity.of(certificate))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("carries no node identity");
    }

    @Test
    void twoNamesAreRefusedEvenIfOneIsAMembers() {
        var two =
                forge().names(
                                uri("nexar://job/digits/member/3"),
                                uri("nexar://job/digits/member/4"))
                        .make();
        var mixed =
                forge().names(
                                uri("nexar://job/digits/member/3"),
                                new GeneralName(GeneralName.dNSName, "host.example"))
                        .make();
        assertThatThrownBy(() -> NodeIdentity.of(two)).hasMessageContaining("carries 2 names");
        assertThatThrownBy(() -> NodeIdentity.of(mixed)).hasMessageContaining("carries 2 names");
    }

    @Test
    void aNameOfAnotherKindIsRefused() {
        var certificate =
                forge().names(new GeneralName(GeneralName.dNSName, "nexar.job.member.3")).make();
        assertThatThrownBy(() -> NodeIdentity.of(certificate)).hasMessageContaining("not a URI");
    }

    @Test
    void aSeedIsToldFromAMember() {
        var certificate = forge().names(uri("nexar://job/digits/seed")).make();
        assertThatThrownBy(() -> NodeIdentity.of(certificate))
                .hasMessageContaining("a seed's, not a member's");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-a", ".a", "a b", "a/b", "a%b", "jöb", "a\n"})
    void aJobIdThatIsNoPlainWordIsRefused(String job) {
        assertThatThrownBy(() -> new NodeIdentity(job, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("job id of " + job.length() + " characters");
    }

    @Test
    void aJobIdOf64CharactersIsTheLongest() {
        assertThat(new NodeIdentity("j".repeat(64), 1).jobId()).hasSize(64);
        assertThatThrownBy(() -> new NodeIdentity("j".repeat(65), 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aNegativeMemberIsRefused() {
        assertThatThrownBy(() -> new NodeIdentity("digits", -1)).hasMessageContaining("-1");
    }
}
