package io.nexar.fabric;

import io.nexar.ProtocolException;
import io.nexar.transport.Lane;
import io.nexar.transport.SendListener;
import io.nexar.transport.SendResult;
import io.nexar.wire.CallNote;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * One channel's dealings with one peer: both directions' credit, messages on their way, grants
 * owed. Credit is spent here when a frame leaves, and given back by the peer once it has consumed
 * what the frame brought; what the peer owes us is counted too, so that one that sends more than it
 * was allowed is found out. Guarded by the progress lock.
 */
final class PeerPort implements MessageSource {
    static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    static final SendListener NOBODY = token -> {};

    private final Channel channel;
    private final int rank;
    private final Peer peer;
    private final FabricSettings settings;
    private final Matcher matcher;
    private final Outbox outbox;
    private final FrameHeader control = new FrameHeader();
    private final FrameHeader open = new FrameHeader();
    private final ArrayDeque<Grant> grants = new ArrayDeque<>();
    private final Inflow flowing = new Inflow();
    private int lanesOpened;
    private int lanesToClose;
    private int lanesClosed;
    private @Nullable Binding binding;
    private boolean isClosedByPeer;
    private boolean isBusy;
    private final PieceCredit pieces;
    private final MessageCredit messages;
    private final CallNotices notices = new CallNotices();
    private final Placement placement = new Placement();

    private record Grant(long number, int flags) {}

    PeerPort(Channel channel, int rank, Peer peer, FabricSettings settings, Matcher matcher) {
        this.channel = channel;
        this.rank = rank;
        this.peer = peer;
        this.settings = settings;
        this.matcher = matcher;
        this.outbox = new Outbox(this, settings);
        this.pieces = new PieceCredit(this, channel.pieceCredit());
        this.messages = new MessageCredit(settings);
    }

    @Override
    public int rank() {
        return rank;
    }

    Peer peer() {
        return peer;
    }

    Channel channel() {
        return channel;
    }

    /** What the peer calls this channel; null while it has not opened it. */
    @Nullable Binding binding() {
        return binding;
    }

    void binding(Binding peersBinding) {
        binding = peersBinding;
    }

    /** Whether the peer has closed this channel. */
    boolean isClosedByPeer() {
        return isClosedByPeer;
    }

    void closedByPeer() {
        isClosedByPeer = true;
    }

    /** Whether nothing more comes from the peer on this channel. */
    boolean isGone() {
        return isClosedByPeer || peer.isGone();
    }

    Outbox outbox() {
        return outbox;
    }

    int pieceCredit() {
        return pieces.left();
    }

    SendResult trySendPiece(
            FrameHeader header, MemorySegment payload, SendListener listener, long token) {
        if (pieces.left() == 0) {
            return SendResult.REFUSED;
        }
        int returned = pieces.owedToPiece();
        header.flags(returned);
        SendResult result = trySend(Lane.COLLECTIVE, header, payload, listener, token);
        if (result != SendResult.REFUSED) {
            pieces.spend();
            pieces.giveBack(returned);
        }
        return result;
    }

    /** Offers a frame of this channel, after the OPEN that its lane may still need. */
    SendResult trySend(
            Lane lane,
            FrameHeader header,
            MemorySegment payload,
            @Nullable SendListener listener,
            long token) {
        if (!isOpenOn(lane)) {
            return SendResult.REFUSED;
        }
        header.channel(channel.number());
        return peer.trySend(lane, header, payload, listener == null ? NOBODY : listener, token);
    }

    /** There is something to send in the next pass. */
    private void busy() {
        if (!isBusy) {
            isBusy = true;
            channel.busy(this);
        }
    }

    /** Sends what can be sent in this pass; what can't waits for the next one. */
    int takeTurn() {
        isBusy = false;
        return isGone() ? 0 : advance();
    }

    /** Sends a message now, if it can be; else it waits for its turn. */
    void send(SendOperation send) {
        outbox.add(send);
        if (outbox.isSending()) {
            busy();
        }
    }

    /** Sends the grants and credit that are owed, then messages. Returns the number of frames. */
    int advance() {
        int frames = sendGrants() + notices.send(this, control);
        if (isCreditDue()) {
            frames += sendCredit();
        }
        frames += outbox.advance();
        if (!grants.isEmpty() || !notices.isEmpty() || isCreditDue() || outbox.isSending()) {
            busy();
        }
        return frames;
    }

    private boolean isCreditDue() {
        return pieces.isDue() || messages.isDue();
    }

    /**
     * Says that this rank has closed the channel, on every lane that carried something of it and on
     * CONTROL, behind what was sent before. Returns whether all is said.
     */
    boolean sayClosed() {
        notices.send(this, control);
        if (!notices.isEmpty()) {
            return false;
        }
        if (lanesToClose == 0) {
            lanesToClose = lanesOpened | 1 << Lane.CONTROL.ordinal();
        }
        for (int i = 0; i < Lane.COUNT; i++) {
            if ((lanesToClose & ~lanesClosed & 1 << i) != 0) {
                control.reset(FrameKind.CLOSE).flags(lanesToClose);
                SendResult result = trySend(Lane.of(i), control, NOTHING, null, 0);
                lanesClosed |= result == SendResult.REFUSED ? 0 : 1 << i;
            }
        }
        return lanesClosed == lanesToClose;
    }

    /** What the peer is to be told of this rank's collectives: something is added now. */
    CallNotices notices() {
        busy();
        return notices;
    }

    void releasePieces(int count) {
        pieces.release(count);
        if (isCreditDue()) {
            busy();
        }
    }

    @Override
    public void returnMessageCredit(long bytes) {
        messages.owe(bytes);
        if (isCreditDue()) {
            busy();
        }
    }

    @Override
    public void grant(Arrival message, boolean fits) {
        if (fits) {
            flowing.add(message);
        }
        grants.add(new Grant(message.number, fits ? 0 : Outbox.DISCARD));
        busy();
    }

    /** Takes in a frame of this channel from this peer. */
    void onFrame(FrameHeader header, MemorySegment payload) {
        if (channel.isClosed()) {
            return;
        }
        channel.heard(header.kind());
        switch (header.kind()) {
            case PIECE -> onPiece(header, payload);
            case MESSAGE -> onMessage(header, payload);
            case ANNOUNCE -> onAnnounce(header);
            case GRANT -> {
                outbox.onGrant(header.sequence(), header.flags());
                busy();
            }
            case DATA -> onData(header, payload);
            case WITHDRAW -> onWithdraw(header.sequence());
            case CREDIT -> onCredit(header);
            case ABORT -> channel.aborts().hear(rank, header, payload);
            case CALL ->
                    channel.pieceHandler()
                            .onCall(rank, CallNote.decode(rank, channel.size(), header, payload));
            default -> throw violation("sent a " + header.kind() + " frame on a channel");
        }
    }

    /**
     * Where the payload of this frame is to go, if it is one that {@link #onFrame} would put there
     * as it is; else null. Nothing changes by being asked.
     */
    @Nullable MemorySegment destination(FrameHeader header) {
        if (channel.isClosed()) {
            return null;
        }
        return switch (header.kind()) {
            case PIECE ->
                    pieces.isGiven() ? channel.pieceHandler().destination(rank, header) : null;
            case DATA -> flowing.destination(header);
            case MESSAGE ->
                    messages.allows(header.payloadBytes()) && header.tag() >= 0
                            ? placement.of(header, rank, matcher.first(rank, header.tag()))
                            : null;
            default -> null;
        };
    }

    /** The message that flows into this receive; null if there is none. */
    @Nullable Arrival flowingTo(ReceiveOperation receive) {
        return flowing.into(receive);
    }

    boolean isIdle() {
        return outbox.isEmpty() && flowing.isEmpty();
    }

    void report(ChannelReport.Collector collector) {
        outbox.report(collector);
        flowing.report(collector);
    }

    void failAll(RuntimeException failure) {
        outbox.failAll(failure);
        flowing.failAll(failure);
        grants.clear();
        matcher.dropIncomplete(rank, failure);
    }

    ProtocolException violation(String problem) {
        return new ProtocolException("rank " + rank, problem);
    }

    private void onPiece(FrameHeader header, MemorySegment payload) {
        pieces.add(header.flags());
        pieces.charge();
        if (isCreditDue()) {
            busy();
        }
        channel.takePiece(rank, header, payload);
    }

    private void onMessage(FrameHeader header, MemorySegment payload) {
        placement.forget();
        chargeMessage(payload.byteSize());
        matcher.arrive(Arrival.whole(this, checkedTag(header), header.sequence(), payload));
    }

    private void onAnnounce(FrameHeader header) {
        if (header.extra() <= 0) {
            throw violation("announced a message of " + header.extra() + " bytes");
        }
        chargeMessage(0);
        matcher.arrive(
                Arrival.announced(this, checkedTag(header), header.sequence(), header.extra()));
    }

    private void onData(FrameHeader header, MemorySegment payload) {
        String fault = flowing.take(header, payload);
        if (fault != null) {
            throw violation(fault);
        }
    }

    private void onWithdraw(long number) {
        Arrival waiting = matcher.withdraw(rank, number);
        Arrival granted = flowing.remove(number);
        if (waiting != null) {
            waiting.withdrawn();
        }
        ReceiveOperation receive = granted == null ? null : granted.release();
        if (receive != null) {
            matcher.postAgain(receive);
        }
    }

    private void onCredit(FrameHeader header) {
        if (header.extra() < 0) {
            throw violation("returned credit for " + header.extra() + " bytes");
        }
        pieces.add(header.tag());
        outbox.addCredit(header.extra());
        if (outbox.isSending()) {
            busy();
        }
    }

    private void chargeMessage(long payloadBytes) {
        if (!messages.tryCharge(payloadBytes)) {
            long creditBytes = settings.messageCreditBytes();
            throw violation("sent messages beyond its credit of " + creditBytes + " bytes");
        }
    }

    private int checkedTag(FrameHeader header) {
        if (header.tag() < 0) {
            throw violation("sent a message with tag " + header.tag());
        }
        return header.tag();
    }

    private boolean isOpenOn(Lane lane) {
        int bit = 1 << lane.ordinal();
        if ((lanesOpened & bit) == 0) {
            MemorySegment path = channel.encodedPath();
            open.reset(FrameKind.OPEN).channel(channel.number()).payloadBytes(path.byteSize());
            if (peer.trySend(lane, open, path, NOBODY, 0) == SendResult.REFUSED) {
                return false;
            }
            lanesOpened |= bit;
        }
        return true;
    }

    private int sendGrants() {
        int frames = 0;
        for (Grant grant = grants.peek(); grant != null; grant = grants.peek()) {
            control.reset(FrameKind.GRANT).sequence(grant.number()).flags(grant.flags());
            if (trySend(Lane.CONTROL, control, NOTHING, null, 0) == SendResult.REFUSED) {
                break;
            }
            grants.remove();
            frames++;
        }
        return frames;
    }

    private int sendCredit() {
        control.reset(FrameKind.CREDIT).tag(pieces.owed()).extra(messages.bytesOwed());
        if (trySend(Lane.CONTROL, control, NOTHING, null, 0) == SendResult.REFUSED) {
            return 0;
        }
        pieces.giveBack(pieces.owed());
        messages.returned();
        return 1;
    }
}
