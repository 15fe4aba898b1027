package io.nexar.security;

import static io.nexar.security.Forge.NOW;
import static io.nexar.security.Forge.RANDOM;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.ProtocolException;

import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.ExtensionsGenerator;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.pkcs.jcajce.JcaPKCS10CertificationRequestBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.Arrays;

class JobAuthorityTest {

    private static final NodeIdentity MEMBER = new NodeIdentity("digits", 3);

    private final JobAuthority authority = JobAuthority.create("digits", NOW, RANDOM);
    private final NodeKey key = NodeKey.generate(RANDOM);

    private static byte[] request(KeyPair keys, KeyPair signer, String algorithm) throws Exception {
        return new JcaPKCS10CertificationRequestBuilder(new X500Name("CN=x"), keys.getPublic())
                .build(new JcaContentSignerBuilder(algorithm).build(signer.getPrivate()))
                .getEncoded();
    }

    private void refused(byte[] request, String reason) {
        assertThatThrownBy(() -> authority.sign(request, MEMBER, NOW)).hasMessageContaining(reason);
    }

    @Test
    void aNodeGetsACertificateForItsOwnKeyWithTheIdentityGivenToIt() {
        X509Certificate signed = authority.sign(key.signingRequest(), MEMBER, NOW);
        Credentials credentials = key.credentials(signed, authority.certificate());
        assertThat(credentials.identity()).isEqualTo(MEMBER);
        assertThat(signed.getSubjectX500Principal().getName()).isEqualTo("CN=member 3,O=digits");
        assertThat(signed.getBasicConstraints()).isEqualTo(-1);
        assertThat(signed.getSerialNumber()).isPositive();
    }

    @Test
    void aCertificateHoldsFromAClockBehindUntilItsStatedEnd() {
        X509Certificate signed = authority.sign(key.signingRequest(), MEMBER, NOW);
        assertThat(signed.getNotBefore().toInstant()).isEqualTo(NOW.minus(Duration.ofMinutes(5)));
        assertThat(signed.getNotAfter().toInstant()).isEqualTo(NOW.plus(Duration.ofDays(14)));
    }

    @Test
    void noCertificateOutlivesTheAuthorityAndNoneIsMadeAfterIt() {
        var late = NOW.plus(Duration.ofDays(364));
        X509Certificate signed = authority.sign(key.signingRequest(), MEMBER, late);
        assertThat(signed.getNotAfter()).isEqualTo(authority.certificate().getNotAfter());
        var after = NOW.plus(Duration.ofDays(365));
        assertThatThrownBy(() -> authority.sign(key.signingRequest(), MEMBER, after))
                .hasMessageContaining("expired at " + after);
        assertThatThrownBy(() -> authority.issueSeed(after)).hasMessageContaining("expired at");
    }

    @Test
    void whatTheRequestAsksForIsIgnored() throws Exception {
        KeyPair keys = EllipticKeys.generate(RANDOM);
        ExtensionsGenerator wishes = new ExtensionsGenerator();
        wishes.addExtension(
                Extension.subjectAlternativeName,
                true,
                new GeneralNames(Forge.uri("nexar://job/digits/member/0")));
        wishes.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        byte[] request =
                new JcaPKCS10CertificationRequestBuilder(
                                new X500Name("O=digits,CN=member 0"), keys.getPublic())
                        .addAttribute(
                                PKCSObjectIdentifiers.pkcs_9_at_extensionRequest, wishes.generate())
                        .build(
                                new JcaContentSignerBuilder("SHA256withECDSA")
                                        .build(keys.getPrivate()))
                        .getEncoded();
        X509Certificate signed = authority.sign(request, MEMBER, NOW);
        assertThat(NodeIdentity.of(signed)).isEqualTo(MEMBER);
        assertThat(signed.getSubjectX500Principal().getName()).isEqualTo("CN=member 3,O=digits");
        assertThat(signed.getBasicConstraints()).isEqualTo(-1);
    }

    @Test
    void aRequestSignedByAnotherKeyIsRefused() throws Exception {
        KeyPair victim = EllipticKeys.generate(RANDOM);
        KeyPair thief = EllipticKeys.generate(RANDOM);
        refused(request(victim, thief, "SHA256withECDSA"), "its sender doesn't hold it");
    }

    @Test
    void aRequestWithAnyByteChangedIsRefusedAndNeverAnotherError() {
        byte[] request = key.signingRequest();
        for (int i = 0; i < request.length; i++) {
            byte[] changed = request.clone();
            changed[i] ^= (byte) (1 << (i % 8));
            assertThatThrownBy(() -> authority.sign(changed, MEMBER, NOW))
                    .as("byte %d", i)
                    .isInstanceOf(REFUSAL);
        }
    }

    @Test
    void aRequestCutShortOrWithMoreBehindItIsRefused() {
        byte[] request = key.signingRequest();
        for (int length = 0; length < request.length; length++) {
            byte[] cut = Arrays.copyOf(request, length);
            assertThatThrownBy(() -> authority.sign(cut, MEMBER, NOW))
                    .as("cut to %d", length)
                    .isInstanceOf(REFUSAL);
        }
        byte[] longer = Arrays.copyOf(request, request.length + 1);
        refused(longer, "cannot be decoded");
    }

    @Test
    void aHugeRequestIsRefusedByItsSizeBeforeItIsRead() {
        refused(new byte[4097], "4097 bytes is above 4096");
        refused(new byte[64 << 20], "67108864 bytes is above 4096");
        refused(new byte[4096], "cannot be decoded");
        assertThat(key.signingRequest()).hasSizeLessThan(512);
    }

    @Test
    void aRequestOfThousandsOfNestedSequencesIsRefused() {
        byte[] indefinite = new byte[4096];
        for (int i = 0; i < indefinite.length; i += 2) {
            indefinite[i] = 0x30;
            indefinite[i + 1] = (byte) 0x80;
        }
        refused(indefinite, "cannot be decoded");
        byte[] definite = new byte[4096];
        for (int i = 0; i + 4 <= definite.length; i += 4) {
            int rest = definite.length - i - 4;
            definite[i] = 0x30;
            definite[i + 1] = (byte) 0x82;
            definite[i + 2] = (byte) (rest >> 8);
            definite[i + 3] = (byte) rest;
        }
        refused(definite, "cannot be decoded");
    }

    @ParameterizedTest
    @CsvSource({
        "EC, secp384r1, SHA256withECDSA, another curve than P-256",
        "EC, secp521r1, SHA512withECDSA, another curve than P-256",
        "RSA, '', SHA256withRSA, EC P-256 is needed",
        "Ed25519, '', Ed25519, not every TLS implementation"
    })
    void aKeyOfAnotherKindIsRefusedWithTheReason(
            String kind, String curve, String signature, String reason) throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(kind);
        if (!curve.isEmpty()) {
            generator.initialize(new ECGenParameterSpec(curve));
        }
        KeyPair keys = generator.generateKeyPair();
        refused(request(keys, keys, signature), reason);
    }

    @Test
    void aWeakHashIsRefused() throws Exception {
        KeyPair keys = EllipticKeys.generate(RANDOM);
        refused(request(keys, keys, "SHA1withECDSA"), "ECDSA with SHA-256");
    }

    @Test
    void theAuthorityDoesNotSignForAnotherJob() {
        assertThatThrownBy(() ->
                        authority.sign(key.signingRequest(), new NodeIdentity("other", 3), NOW))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("job digits doesn't sign member 3 of job other");
    }

    @Test
    void theSeedIsNoMember() {
        Credentials seed = authority.issueSeed(NOW);
        assertThatThrownBy(seed::identity).hasMessageContaining("a seed's, not a member's");
        assertThatCode(() -> seed.certificate().verify(authority.certificate().getPublicKey()))
                .doesNotThrowAnyException();
        assertThat(authority.issueSeed(NOW).certificate().getPublicKey())
                .isNotEqualTo(seed.certificate().getPublicKey());
    }

    @Test
    void aNodeRefusesACertificateThatIsNotForItsKeyOrNotByThatAuthority() {
        X509Certificate forOther =
                authority.sign(NodeKey.generate(RANDOM).signingRequest(), MEMBER, NOW);
        assertThatThrownBy(() -> key.credentials(forOther, authority.certificate()))
                .hasMessageContaining("another key than this node's");
        X509Certificate signed = authority.sign(key.signingRequest(), MEMBER, NOW);
        JobAuthority sameName = JobAuthority.create("digits", NOW, RANDOM);
        assertThatThrownBy(() -> key.credentials(signed, sameName.certificate()))
                .hasMessageContaining("not signed by the authority beside it");
    }

    @Test
    void certificatesTravelAsBytes() {
        X509Certificate signed = authority.sign(key.signingRequest(), MEMBER, NOW);
        byte[] der = Certificates.encode(signed);
        assertThat(Certificates.decode(der)).isEqualTo(signed);
        assertThatThrownBy(() -> Certificates.decode(Arrays.copyOf(der, der.length - 1)))
                .isInstanceOf(REFUSAL);
        assertThatThrownBy(() -> Certificates.decode(Arrays.copyOf(der, der.length + 1)))
                .isInstanceOf(REFUSAL);
        assertThatThrownBy(() -> Certificates.decode(new byte[0])).isInstanceOf(REFUSAL);
        assertThatThrownBy(() -> Certificates.decode(new byte[9000]))
                .hasMessageContaining("9000 bytes is above 8192");
    }

    private static final Class<? extends RuntimeException> REFUSAL = ProtocolException.class;
}
