package io.nexar.cli.chaos;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.function.Supplier;

/**
 * A connection in two halves, from who dialled to the relay and from there to the target, with a
 * flow in each direction. A half that fails resets the other; an end is passed on behind what came
 * before it. The relay's thread's.
 */
final class TcpConnection implements Ready {

    private final Relay relay;
    private final Relay.Dialled dialled;
    private final SocketChannel dialler;
    private final SocketChannel target;
    private final SelectionKey diallerKey;
    private final SelectionKey targetKey;
    private final TcpFlow inward;
    private final TcpFlow outward;
    private boolean isClosed;

    private TcpConnection(
            Relay relay, Relay.Dialled dialled, SocketChannel dialler, SocketChannel target)
            throws IOException {
        this.relay = relay;
        this.dialled = dialled;
        this.dialler = dialler;
        this.target = target;
        Supplier<Conditions> conditions = () -> relay.conditions(dialled.place());
        this.inward = new TcpFlow(dialler, target, () -> conditions.get().inward());
        this.outward = new TcpFlow(target, dialler, () -> conditions.get().outward());
        this.diallerKey = dialler.register(relay.selector(), 0, this);
        this.targetKey = target.register(relay.selector(), SelectionKey.OP_CONNECT, this);
    }

    static void open(
            Relay relay, Relay.Dialled dialled, SocketChannel dialler, InetSocketAddress address)
            throws IOException {
        SocketChannel target = SocketChannel.open();
        for (SocketChannel each : new SocketChannel[] {dialler, target}) {
            each.configureBlocking(false);
            each.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        TcpConnection connection = new TcpConnection(relay, dialled, dialler, target);
        relay.add(connection);
        try {
            target.connect(address);
        } catch (IOException e) {
            connection.reset();
        }
    }

    @Override
    public void onReady(SelectionKey key) {
        try {
            if (key.isConnectable()) {
                target.finishConnect();
            }
            if (key.isReadable()) {
                TcpFlow flow = key.equals(diallerKey) ? inward : outward;
                int bytes = flow.read(relay.scratch(), relay.nanos());
                relay.tally().add(Tally.Item.CONNECTION_BYTES, bytes);
            }
            pump(relay.nanos());
        } catch (IOException e) {
            reset();
        }
    }

    Relay.Dialled dialled() {
        return dialled;
    }

    /** Passes on what is due, and returns how long nothing will be; Long.MAX_VALUE for ever. */
    long pumpOrReset(long nowNanos) {
        try {
            return pump(nowNanos);
        } catch (IOException e) {
            reset();
            return Long.MAX_VALUE;
        }
    }

    private long pump(long nowNanos) throws IOException {
        if (isClosed || !target.isConnected()) {
            return Long.MAX_VALUE;
        }
        long next = Math.min(inward.write(nowNanos), outward.write(nowNanos));
        if (inward.isOver() && outward.isOver()) {
            close();
            return Long.MAX_VALUE;
        }
        diallerKey.interestOps(interest(inward, outward));
        targetKey.interestOps(interest(outward, inward));
        return next;
    }

    private static int interest(TcpFlow reading, TcpFlow writing) {
        return (reading.wantsMore() ? SelectionKey.OP_READ : 0)
                | (writing.isBlocked() ? SelectionKey.OP_WRITE : 0);
    }

    /** Ends both halves with a reset, as a firewall does that has forgotten the connection. */
    void reset() {
        resetOnClose(dialler);
        resetOnClose(target);
        close();
    }

    private static void resetOnClose(SocketChannel channel) {
        try {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            return; // closed already
        }
    }

    void close() {
        isClosed = true;
        relay.remove(this);
        Relay.closeQuietly(dialler);
        Relay.closeQuietly(target);
    }
}
