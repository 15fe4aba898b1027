package io.nexar.rendezvous;

import io.nexar.ConfigurationException;

import org.jspecify.annotations.Nullable;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Which of its addresses a process gives to the others.
 *
 * <p>The kernel has chosen well already: the local address of the connection to the seed is on the
 * network that the job uses. Two exceptions: the user names an interface; or the seed's host
 * <em>name</em> means loopback on the seed's own host (the 127.0.1.1 of some systems' hosts file)
 * and another address elsewhere, so that loopback would be wrong for the others. Host names are
 * never asked for the own address, and bridges of containers never taken.
 */
final class RouteAddress {

    /** Lead to containers and virtual machines of this host, not to other hosts. */
    private static final Pattern VIRTUAL = Pattern.compile("(docker|br-|veth|virbr|cni|flannel).*");

    private RouteAddress() {}

    /**
     * The address to listen on and to advertise.
     *
     * @param local of the connection to the seed
     * @param seedHost as the join string has it
     * @param networkInterface {@code nexar.interface}: a name or an address; null for the route's
     */
    static InetAddress choose(
            InetAddress local, String seedHost, @Nullable String networkInterface) {
        if (networkInterface != null) {
            return named(networkInterface, local);
        }
        if (local.isLoopbackAddress() && !meansThisHostOnly(seedHost)) {
            List<InetAddress> others = outward();
            return others.isEmpty() ? local : others.getFirst();
        }
        return local;
    }

    /** What others may reach a socket by that is bound to {@code bound}, as text. */
    static String reachable(InetAddress bound) {
        if (!bound.isAnyLocalAddress()) {
            return text(bound);
        }
        List<InetAddress> others = outward();
        return text(others.isEmpty() ? InetAddress.getLoopbackAddress() : others.getFirst());
    }

    /** {@code 10.0.0.7:4711} or {@code [::1]:4711}. */
    static String format(InetSocketAddress address) {
        InetAddress known = address.getAddress();
        String host = known == null ? address.getHostString() : text(known);
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** A loopback literal, or the one name that means loopback everywhere (RFC 6761). */
    private static boolean meansThisHostOnly(String seedHost) {
        return seedHost.equals("localhost")
                || seedHost.indexOf(':') >= 0
                || Character.isDigit(seedHost.charAt(0));
    }

    private static InetAddress named(String wanted, InetAddress local) {
        List<String> known = new ArrayList<>();
        InetAddress otherFamily = null;
        for (NetworkInterface candidate : interfaces()) {
            known.add(candidate.getName());
            for (InetAddress address : candidate.inetAddresses().toList()) {
                if (text(address).equals(wanted)) {
                    return address;
                }
                if (candidate.getName().equals(wanted) && !address.isLinkLocalAddress()) {
                    if (isIpv6(address) == isIpv6(local)) {
                        return address;
                    }
                    otherFamily = address;
                }
            }
        }
        if (otherFamily != null) {
            return otherFamily;
        }
        throw ConfigurationException.conflict(
                "nexar.interface",
                wanted,
                "neither the name nor an address of an interface here that is up; there are "
                        + String.join(", ", known));
    }

    /** This host's addresses that other hosts may reach, IPv4 first: it is the commoner one. */
    private static List<InetAddress> outward() {
        List<InetAddress> found = new ArrayList<>();
        for (NetworkInterface candidate : interfaces()) {
            if (!VIRTUAL.matcher(candidate.getName()).matches()) {
                candidate
                        .inetAddresses()
                        .filter(a -> !a.isLoopbackAddress() && !a.isLinkLocalAddress())
                        .forEach(found::add);
            }
        }
        found.sort(Comparator.comparing(RouteAddress::isIpv6));
        return found;
    }

    private static List<NetworkInterface> interfaces() {
        try {
            List<NetworkInterface> up = new ArrayList<>();
            for (NetworkInterface candidate : NetworkInterface.networkInterfaces().toList()) {
                if (candidate.isUp()) {
                    up.add(candidate);
                }
            }
            return up;
        } catch (SocketException e) {
            return List.of(); // a system that shows no interfaces: the route alone decides
        }
    }

    private static boolean isIpv6(InetAddress address) {
        return address instanceof Inet6Address;
    }

    /** Without a scope: its number means something on this host only. */
    static String text(InetAddress address) {
        if (address instanceof Inet4Address) {
            return address.getHostAddress();
        }
        try {
            String text = InetAddress.getByAddress(address.getAddress()).getHostAddress();
            return address.isLoopbackAddress() ? "::1" : text;
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of neither 4 nor 16 bytes", e);
        }
    }
}
