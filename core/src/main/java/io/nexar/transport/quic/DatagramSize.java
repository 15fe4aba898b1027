package io.nexar.transport.quic;

import io.nexar.NexarConfig;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;

/**
 * The largest datagrams that an endpoint tries. QUIC begins with 1,200 bytes and sends larger ones
 * only once the path has let a probe of that size through (RFC 8899), so this is but the bound of
 * the search: what the interface takes without cutting.
 */
final class DatagramSize {
    /** Passes every path that carries QUIC (RFC 9000, section 14). */
    static final int SAFE_BYTES = 1200;

    /**
     * On loopback and on jumbo frames of more. QUIC (quiche) puts one piece of a stream into each
     * datagram, whose length field ends at 16,383: more would stay empty.
     */
    static final int USEFUL_BYTES_MAX = 16_000;

    private static final String OPTION = "nexar.quic.maxDatagramBytes";

    private static final int UDP_BYTES = 8;
    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;

    private DatagramSize() {}

    static int of(NexarConfig config, InetAddress bind) {
        return config.isSet(OPTION) ? config.integer(OPTION) : fitting(mtu(bind), bind);
    }

    /** What fits into one packet of that MTU, from that address. */
    static int fitting(int mtu, InetAddress bind) {
        int headers = UDP_BYTES + (bind instanceof Inet4Address ? IPV4_BYTES : IPV6_BYTES);
        return Math.clamp(mtu - headers, SAFE_BYTES, USEFUL_BYTES_MAX);
    }

    /** Of the address's interface; 0 if it can't be told. */
    private static int mtu(InetAddress bind) {
        try {
            NetworkInterface found = NetworkInterface.getByInetAddress(bind);
            return found == null ? 0 : found.getMTU();
        } catch (SocketException e) {
            return 0; // the address is not there any more; binding says so
        }
    }
}
