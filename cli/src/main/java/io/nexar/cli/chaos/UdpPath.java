package io.nexar.cli.chaos;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;

/** Between one sender and one member, both directions. The relay's thread's. */
final class UdpPath implements Ready {

    /** Datagrams taken in a row, before others have their turn. */
    private static final int BATCH = 64;

    private final Relay relay;
    private final UdpFront front;
    private final SocketAddress source;
    private final DatagramChannel channel;
    private final FaultStream inward;
    private final FaultStream outward;

    private UdpPath(Relay relay, UdpFront front, SocketAddress source, DatagramChannel channel) {
        this.relay = relay;
        this.front = front;
        this.source = source;
        this.channel = channel;
        this.inward = relay.newStream();
        this.outward = relay.newStream();
    }

    static UdpPath open(Relay relay, UdpFront front, SocketAddress source) {
        try {
            DatagramChannel channel =
                    Relay.openUdp(new InetSocketAddress(front.target().getAddress(), 0));
            channel.connect(front.target());
            UdpPath path = new UdpPath(relay, front, source, channel);
            channel.register(relay.selector(), SelectionKey.OP_READ, path);
            return path;
        } catch (IOException e) {
            throw new UncheckedIOException("a path to " + front.target() + " can't be opened", e);
        }
    }

    void inward(ByteBuffer datagram) {
        pass(datagram, front.conditions().inward(), inward, this::sendInward);
    }

    @Override
    public void onReady(SelectionKey key) {
        ByteBuffer buffer = relay.scratch();
        for (int i = 0; i < BATCH; i++) {
            buffer.clear();
            try {
                if (channel.receive(buffer) == null) {
                    return;
                }
            } catch (IOException e) {
                relay.tally().count(Tally.Item.UNDELIVERABLE); // the member's socket is closed
                continue;
            }
            pass(buffer.flip(), front.conditions().outward(), outward, this::sendOutward);
        }
    }

    private void pass(ByteBuffer datagram, Faults faults, FaultStream stream, Underway.Exit exit) {
        Tally tally = relay.tally();
        tally.count(Tally.Item.DATAGRAMS);
        long now = relay.nanos();
        Fate fate = stream.decide(faults, datagram.remaining(), now);
        if (!fate.isPassed()) {
            tally.count(item(fate.outcome()));
            return;
        }
        if (fate.isDoubled()) {
            tally.count(Tally.Item.DOUBLED);
            add(fate.againAtNanos(), datagram, exit);
        }
        if (fate.atNanos() - now <= 0) {
            exit.send(datagram);
        } else {
            tally.count(Tally.Item.DELAYED);
            add(fate.atNanos(), datagram, exit);
        }
    }

    private void add(long atNanos, ByteBuffer datagram, Underway.Exit exit) {
        if (!relay.underway().tryAdd(atNanos, datagram, exit)) {
            relay.tally().count(Tally.Item.TOO_MANY);
        }
    }

    private static Tally.Item item(Fate.Outcome outcome) {
        return switch (outcome) {
            case LOST -> Tally.Item.LOST;
            case CUT -> Tally.Item.CUT;
            case TOO_LARGE -> Tally.Item.TOO_LARGE;
            case TOO_MANY -> Tally.Item.TOO_MANY;
            case PASSED -> throw new IllegalArgumentException("a passed datagram is not dropped");
        };
    }

    private void sendInward(ByteBuffer datagram) {
        try {
            if (channel.write(datagram) == 0) {
                relay.tally().count(Tally.Item.UNDELIVERABLE);
            }
        } catch (IOException e) {
            relay.tally().count(Tally.Item.UNDELIVERABLE);
        }
    }

    private void sendOutward(ByteBuffer datagram) {
        try {
            front.answer(datagram, source);
        } catch (IOException e) {
            relay.tally().count(Tally.Item.UNDELIVERABLE);
        }
    }
}
