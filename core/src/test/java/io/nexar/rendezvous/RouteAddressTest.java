package io.nexar.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.ConfigurationException;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;

class RouteAddressTest {

    private static InetAddress address(String literal) throws Exception {
        return InetAddress.getByName(literal);
    }

    @Test
    void theRouteToTheSeedDecides() throws Exception {
        assertThat(RouteAddress.choose(address("10.1.2.3"), "seed.example", null))
                .isEqualTo(address("10.1.2.3"));
        assertThat(RouteAddress.choose(address("127.0.0.1"), "127.0.0.1", null))
                .isEqualTo(address("127.0.0.1"));
        assertThat(RouteAddress.choose(address("::1"), "localhost", null))
                .isEqualTo(address("::1"));
    }

    @Test
    void aHostNameThatMeansLoopbackHereIsNotAdvertisedWhereThereIsAnythingElse() throws Exception {
        boolean hasOther =
                NetworkInterface.networkInterfaces()
                        .filter(it ->
                                !it.getName().matches("(docker|br-|veth|virbr|cni|flannel).*"))
                        .flatMap(NetworkInterface::inetAddresses)
                        .anyMatch(it -> !it.isLoopbackAddress() && !it.isLinkLocalAddress());
        InetAddress chosen = RouteAddress.choose(address("127.0.1.1"), "myhost", null);
        assertThat(chosen.isLoopbackAddress()).isEqualTo(!hasOther);
    }

    @Test
    void anInterfaceIsTakenByNameOrAddress() throws Exception {
        InetAddress loopback = address("127.0.0.1");
        String name = NetworkInterface.getByInetAddress(loopback).getName();
        assertThat(RouteAddress.choose(address("10.1.2.3"), "seed", name)).isEqualTo(loopback);
        assertThat(RouteAddress.choose(address("10.1.2.3"), "seed", "127.0.0.1"))
                .isEqualTo(loopback);
        assertThatThrownBy(() -> RouteAddress.choose(loopback, "seed", "eth77"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("eth77")
                .hasMessageContaining(name);
    }

    @Test
    void addressesAreWrittenWithBracketsAroundIpv6AndWithoutScopes() throws Exception {
        assertThat(RouteAddress.format(new InetSocketAddress(address("10.1.2.3"), 7)))
                .isEqualTo("10.1.2.3:7");
        assertThat(RouteAddress.format(new InetSocketAddress(address("::1"), 7)))
                .isEqualTo("[::1]:7");
        assertThat(RouteAddress.reachable(address("127.0.0.1"))).isEqualTo("127.0.0.1");
        assertThat(RouteAddress.reachable(address("0.0.0.0"))).isNotEqualTo("0.0.0.0");
    }
}
