package io.nexar.cli.chaos;

import io.nexar.MemberId;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.util.HashMap;
import java.util.Map;

/**
 * Stands where others dial a member's UDP socket. Whoever sends here gets a path of its own, so
 * that answers find back. The relay's thread's.
 */
final class UdpFront implements Ready {

    /** More senders than ranks on one host; the next is a stranger, and is not answered. */
    private static final int PATHS_MAX = 8192;

    /** Datagrams taken in a row, before others have their turn. */
    private static final int BATCH = 64;

    private final Relay relay;
    private final MemberId member;
    private final DatagramChannel channel;
    private final InetSocketAddress target;
    private final Map<SocketAddress, UdpPath> paths = new HashMap<>();

    UdpFront(Relay relay, MemberId member, DatagramChannel channel, InetSocketAddress target) {
        this.relay = relay;
        this.member = member;
        this.channel = channel;
        this.target = target;
    }

    @Override
    public void onReady(SelectionKey key) {
        ByteBuffer buffer = relay.scratch();
        for (int i = 0; i < BATCH; i++) {
            buffer.clear();
            SocketAddress source;
            try {
                source = channel.receive(buffer);
            } catch (IOException e) {
                relay.tally().count(Tally.Item.UNDELIVERABLE); // of an earlier answer
                continue;
            }
            if (source == null) {
                return;
            }
            UdpPath path = path(source);
            if (path != null) {
                path.inward(buffer.flip());
            }
        }
    }

    private @org.jspecify.annotations.Nullable UdpPath path(SocketAddress source) {
        UdpPath known = paths.get(source);
        if (known != null || paths.size() >= PATHS_MAX) {
            return known;
        }
        UdpPath path = UdpPath.open(relay, this, source);
        paths.put(source, path);
        return path;
    }

    Conditions conditions() {
        return relay.conditions(member);
    }

    InetSocketAddress target() {
        return target;
    }

    /** An answer to one of those who sent here. */
    void answer(ByteBuffer datagram, SocketAddress to) throws IOException {
        if (channel.send(datagram, to) == 0) {
            relay.tally().count(Tally.Item.UNDELIVERABLE);
        }
    }
}
