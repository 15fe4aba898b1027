package io.nexar.transport.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.nexar.ConfigurationException;
import io.nexar.PortRange;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
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
        return first(local -> {
            ChannelFuture bound = bind.apply(local).awaitUninterruptibly();
            if (!bound.isSuccess()) {
                throw new IOException(bound.cause().getMessage(), bound.cause());
            }
            return bound.channel();
        });
    }

    /** Listens for TCP, without blocking, at the first port of the range that is free. */
    public ServerSocketChannel listen(int backlog) {
        return first(local -> {
            ServerSocketChannel socket = ServerSocketChannel.open();
            try {
                socket.configureBlocking(false);
                return socket.bind(local, backlog);
            } catch (IOException e) {
                socket.close();
                throw e;
            }
        });
    }

    private interface Attempt<T> {
        T at(InetSocketAddress local) throws IOException;
    }

    private <T> T first(Attempt<T> attempt) {
        for (int port = range.first(); port <= range.last(); port++) {
            InetSocketAddress local = new InetSocketAddress(address, port);
            try {
                return attempt.at(local);
            } catch (IOException e) {
                if (range.isEphemeral() || !isPortTaken(e)) {
                    throw ConfigurationException.conflict(
                            "nexar.interface",
                            SocketAddresses.format(local),
                            "can't be bound: " + e.getMessage());
                }
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
                        + "; each process needs two for UDP and two for TCP");
    }

    private static boolean isPortTaken(Throwable failure) {
        return failure instanceof BindException
                || failure.getCause() instanceof BindException
                || String.valueOf(failure.getMessage()).contains("Address already in use");
    }
}
