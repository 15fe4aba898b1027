package io.nexar.cli.chaos;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** Stands where others dial a TCP port of a member or of the seed. The relay's thread's. */
final class TcpFront implements Ready {

    private final Relay relay;
    private final Relay.Dialled dialled;
    private final ServerSocketChannel channel;
    private final InetSocketAddress target;

    TcpFront(
            Relay relay,
            Relay.Dialled dialled,
            ServerSocketChannel channel,
            InetSocketAddress target) {
        this.relay = relay;
        this.dialled = dialled;
        this.channel = channel;
        this.target = target;
    }

    @Override
    public void onReady(SelectionKey key) {
        try {
            SocketChannel accepted = channel.accept();
            if (accepted != null) {
                relay.tally().count(Tally.Item.CONNECTIONS);
                TcpConnection.open(relay, dialled, accepted, target);
            }
        } catch (IOException e) {
            relay.tally().count(Tally.Item.UNDELIVERABLE); // who connected has gone again
        }
    }
}
