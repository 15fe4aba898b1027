package io.nexar.fabric;

import io.nexar.ClosedException;
import io.nexar.PeerLeftException;
import io.nexar.Scope;
import io.nexar.transport.Link;
import io.nexar.transport.SendListener;
import io.nexar.transport.SendResult;
import io.nexar.wire.AbortReason;
import io.nexar.wire.CallNote;
import io.nexar.wire.CommunicatorPath;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * One communicator's message space on this rank: matching, credit, and the lane of its collectives.
 * No frame of one channel is ever seen by another. Guarded by the rank's progress lock.
 */
public final class Channel implements PieceLane {
    private final Fabric fabric;
    private final CommunicatorPath path;
    private final MemorySegment encodedPath;
    private final int number;
    private final int rank;
    private final int pieceCredit;
    private final @Nullable PeerPort[] ports;
    private final Mailbox messages;
    private final Aborts aborts = new Aborts(this);
    private final SendListener pieceListener = this::onPieceSent;
    private @Nullable PieceHandler pieceHandler;
    private IntSupplier engine = () -> 0;
    private @Nullable Waiting waiting;
    private boolean closed;
    private boolean isBusy;

    /** Ports with something to send in the next pass. */
    private final ArrayDeque<PeerPort> busyPorts = new ArrayDeque<>();

    private long pieceBytesSent;

    /**
     * Who is on a channel.
     *
     * @param peers in rank order, this member among them
     * @param pieceCredit how many pieces each may have unconsumed at another
     */
    record Members(List<Peer> peers, int rank, int pieceCredit) {}

    Channel(Fabric fabric, CommunicatorPath path, int number, Members members) {
        this.fabric = fabric;
        this.path = path;
        this.encodedPath = path.encode();
        this.number = number;
        this.rank = members.rank();
        this.pieceCredit = members.pieceCredit();
        this.ports = new PeerPort[members.peers().size()];
        this.messages = new Mailbox(this, fabric, rank);
        for (int i = 0; i < ports.length; i++) {
            ports[i] =
                    i == rank
                            ? null
                            : new PeerPort(
                                    this,
                                    i,
                                    members.peers().get(i),
                                    fabric.settings(),
                                    messages.matcher());
        }
    }

    public CommunicatorPath path() {
        return path;
    }

    /**
     * Connects the engine that runs this channel's collectives, which hears at once of what came
     * before and of members that are gone already.
     *
     * @param onAbort told why another rank's collective failed, which fails ours
     */
    public void attach(
            PieceHandler handler, IntSupplier advance, Consumer<RuntimeException> onAbort) {
        pieceHandler = handler;
        engine = advance;
        aborts.onAbort(onAbort);
        busy();
        fabric.introduce(this);
    }

    /** Says who wants to look, now and then, how long things wait here. */
    public void watch(Waiting watcher) {
        waiting = watcher;
    }

    public Mailbox messages() {
        return messages;
    }

    /**
     * Tells every other rank that a collective has failed here, and why: those that the failure did
     * not reach would wait for this rank.
     */
    public void abort(RuntimeException reason) {
        aborts.tell(reason);
    }

    /** Tells the others that this rank will not take part, in words; then closes. */
    public void refuse(String reason) {
        AbortReason told = AbortReason.saying(reason);
        ports().forEach(port -> port.notices().add(told));
        close();
    }

    /** How many pieces a peer may have unconsumed here. */
    int pieceCredit() {
        return pieceCredit;
    }

    Aborts aborts() {
        return aborts;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return ports.length;
    }

    /** Whoever asks has something to send: if it is held up, it asks again in the next pass. */
    @Override
    public int credit(int peer) {
        int credit = port(peer).pieceCredit();
        if (credit <= 1) {
            busy();
        }
        return credit;
    }

    @Override
    public SendResult trySend(int peer, FrameHeader header, MemorySegment payload, long token) {
        SendResult result = port(peer).trySendPiece(header, payload, pieceListener, token);
        if (result == SendResult.REFUSED) {
            busy();
        } else {
            pieceBytesSent += FrameHeader.BYTES + payload.byteSize();
        }
        return result;
    }

    /** What the links have taken of this channel's collectives so far: frames with headers. */
    public long pieceBytesSent() {
        return pieceBytesSent;
    }

    @Override
    public boolean finishReading(int peer) {
        Link link = port(peer).peer().link();
        return link == null || link.finishReading();
    }

    @Override
    public void release(int peer, int pieces) {
        port(peer).releasePieces(pieces);
    }

    @Override
    public void tell(int peer, CallNote note) {
        PeerPort port = port(peer);
        if (!port.peer().isGone()) {
            port.notices().add(note);
        }
    }

    /** The failure that a call needing this rank ends with; null if the rank is there. */
    public @Nullable RuntimeException failureOf(int peer) {
        PeerPort port = ports[peer];
        return port != null && port.isGone() ? failure(port) : null;
    }

    /** Whether no message is on its way; a receive that has matched nothing does not count. */
    public boolean isIdle() {
        return busyPeers().isEmpty();
    }

    /** The ranks that messages are on their way to, or from. */
    public List<Integer> busyPeers() {
        return ports().stream().filter(port -> !port.isIdle()).map(PeerPort::rank).toList();
    }

    public ChannelReport report() {
        return ChannelReport.of(fabric.nowNanos(), messages, ports());
    }

    /** Ends the messages and receives that wait here with this failure. */
    public void fail(RuntimeException failure) {
        messages.failAll(failure);
        for (PeerPort port : ports) {
            if (port != null) {
                port.failAll(failure);
            }
        }
    }

    /**
     * Ends what waits here, and takes nothing more in. The other members are told, behind all that
     * was sent before.
     */
    public void close() {
        if (!closed) {
            closed = true;
            fail(closedFailure());
            fabric.retire(this);
        }
    }

    int number() {
        return number;
    }

    /** To the other ranks. */
    List<PeerPort> ports() {
        List<PeerPort> others = new ArrayList<>(ports.length);
        for (PeerPort port : ports) {
            if (port != null) {
                others.add(port);
            }
        }
        return others;
    }

    MemorySegment encodedPath() {
        return encodedPath;
    }

    /** Who looks how long things wait here; null if nobody does. */
    @Nullable Waiting waiting() {
        return waiting;
    }

    PieceHandler pieceHandler() {
        PieceHandler handler = pieceHandler;
        if (handler == null) {
            throw new IllegalStateException("channel " + path + " has no engine yet");
        }
        return handler;
    }

    boolean isClosed() {
        return closed;
    }

    /** The port to this rank; null if it is this rank itself. */
    @Nullable PeerPort portTo(int peer) {
        return ports[peer];
    }

    /** The port to this peer; null if it is no member. */
    @Nullable PeerPort portOf(Peer peer) {
        for (PeerPort port : ports) {
            if (port != null && port.peer() == peer) {
                return port;
            }
        }
        return null;
    }

    /** There is something to do here in the next pass. */
    void busy() {
        if (!isBusy && !closed) {
            isBusy = true;
            fabric.channels().busy(this);
        }
    }

    /**
     * A frame has come: is it one that the engine may have waited for? Of a piece it says that
     * itself, and of a message it need not hear.
     */
    void heard(FrameKind kind) {
        switch (kind) {
            case CREDIT, ABORT, CALL -> busy();
            default -> {}
        }
    }

    void takePiece(int peer, FrameHeader header, MemorySegment payload) {
        if (pieceHandler().onPiece(peer, header, payload)) {
            busy();
        }
    }

    /** This port has something to send in the next pass; said once a pass. */
    void busy(PeerPort port) {
        busyPorts.add(port);
        busy();
    }

    int advance() {
        isBusy = false;
        if (closed) {
            return 0;
        }
        int work = engine.getAsInt();
        for (int left = busyPorts.size(); left > 0; left--) {
            work += busyPorts.remove().takeTurn();
        }
        return work;
    }

    /** Ends every call that needs this peer, which is gone. */
    void onPeerGone(Peer peer) {
        PeerPort port = portOf(peer);
        if (port != null && !port.isClosedByPeer()) {
            endCalls(port, peer.hasLeft());
        }
    }

    /** Ends every call that needs this peer, which has closed the channel. */
    void onPeerClosed(PeerPort port) {
        port.closedByPeer();
        endCalls(port, true);
    }

    private void endCalls(PeerPort port, boolean isOrderly) {
        if (closed) {
            return;
        }
        RuntimeException failure = failure(port);
        int source = port.rank();
        port.failAll(failure);
        messages.handleGone(source, () -> !isOrderly || noPeerLeft(), failure);
        if (pieceHandler != null) {
            pieceHandler.onPeerLost(source, failure);
        }
    }

    private void onPieceSent(long token) {
        pieceHandler().onSent(token);
        busy();
    }

    private PeerPort port(int peer) {
        PeerPort port = ports[peer];
        if (port == null) {
            throw new IllegalArgumentException("rank " + peer + " is this rank itself");
        }
        return port;
    }

    /** Why no message from there can come any more; null if one can. */
    @Nullable RuntimeException whyNobodyCanSend(int source) {
        if (source != MessageWait.ANY) {
            return failureOf(source);
        }
        PeerPort last = null;
        for (PeerPort port : ports) {
            if (port != null && !port.isGone()) {
                return null;
            }
            last = port == null ? last : port;
        }
        return last == null ? null : failure(last);
    }

    private boolean noPeerLeft() {
        return whyNobodyCanSend(MessageWait.ANY) != null;
    }

    RuntimeException failure(PeerPort port) {
        if (port.isClosedByPeer()) {
            return new PeerLeftException(null, port.rank(), "it closed the communicator");
        }
        return port.peer().failure(port.rank(), fabric.nowNanos());
    }

    ClosedException closedFailure() {
        return new ClosedException(
                null, "the communicator", "closed by this rank", Scope.COMMUNICATOR);
    }
}
