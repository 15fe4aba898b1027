package io.nexar.security;

import static io.nexar.security.Forge.NOW;
import static io.nexar.security.Forge.RANDOM;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

class SecretsStayMaskedTest {

    private static final Set<Class<?>> SECRET =
            Set.of(
                    PrivateKey.class,
                    KeyPair.class,
                    Token.class,
                    Credentials.class,
                    AuthorityKey.class,
                    JoinString.class,
                    NodeKey.class);

    private final JobAuthority authority = JobAuthority.create("digits", NOW, RANDOM);
    private final KeyPair keys = EllipticKeys.generate(RANDOM);
    private final Token token = Token.random(RANDOM);
    private final List<Object> carriers =
            List.of(
                    token,
                    new JoinString("host", 1, "digits", Pin.of(authority.certificate()), token),
                    new Credentials(
                            keys.getPrivate(), authority.certificate(), authority.certificate()),
                    new AuthorityKey(authority.certificate(), keys.getPrivate()),
                    NodeKey.generate(RANDOM),
                    authority,
                    new AddressTokens(RANDOM));

    @Test
    void noToStringHoldsATokenOrAPrivateKey() {
        for (Object carrier : carriers) {
            String text = carrier.toString().toLowerCase(Locale.ROOT);
            for (String secret : spellings(token, keys.getPrivate())) {
                assertThat(text)
                        .as(carrier.getClass().getSimpleName())
                        .doesNotContain(secret.toLowerCase(Locale.ROOT));
            }
        }
    }

    private static List<String> spellings(Token token, PrivateKey key) {
        BigInteger scalar = ((ECPrivateKey) key).getS();
        byte[] encoded = key.getEncoded();
        return List.of(
                token.reveal(),
                scalar.toString(),
                scalar.toString(16),
                HexFormat.of().formatHex(encoded),
                Base64.getEncoder().encodeToString(encoded),
                key.toString());
    }

    /**
     * A record prints all of itself unless told otherwise: a new one must join the carriers above.
     */
    @Test
    void everyRecordThatHoldsASecretIsAmongTheCarriers() throws Exception {
        List<Class<?>> holders = new ArrayList<>();
        for (Class<?> type : classesOfThisRoom()) {
            if (type.isRecord()
                    && Arrays.stream(type.getRecordComponents())
                            .anyMatch(c -> SECRET.contains(c.getType()))) {
                holders.add(type);
            }
        }
        assertThat(holders).contains(Credentials.class, AuthorityKey.class, JoinString.class);
        List<Class<?>> tried = new ArrayList<>();
        carriers.forEach(carrier -> tried.add(carrier.getClass()));
        assertThat(tried).containsAll(holders);
    }

    private static Path room() throws Exception {
        URL root = Token.class.getProtectionDomain().getCodeSource().getLocation();
        return Path.of(root.toURI()).resolve("io/nexar/security");
    }

    private static List<Class<?>> classesOfThisRoom() throws Exception {
        List<Class<?>> types = new ArrayList<>();
        try (Stream<Path> files = Files.list(room())) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".class") && !name.startsWith("package-info")) {
                    types.add(
                            Class.forName(
                                    "io.nexar.security."
                                            + name.substring(
                                                    0, name.length() - ".class".length())));
                }
            }
        }
        return types;
    }
}
