package io.nexar.transport.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.nexar.ConfigurationException;
import io.nexar.PortRange;

import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.Function;

/**
 * Binds sockets within the range that the user's firewall lets through. A port is found by binding
 * it, never by asking first, so that no other process can slip in between.
 */
public final class FreePorts {
    private final InetAddress address;
    private final PortRange range;

    public FreePorts(InetAddress address, PortRange range) {
        this.address = address;
        this.range = range;
    }

    /** Binds one more socket by {@code bind}, at the first port of the range that is free. */
    public Channel bind(Function<InetSocketAddress, ChannelFuture> bind) {
        for (int port = range.first(); port <= range.last(); port++) {
            InetSocketAddress local = new InetSocketAddress(address, port);
            ChannelFuture bound = bind.apply(local).awaitUninterruptibly();
            if (bound.isSuccess()) {
                return bound.channel();
            }
            if (range.isEphemeral() || !isPortTaken(bound.cause())) {
                throw ConfigurationException.conflict(
                        "nexar.interface",
                        SocketAddresses.format(local),
                        "can't be bound: " + bound.cause().getMessage());
            }
        }
        throw ConfigurationException.conflict(
                "nexar.ports",
                range.first() + "-" + range.last(),
                "range exhausted "
                        + range.first()
                        + "-"
                        + range.last()
                        + ": every port is taken on "
                        + address.getHostAddress()
                        + "; each process needs three");
    }

    private static boolean isPortTaken(Throwable failure) {
        return failure instanceof BindException
                || String.valueOf(failure.getMessage()).contains("Address already in use");
    }
}
