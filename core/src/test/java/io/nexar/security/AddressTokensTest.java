package io.nexar.security;

import static io.nexar.security.Forge.RANDOM;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Random;

class AddressTokensTest {

    private static final byte[] ID = {11, 12, 13, 14, 15, 16, 17, 18};
    private static final long T = Long.MAX_VALUE - 5; // nanoTime may be anything, and overflow

    private final AddressTokens tokens = new AddressTokens(RANDOM);
    private final InetSocketAddress client = address(4433, 192, 0, 2, 7);
    private final byte[] token = tokens.mint(client, ID, T);

    private static InetSocketAddress address(int port, int... bytes) {
        byte[] raw = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            raw[i] = (byte) bytes[i];
        }
        try {
            return new InetSocketAddress(InetAddress.getByAddress(raw), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 19, 20})
    void aTokenGivesBackTheConnectionIdAtItsTail(int idBytes) {
        byte[] id = new byte[idBytes];
        new Random(idBytes).nextBytes(id);
        byte[] minted = tokens.mint(client, id, T);
        int offset = tokens.validate(minted, client, T + 1);
        assertThat(offset).isEqualTo(41);
        assertThat(Arrays.copyOfRange(minted, offset, minted.length)).isEqualTo(id);
        assertThat(minted.length).isLessThanOrEqualTo(AddressTokens.BYTES_MAX);
    }

    @Test
    void itHoldsForIpv6() {
        InetSocketAddress six = address(4433, 32, 1, 13, 184, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9);
        InetSocketAddress next = address(4433, 32, 1, 13, 184, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8);
        byte[] minted = tokens.mint(six, ID, T);
        assertThat(tokens.validate(minted, six, T)).isEqualTo(41);
        assertThat(tokens.validate(minted, next, T)).isEqualTo(AddressTokens.REFUSED);
        assertThat(tokens.validate(minted, client, T)).isEqualTo(AddressTokens.REFUSED);
    }

    @Test
    void itHoldsForItsLifetimeAndNoNanosecondLonger() {
        long life = AddressTokens.LIFETIME_NANOS;
        assertThat(tokens.validate(token, client, T + life)).isEqualTo(41);
        assertThat(tokens.validate(token, client, T + life + 1)).isEqualTo(AddressTokens.REFUSED);
        assertThat(tokens.validate(token, client, T - 1)).isEqualTo(AddressTokens.REFUSED);
    }

    @Test
    void anotherAddressOrPortIsRefused() {
        // Pitfall 85: a token proves one address only, so a spoofed source cannot bring one along.
        assertThat(tokens.validate(token, address(4433, 192, 0, 2, 8), T))
                .isEqualTo(AddressTokens.REFUSED);
        assertThat(tokens.validate(token, address(4434, 192, 0, 2, 7), T))
                .isEqualTo(AddressTokens.REFUSED);
        assertThat(tokens.validate(token, address(4433 ^ 0x100, 192, 0, 2, 7), T))
                .isEqualTo(AddressTokens.REFUSED);
        assertThat(tokens.validate(token, InetSocketAddress.createUnresolved("192.0.2.7", 4433), T))
                .isEqualTo(AddressTokens.REFUSED);
    }

    @Test
    void anotherProcessesKeyIsRefused() {
        assertThat(new AddressTokens(RANDOM).validate(token, client, T))
                .isEqualTo(AddressTokens.REFUSED);
    }

    @Test
    void anyBitChangedIsRefused() {
        // Pitfall 85: no part of a token, its connection id and its time included, may be altered.
        for (int i = 0; i < token.length; i++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] changed = token.clone();
                changed[i] ^= (byte) (1 << bit);
                assertThat(tokens.validate(changed, client, T))
                        .as("byte %d, bit %d", i, bit)
                        .isEqualTo(AddressTokens.REFUSED);
            }
        }
    }

    @Test
    void anyOtherLengthIsRefused() {
        for (int length = 0; length < 200; length++) {
            if (length != token.length) {
                assertThat(tokens.validate(Arrays.copyOf(token, length), client, T))
                        .as("length %d", length)
                        .isEqualTo(AddressTokens.REFUSED);
            }
        }
        assertThat(tokens.validate(new byte[1 << 20], client, T)).isEqualTo(AddressTokens.REFUSED);
    }

    @Test
    void randomBytesOfAnyLengthAreNoProof() {
        // Pitfall 85: a token that is merely there proves nothing.
        Random random = new Random(85);
        for (int i = 0; i < 10_000; i++) {
            byte[] noise = new byte[random.nextInt(AddressTokens.BYTES_MAX + 8)];
            random.nextBytes(noise);
            if (noise.length > 0) {
                noise[0] = 1;
            }
            assertThat(tokens.validate(noise, client, T)).isEqualTo(AddressTokens.REFUSED);
        }
    }

    @Test
    void whatCannotBeProvenIsNotMinted() {
        assertThatThrownBy(() -> tokens.mint(client, new byte[21], T))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("21 bytes is above 20");
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere", 1);
        assertThatThrownBy(() -> tokens.mint(unresolved, ID, T))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not resolved");
    }
}
