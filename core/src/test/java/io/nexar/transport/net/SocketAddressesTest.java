package io.nexar.transport.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetSocketAddress;

class SocketAddressesTest {
    @Test
    void addressesOfBothFamiliesAreReadAsTheyAreWritten() {
        InetSocketAddress four = SocketAddresses.parse("10.0.0.7:4711");
        assertThat(four.getPort()).isEqualTo(4711);
        assertThat(SocketAddresses.format(four)).isEqualTo("10.0.0.7:4711");
        InetSocketAddress six = SocketAddresses.parse("[fe80::1]:1");
        assertThat(SocketAddresses.parse(SocketAddresses.format(six))).isEqualTo(six);
        assertThat(SocketAddresses.isSameFamily(four.getAddress(), six.getAddress())).isFalse();
        assertThat(SocketAddresses.family(six.getAddress())).isEqualTo("IPv6");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.7",
                "10.0.0.7:0",
                "10.0.0.7:65536",
                "host.example:1",
                "::1:5",
                "[::1]",
                "10.0.0.300:5",
                "[10.0.0.7:5"
            })
    void anythingElseIsAnErrorThatNamesIt(String text) {
        assertThatThrownBy(() -> SocketAddresses.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }
}
