package io.nexar.security;

import static io.nexar.security.Forge.NOW;
import static io.nexar.security.Forge.RANDOM;
import static io.nexar.security.Forge.uri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.junit.jupiter.api.Test;

import java.security.KeyPair;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

class NodeTrustTest {

    private final KeyPair rootKeys = EllipticKeys.generate(RANDOM);
    private final X509Certificate root = root(rootKeys);
    private final NodeTrust trust = trust(NOW);

    private static X509Certificate root(KeyPair keys) {
        return new Forge(keys, "CN=authority of digits")
                .authority()
                .usage(KeyUsage.keyCertSign)
                .names()
                .make();
    }

    private NodeTrust trust(Instant now) {
        return new NodeTrust("digits", root, InstantSource.fixed(now));
    }

    private Forge leaf() {
        return new Forge(rootKeys, root);
    }

    private void refused(String reason, X509Certificate... chain) {
        assertThatThrownBy(() -> trust.checkServerTrusted(chain, "UNKNOWN"))
                .isInstanceOf(CertificateException.class)
                .hasMessageContaining(reason);
        assertThatThrownBy(() -> trust.checkClientTrusted(chain, "UNKNOWN"))
                .isInstanceOf(CertificateException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void aMemberIsTrustedInBothRolesAloneOrBeforeItsAuthority() {
        X509Certificate good = leaf().make();
        X509Certificate[] alone = {good};
        X509Certificate[] before = {good, root};
        for (X509Certificate[] chain : new X509Certificate[][] {alone, before}) {
            assertThatCode(
                            () -> {
                                trust.checkServerTrusted(chain, "UNKNOWN");
                                trust.checkClientTrusted(chain, "UNKNOWN");
                            })
                    .doesNotThrowAnyException();
        }
        assertThat(trust.getAcceptedIssuers()).containsExactly(root);
    }

    @Test
    void anotherAuthorityOfTheSameNameIsRefused() {
        KeyPair otherKeys = EllipticKeys.generate(RANDOM);
        X509Certificate forged = new Forge(otherKeys, root).make();
        assertThat(forged.getIssuerX500Principal()).isEqualTo(root.getSubjectX500Principal());
        refused("not signed by the authority of job digits", forged);
        refused("a chain of 2", forged, root(otherKeys));
    }

    @Test
    void aMemberThatSignsAnotherIsNoAuthority() {
        KeyPair memberKeys = EllipticKeys.generate(RANDOM);
        X509Certificate member = leaf().key(memberKeys.getPublic()).make();
        X509Certificate signed = new Forge(memberKeys, member).make();
        refused("not signed by the authority of job digits", signed);
        refused("a chain of 2", signed, member);
        refused("a chain of 3", signed, member, root);
    }

    @Test
    void anAuthorityUnderTheAuthorityIsNoMember() {
        refused("an authority's certificate cannot stand", leaf().authority().make());
        refused("an authority's certificate cannot stand", root);
    }

    @Test
    void anEmptyChainIsRefused() {
        refused("a chain of 0");
    }

    @Test
    void timeIsCheckedToTheSecondOnBothEnds() {
        Instant begin = NOW.minusSeconds(60);
        Instant end = NOW.plusSeconds(60);
        X509Certificate[] chain = {leaf().valid(begin, end).make()};
        assertThatCode(() -> trust(begin).checkServerTrusted(chain, "")).doesNotThrowAnyException();
        assertThatCode(() -> trust(end).checkServerTrusted(chain, "")).doesNotThrowAnyException();
        assertThatThrownBy(() -> trust(end.plusMillis(1)).checkServerTrusted(chain, ""))
                .hasMessageContaining("certificate expired at " + end);
        assertThatThrownBy(() -> trust(begin.minusMillis(1)).checkServerTrusted(chain, ""))
                .hasMessageContaining("certificate not valid before " + begin);
    }

    @Test
    void anExpiredAuthorityMakesNoMembers() {
        Instant late = NOW.plus(Duration.ofDays(2));
        X509Certificate[] chain = {leaf().valid(NOW, NOW.plus(Duration.ofDays(9))).make()};
        assertThatThrownBy(() -> trust(late).checkServerTrusted(chain, ""))
                .hasMessageContaining("certificate expired at " + NOW.plus(Duration.ofDays(1)));
    }

    @Test
    void keyUsageMustBeSignaturesAndNothingElseThatSigns() {
        refused("key usage", leaf().usage(KeyUsage.keyEncipherment).make());
        refused("key usage", leaf().usage(KeyUsage.digitalSignature | KeyUsage.keyCertSign).make());
    }

    @Test
    void aCertificateForOneRoleServesInThatRoleOnly() {
        X509Certificate[] server = {leaf().purposes(KeyPurposeId.id_kp_serverAuth).make()};
        X509Certificate[] client = {leaf().purposes(KeyPurposeId.id_kp_clientAuth).make()};
        assertThatCode(() -> trust.checkServerTrusted(server, "")).doesNotThrowAnyException();
        assertThatThrownBy(() -> trust.checkClientTrusted(server, ""))
                .hasMessageContaining("not for a TLS client");
        assertThatCode(() -> trust.checkClientTrusted(client, "")).doesNotThrowAnyException();
        assertThatThrownBy(() -> trust.checkServerTrusted(client, ""))
                .hasMessageContaining("not for a TLS server");
        refused("not for a TLS", leaf().purposes().make());
        refused("not for a TLS", leaf().purposes(KeyPurposeId.id_kp_codeSigning).make());
    }

    @Test
    void whatItCannotUnderstandItDoesNotTrust() {
        refused("unknown critical extension", leaf().unknownCriticalExtension().make());
    }

    @Test
    void aWeakSignatureIsNoSignature() {
        refused("not signed by", leaf().signature("SHA1withECDSA").make());
    }

    @Test
    void aMemberOfAnotherJobUnderASharedAuthorityIsRefused() {
        refused(
                "the peer is member 3 of job letters, not of job digits",
                leaf().names(uri("nexar://job/letters/member/3")).make());
    }

    @Test
    void missingSeveralAndMalformedNamesAreRefused() {
        refused("carries no node identity", leaf().names().make());
        refused(
                "carries 2 names",
                leaf().names(uri("nexar://job/digits/member/3"), uri("nexar://job/digits/member/4"))
                        .make());
        refused("no nexar://", leaf().names(uri("nexar://job/digits/member/x")).make());
        refused("a seed's, not a member's", leaf().names(uri("nexar://job/digits/seed")).make());
    }

    @Test
    void theDialledMemberIsTheOneThatMustAnswer() {
        X509Certificate three = leaf().make();
        assertThat(trust.requireMember(three, 3)).isEqualTo(new NodeIdentity("digits", 3));
        assertThatThrownBy(() -> trust.requireMember(three, 2))
                .hasMessageContaining(
                        "expected member 2 of job digits, but the peer is member 3 of job digits");
        X509Certificate elsewhere = leaf().names(uri("nexar://job/letters/member/3")).make();
        assertThatThrownBy(() -> trust.requireMember(elsewhere, 3))
                .hasMessageContaining(
                        "expected member 3 of job digits, but the peer is member 3 of job letters");
    }

    @Test
    void aPinNeverVouchesForAClient() {
        PinTrust pins = new PinTrust(Pin.of(root), InstantSource.fixed(NOW));
        X509Certificate[] chain = {root};
        assertThatCode(() -> pins.checkServerTrusted(chain, "")).doesNotThrowAnyException();
        assertThatThrownBy(() -> pins.checkClientTrusted(chain, ""))
                .isInstanceOf(CertificateException.class);
        assertThatThrownBy(() -> pins.checkServerTrusted(new X509Certificate[0], ""))
                .hasMessageContaining("no certificate");
    }
}
