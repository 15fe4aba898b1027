package io.nexar.security;

import static io.nexar.security.Forge.NOW;
import static io.nexar.security.Forge.RANDOM;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.ConfigurationException;

import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;

class AuthorityKeyTest {

    @TempDir Path directory;

    private static Forge root(KeyPair keys) {
        return new Forge(keys, "CN=our company")
                .authority()
                .usage(KeyUsage.keyCertSign)
                .names()
                .valid(NOW.minus(Duration.ofDays(1)), NOW.plus(Duration.ofDays(7)));
    }

    private Path certificateFile(X509Certificate certificate) throws IOException {
        return Files.writeString(directory.resolve("ca.pem"), pem(certificate));
    }

    private Path keyFile(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("ca.key"), text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /** As {@code openssl x509} and {@code openssl genrsa -traditional} write. */
    private static String pem(Object object) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        }
        return text.toString();
    }

    /** As {@code openssl genpkey} writes. */
    private static String pkcs8(KeyPair keys) {
        return "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(keys.getPrivate().getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
    }

    /** As {@code openssl ecparam -genkey -noout} writes: RFC 5915, with the curve's name inside. */
    private static String sec1(KeyPair keys) throws IOException {
        byte[] der =
                new ECPrivateKey(
                                256,
                                ((java.security.interfaces.ECPrivateKey) keys.getPrivate()).getS(),
                                SECObjectIdentifiers.secp256r1)
                        .getEncoded();
        return "-----BEGIN EC PRIVATE KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(der)
                + "\n-----END EC PRIVATE KEY-----\n";
    }

    private void issuesTrustedMembers(AuthorityKey key) throws Exception {
        JobAuthority authority = JobAuthority.of("digits", key, NOW, RANDOM);
        NodeKey node = NodeKey.generate(RANDOM);
        X509Certificate signed =
                authority.sign(node.signingRequest(), new NodeIdentity("digits", 4), NOW);
        Credentials credentials = node.credentials(signed, authority.certificate());
        NodeTrust trust = NodeTrust.of(credentials, InstantSource.fixed(NOW));
        trust.checkServerTrusted(new X509Certificate[] {signed}, "UNKNOWN");
        assertThat(trust.requireMember(signed, 4)).isEqualTo(credentials.identity());
        assertThat(signed.getNotAfter()).isEqualTo(key.certificate().getNotAfter());
    }

    @Test
    void aCompanysEllipticAuthoritySignsMembersInBothPemForms() throws Exception {
        KeyPair keys = EllipticKeys.generate(RANDOM);
        Path certificate = certificateFile(root(keys).make());
        issuesTrustedMembers(AuthorityKey.load(certificate, keyFile(pkcs8(keys))));
        issuesTrustedMembers(AuthorityKey.load(certificate, keyFile(sec1(keys))));
    }

    @Test
    void aCompanysRsaAuthoritySignsMembers() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        KeyPair keys = generator.generateKeyPair();
        Path certificate = certificateFile(root(keys).signature("SHA256withRSA").make());
        issuesTrustedMembers(AuthorityKey.load(certificate, keyFile(pkcs8(keys))));
        issuesTrustedMembers(AuthorityKey.load(certificate, keyFile(pem(keys.getPrivate()))));
    }

    @Test
    void aKeyThatOthersCanReadIsRefused() throws Exception {
        KeyPair keys = EllipticKeys.generate(RANDOM);
        Path certificate = certificateFile(root(keys).make());
        Path key = keyFile(pkcs8(keys));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> AuthorityKey.load(certificate, key))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(key.toString())
                .hasMessageContaining("open to others");
    }

    @Test
    void filesThatHoldSomethingElseAreNamed() throws Exception {
        KeyPair keys = EllipticKeys.generate(RANDOM);
        Path certificate = certificateFile(root(keys).make());
        Path key = keyFile(pkcs8(keys));
        assertThatThrownBy(() -> AuthorityKey.load(key, key))
                .hasMessageContaining("ca.key")
                .hasMessageContaining("no PEM certificate");
        Path swapped = keyFile(pem(root(keys).make()));
        assertThatThrownBy(() -> AuthorityKey.load(certificate, swapped))
                .hasMessageContaining("ca.key")
                .hasMessageContaining("no private key");
        Path empty = keyFile("");
        assertThatThrownBy(() -> AuthorityKey.load(certificate, empty))
                .hasMessageContaining("no private key");
        Path broken = keyFile("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n");
        assertThatThrownBy(() -> AuthorityKey.load(certificate, broken))
                .hasMessageContaining("ca.key");
        assertThatThrownBy(() -> AuthorityKey.load(directory.resolve("none"), broken))
                .hasMessageContaining("none");
    }

    @Test
    void whatMayNotSignIsRefusedBeforeTheJobStarts() {
        KeyPair keys = EllipticKeys.generate(RANDOM);
        KeyPair others = EllipticKeys.generate(RANDOM);
        X509Certificate leaf = new Forge(keys, "CN=our company").make();
        X509Certificate noUsage = root(keys).usage(KeyUsage.digitalSignature).make();
        X509Certificate old = root(keys).valid(NOW.minusSeconds(9), NOW.minusSeconds(1)).make();
        refused(new AuthorityKey(leaf, keys.getPrivate()), "it is not a CA");
        refused(new AuthorityKey(noUsage, keys.getPrivate()), "no keyCertSign");
        refused(new AuthorityKey(old, keys.getPrivate()), "certificate expired at");
        refused(new AuthorityKey(root(keys).make(), others.getPrivate()), "no pair");
    }

    private static void refused(AuthorityKey key, String reason) {
        assertThatThrownBy(() -> JobAuthority.of("digits", key, NOW, RANDOM))
                .hasMessageContaining("CN=our company")
                .hasMessageContaining(reason);
    }
}
