package io.nexar.transport.net;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Candidates of a {@link io.nexar.transport.PeerAddress} for sockets: {@code 10.0.0.7:4711} or
 * {@code [::1]:4711}. Only literal addresses: a name would be looked up by each peer on its own.
 */
public final class SocketAddresses {
    private static final Pattern FORM =
            Pattern.compile("(?:\\[([0-9a-fA-F:.%\\w]+)]|([0-9.]+)):([0-9]{1,5})");
    private static final int PORT_MAX = 65_535;

    private SocketAddresses() {}

    /**
     * @throws IllegalArgumentException if it is no address, with the text and the rule
     */
    public static InetSocketAddress parse(String candidate) {
        Matcher matcher = FORM.matcher(candidate);
        if (matcher.matches()) {
            String host = matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
            int port = Integer.parseInt(matcher.group(3));
            if (port >= 1 && port <= PORT_MAX) {
                try {
                    return new InetSocketAddress(InetAddress.ofLiteral(host), port);
                } catch (IllegalArgumentException e) {
                    throw badAddress(candidate, e);
                }
            }
        }
        throw badAddress(candidate, null);
    }

    public static String format(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** Whether a socket bound to the one can send to the other. */
    public static boolean isSameFamily(InetAddress one, InetAddress other) {
        return one instanceof Inet4Address == other instanceof Inet4Address;
    }

    public static String family(InetAddress address) {
        return address instanceof Inet4Address ? "IPv4" : "IPv6";
    }

    private static IllegalArgumentException badAddress(
            String candidate, @org.jspecify.annotations.Nullable Throwable cause) {
        return new IllegalArgumentException(
                "'" + candidate + "' is no address such as 10.0.0.7:4711 or [::1]:4711", cause);
    }
}
