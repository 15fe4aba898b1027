package io.nexar.fabric;

import io.nexar.ProtocolException;
import io.nexar.transport.Lane;
import io.nexar.wire.CommunicatorPath;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The channels of one rank through their lives: not made here yet, open, closed.
 *
 * <p>Ranks make and close a communicator each at its own time. What comes before it is made here
 * waits in its peer's {@link Binding}. When it closes here, each peer is told on every lane that
 * carried something, behind it; and of the channel there remains only who has not closed it yet, so
 * that what those still send is dropped. Once all have, nothing remains. Guarded by the progress
 * lock.
 */
final class ChannelTable {
    /**
     * Communicators of one peer that are not made here. One for each thread that makes one would
     * do, since making one is collective; beyond this the oldest that the peer has closed again
     * goes.
     */
    private static final int UNMADE_MAX = 1024;

    private final Fabric fabric;
    private final Map<CommunicatorPath, Channel> open = new HashMap<>();
    private final Map<CommunicatorPath, Set<Peer>> closed = new HashMap<>();
    private final List<Channel> active = new ArrayList<>();

    /** Those with something to do in the next pass. */
    private final ArrayDeque<Channel> busy = new ArrayDeque<>();

    private final List<Binding> unmade = new ArrayList<>();
    private final List<PeerPort> farewells = new ArrayList<>();
    private int nextNumber;

    ChannelTable(Fabric fabric) {
        this.fabric = fabric;
    }

    Channel open(CommunicatorPath path, Channel.Members members) {
        if (open.containsKey(path) || closed.containsKey(path)) {
            throw new IllegalStateException("communicator " + path + " was opened before");
        }
        Channel channel = new Channel(fabric, path, nextNumber, members);
        nextNumber = Math.incrementExact(nextNumber);
        open.put(path, channel);
        active.add(channel);
        return channel;
    }

    /** Delivers what has waited for a channel, and tells it which members are gone already. */
    void introduce(Channel channel) {
        unmade.removeIf(binding -> binding.path().equals(channel.path()) && connect(binding));
        channel.ports().stream()
                .map(PeerPort::peer)
                .filter(Peer::isGone)
                .forEach(channel::onPeerGone);
    }

    /** Channels that are open here. A copy is needed to close some on the way. */
    List<Channel> active() {
        return active;
    }

    /** This channel has something to do in the next pass; said once a pass. */
    void busy(Channel channel) {
        busy.add(channel);
    }

    /** Moves on those that have something to do. Returns how much there was. */
    int advance() {
        int work = 0;
        for (int left = busy.size(); left > 0; left--) {
            work += busy.remove().advance();
        }
        return work;
    }

    /** How many channels are known here in any state, for a look at what is left. */
    int size() {
        return open.size() + closed.size() + unmade.size() + farewells.size();
    }

    /** A peer says what it means by a channel number. */
    void handleOpen(Peer peer, FrameHeader frame, MemorySegment payload) {
        CommunicatorPath path = CommunicatorPath.decode(payload);
        Binding added = peer.bind(frame.channel(), path, fabric.settings());
        if (added != null && !connect(added)) {
            makeRoom(peer);
            unmade.add(added);
        }
    }

    /** A peer has closed a channel, as far as this lane goes. */
    void handleClose(Peer peer, Lane lane, FrameHeader frame) {
        Binding binding = peer.binding(frame);
        if (!binding.heardClose(lane, frame.flags())) {
            return;
        }
        peer.unbind(frame.channel());
        PeerPort port = binding.port();
        if (port != null) {
            port.channel().onPeerClosed(port);
        } else {
            forget(binding.path(), peer);
        }
    }

    /** Connects what could not be before. Returns how many bindings there were. */
    int connectUnmade() {
        if (unmade.isEmpty()) {
            return 0;
        }
        int before = unmade.size();
        unmade.removeIf(this::connect);
        return before - unmade.size();
    }

    /** Takes a channel out that closes here; its peers are told by later passes. */
    void retire(Channel channel) {
        open.remove(channel.path());
        active.remove(channel);
        Set<Peer> awaited = new HashSet<>();
        for (PeerPort port : channel.ports()) {
            Binding binding = port.binding();
            if (binding != null) {
                binding.drop();
            }
            if (port.peer().isReachable()) {
                farewells.add(port);
                if (!port.isClosedByPeer()) {
                    awaited.add(port.peer());
                }
            }
        }
        if (!awaited.isEmpty()) {
            closed.put(channel.path(), awaited);
        }
    }

    /** Tells peers of closed channels, as far as the links take it. Returns how many were told. */
    int sayFarewells() {
        if (farewells.isEmpty()) {
            return 0;
        }
        int before = farewells.size();
        farewells.removeIf(port -> !port.peer().isReachable() || isToldClosed(port));
        return before - farewells.size();
    }

    private boolean isToldClosed(PeerPort port) {
        return !fabric.owesWord(port.peer()) && port.sayClosed();
    }

    /** Whether this peer has yet to be told of a closed channel. */
    boolean owesFarewell(Peer peer) {
        for (PeerPort port : farewells) {
            if (port.peer() == peer) {
                return true;
            }
        }
        return false;
    }

    /** Nobody needs to wait for what a peer that is gone might send. */
    void onPeerGone(Peer peer) {
        for (Channel channel : List.copyOf(active)) {
            channel.onPeerGone(peer);
        }
        for (CommunicatorPath path : List.copyOf(closed.keySet())) {
            forget(path, peer);
        }
    }

    /** Connects a peer's binding to the channel it means, if that is or was open here. */
    private boolean connect(Binding binding) {
        Peer peer = binding.peer();
        Channel channel = open.get(binding.path());
        if (channel == null) {
            return isOver(binding);
        }
        PeerPort port = channel.portOf(peer);
        if (port == null) {
            fabric.misbehaved(peer, "opened " + binding.path() + ", which it is no member of");
            return true;
        }
        try {
            binding.connect(port);
        } catch (ProtocolException problem) {
            fabric.misbehaved(peer, String.valueOf(problem.getMessage()));
        }
        return true;
    }

    private boolean isOver(Binding binding) {
        if (!closed.containsKey(binding.path())) {
            return false;
        }
        binding.drop();
        if (binding.isClosed()) {
            forget(binding.path(), binding.peer());
        }
        return true;
    }

    private void forget(CommunicatorPath path, Peer peer) {
        Set<Peer> awaited = closed.get(path);
        if (awaited != null && awaited.remove(peer) && awaited.isEmpty()) {
            closed.remove(path);
        }
    }

    private void makeRoom(Peer peer) {
        int count = 0;
        Binding oldestClosed = null;
        for (Binding binding : unmade) {
            if (binding.peer() == peer) {
                count++;
                oldestClosed = oldestClosed == null && binding.isClosed() ? binding : oldestClosed;
            }
        }
        if (count >= UNMADE_MAX && !remove(oldestClosed)) {
            throw new ProtocolException(
                    peer.id().toString(),
                    "opened %d communicators that are not made here".formatted(count));
        }
    }

    private boolean remove(@Nullable Binding binding) {
        return binding != null && unmade.remove(binding);
    }
}
