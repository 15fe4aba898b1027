package io.nexar.fabric;

import io.nexar.MemberId;
import io.nexar.NexarException;
import io.nexar.ProtocolException;
import io.nexar.observe.LinkReport;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.wire.CommunicatorPath;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * One rank's view of its peers: their links, the channels of its communicators, and the pass that
 * moves everything on. It knows no algorithm, and no transport beyond {@link Link}. Guarded by the
 * rank's progress lock.
 */
public final class Fabric implements Progress.Work {
    /** Frames taken from one link before the next has its turn: about a full lane of pieces. */
    private static final int FRAMES_PER_POLL = 64;

    private final MemberId self;
    private final FabricSettings settings;
    private final LongSupplier nanoClock;
    private final PeerWitness witness;
    private final Deadlines deadlines = new Deadlines();
    private final Sampling sampling = new Sampling();
    private final Map<MemberId, Peer> peers = new HashMap<>();
    private final List<Peer> linked = new ArrayList<>();
    private final ArrayDeque<Peer> unflushed = new ArrayDeque<>();
    private final ChannelTable channels = new ChannelTable(this);
    private final FrameHeader header = new FrameHeader();
    private final Completion parted = new Completion();
    private final Notices notices = new Notices();
    private final JobEnd jobEnd = new JobEnd(notices);
    private BiConsumer<MemberId, String> endListener = (member, reason) -> {};
    private boolean parting;

    public Fabric(
            MemberId self, FabricSettings settings, LongSupplier nanoClock, PeerWitness witness) {
        this.witness = witness;
        this.self = self;
        this.settings = settings;
        this.nanoClock = nanoClock;
    }

    /** Takes over an authenticated link. A second one to the same peer is refused by closing it. */
    public void addLink(Link link) {
        Peer peer = peer(link.peer());
        if (peer.link() != null || peer.isGone()) {
            link.close("there is a link to " + self + " already, or there was one");
            return;
        }
        peer.link(link);
        linked.add(peer);
    }

    /**
     * Opens the message space of a communicator; frames that came for it before are delivered when
     * its engine is attached.
     *
     * @param members in rank order, this member among them
     * @param pieceCredit how many pieces of collectives each may have unconsumed here; all members
     *     must say the same
     */
    public Channel open(CommunicatorPath path, List<MemberId> members, int pieceCredit) {
        List<Peer> memberPeers = members.stream().map(this::peer).toList();
        Channel.Members known =
                new Channel.Members(memberPeers, members.indexOf(self), pieceCredit);
        return channels.open(path, known);
    }

    /** Says that a member is gone, known from elsewhere: its tether, the launcher. */
    public void memberLost(MemberId member, String reason, @Nullable Throwable cause) {
        Peer peer = peer(member);
        Link link = peer.link();
        if (link != null) {
            if (cause instanceof NexarException) {
                pollAll(peer, link); // It may have said why its collectives failed.
            }
            link.close(reason);
        }
        onGone(peer, reason, cause);
    }

    /**
     * Says that a member has closed in good order, known from elsewhere. It hears our goodbye no
     * more, so that is not waited for. What it sent before may still come.
     */
    public void memberLeft(MemberId member) {
        Peer peer = peers.get(member);
        if (peer != null) {
            peer.acknowledged();
        }
    }

    /** Says who is told when another member ends the job: the member, and its reason. */
    public void onJobEnd(BiConsumer<MemberId, String> listener) {
        endListener = listener;
    }

    /**
     * Ends the job on all linked ranks. The completion is done when each has heard it, or is gone.
     */
    public Completion endJob(String reason) {
        return jobEnd.tell(linked, reason);
    }

    /**
     * Takes nothing from that member any more, nor gives it anything, and lets it know.
     *
     * @param tellOthers whether the others hear it from here
     */
    public void giveUp(MemberId member, String reason, boolean tellOthers) {
        Peer peer = peers.get(member);
        if (peer == null || peer.hasLeft()) {
            return;
        }
        Link link = peer.link();
        if (link != null) {
            link.giveUp(reason);
        }
        onGone(peer, reason, null);
        if (tellOthers) {
            notices.tell(linked, FrameKind.LOST, member.id(), reason);
        }
    }

    /** Closes every link, and leaves what is known of the peers as it is. */
    public void closeLinks(String reason) {
        for (Peer peer : linked) {
            Link link = peer.link();
            if (link != null) {
                link.close(reason);
            }
        }
    }

    /**
     * Begins to part: goodbye goes out on every lane behind what was sent before. The completion is
     * done when every peer has acknowledged it, has left, or is gone. Before it goes word of the
     * lost.
     */
    public Completion sayGoodbye() {
        if (!parting) {
            parting = true;
            tellOfTheLost(peers.values(), linked);
        }
        return parted;
    }

    /** The members whose acknowledgement of our goodbye is still waited for. */
    public List<MemberId> unparted() {
        return linked.stream().filter(peer -> !peer.isParted()).map(Peer::id).toList();
    }

    public Deadlines deadlines() {
        return deadlines;
    }

    @Override
    public long nextDeadlineNanos() {
        return Math.min(deadlines.nextNanos(), sampling.nextNanos());
    }

    @Override
    public int poll() {
        int work = pollLinks() + channels.advance();
        flush();
        return work;
    }

    @Override
    public int doWork() {
        long nowNanos = nanoClock.getAsLong();
        int work = pollLinks() + channels.connectUnmade();
        work += sampling.run(channels.active(), nowNanos) + channels.advance();
        work += notices.advance() + channels.sayFarewells() + part();
        flush();
        return work + deadlines.expire(nowNanos);
    }

    /** Whether this rank says goodbye. */
    public boolean isParting() {
        return parting;
    }

    /**
     * One peer, for people.
     *
     * @param rank its rank in the world
     * @param heardNanosAgo since its last heartbeat, as the caller knows
     */
    public LinkReport report(MemberId member, int rank, long heardNanosAgo) {
        Peer peer = peer(member);
        Link link = peer.link();
        return new LinkReport(
                rank,
                link == null ? "" : link.transport(),
                link == null || peer.isGone() ? 0 : link.queuedBytes(),
                heardNanosAgo,
                peer.isGone() ? peer.goneBecause() : "");
    }

    /** Pushes out what the links have taken. */
    public void flush() {
        while (!unflushed.isEmpty()) {
            unflushed.remove().flush();
        }
    }

    /** Closes every link at once. */
    public void close(String reason) {
        closeLinks(reason);
        List.copyOf(channels.active()).forEach(Channel::close);
    }

    /** How many channels are known, here and by peers' numbers: for a look at what is left. */
    int known() {
        return channels.size() + peers.values().stream().mapToInt(Peer::channels).sum();
    }

    FabricSettings settings() {
        return settings;
    }

    long nowNanos() {
        return nanoClock.getAsLong();
    }

    void introduce(Channel channel) {
        channels.introduce(channel);
    }

    void retire(Channel channel) {
        List<Peer> members = channel.ports().stream().map(PeerPort::peer).toList();
        tellOfTheLost(members, members);
        channels.retire(channel);
        deadlines.purge();
    }

    /** Whether something is to be said to that peer before we leave it or a channel of it. */
    boolean owesWord(Peer peer) {
        return notices.isOwedTo(peer);
    }

    /**
     * This rank may leave because of them, and the others' calls must not end with its leaving
     * instead.
     */
    private void tellOfTheLost(Collection<Peer> known, Collection<Peer> toTell) {
        for (Peer peer : known) {
            if (peer.isGone() && !peer.hasLeft()) {
                notices.tell(toTell, FrameKind.LOST, peer.id().id(), peer.goneBecause());
            }
        }
    }

    /** A link has taken something. */
    void flushLater(Peer peer) {
        unflushed.add(peer);
    }

    ChannelTable channels() {
        return channels;
    }

    private Peer peer(MemberId member) {
        return peers.computeIfAbsent(member, id -> new Peer(id, this));
    }

    private int pollLinks() {
        int work = 0;
        for (int i = linked.size() - 1; i >= 0; i--) {
            Peer peer = linked.get(i);
            Link link = peer.link();
            if (link == null) {
                continue;
            }
            int here = poll(peer, link);
            work += here;
            if (here == 0 && link.isClosed()) {
                linked.remove(i);
                String verdict = link.givenUpBecause();
                if (verdict != null) {
                    witness.onGivenUp(verdict);
                }
                onGone(peer, link.closeCause(), null);
                work++;
            }
        }
        return work;
    }

    /** All that is here, within bounds: a link may hand out less in one poll. */
    private void pollAll(Peer peer, Link link) {
        int left = FRAMES_PER_POLL;
        while (left > 0 && poll(peer, link) > 0) {
            left--;
        }
    }

    private int poll(Peer peer, Link link) {
        try {
            return link.poll(peer, FRAMES_PER_POLL);
        } catch (NexarException misbehaviour) {
            onGone(peer, misbehaviour.getMessage(), misbehaviour);
            return 0;
        }
    }

    /** Takes one frame from a peer. */
    void onFrame(Peer peer, Lane lane, FrameHeader frame, MemorySegment payload) {
        switch (frame.kind()) {
            case OPEN -> channels.handleOpen(peer, frame, payload);
            case CLOSE -> channels.handleClose(peer, lane, frame);
            case GOODBYE -> {
                if (peer.heardGoodbye(lane)) {
                    onGone(peer, "it closed in good order", null);
                }
            }
            case GOODBYE_ACK -> peer.acknowledged();
            case LOST -> onLost(peer, frame.sequence(), Notices.text(peer.id(), payload));
            case END -> {
                String reason = Notices.text(peer.id(), payload);
                if (jobEnd.handle(peer, frame.sequence())) {
                    endListener.accept(peer.id(), reason);
                }
            }
            default -> peer.binding(frame).onFrame(frame, payload);
        }
    }

    /** Not told on: whoever found it out tells everybody itself. */
    private void onLost(Peer from, long lost, String reason) {
        if (lost == self.id()) {
            witness.onGivenUp(reason);
        } else if (lost < 0 || !peers.containsKey(new MemberId(lost))) {
            throw new ProtocolException(
                    from.id().toString(), "gave up " + lost + ", whom nobody knows");
        } else {
            giveUp(new MemberId(lost), reason, false);
        }
    }

    /** Cuts off a peer that breaks the protocol. */
    void misbehaved(Peer peer, String problem) {
        Link link = peer.link();
        if (link != null) {
            link.close(problem);
        }
        onGone(peer, problem, null);
    }

    private void onGone(Peer peer, @Nullable String reason, @Nullable Throwable cause) {
        if (!peer.isGone()) {
            peer.gone(reason == null ? "no reason known" : reason, cause, nanoClock.getAsLong());
            channels.onPeerGone(peer);
            jobEnd.onGone(peer);
            witness.onGone(peer.id(), peer.hasLeft(), peer.goneBecause());
        }
    }

    private int part() {
        int frames = 0;
        boolean all = parting;
        for (int i = 0; i < linked.size(); i++) {
            Peer peer = linked.get(i);
            if (parting || peer.isAckOwed()) {
                boolean mayGo = parting && !owesWord(peer) && !channels.owesFarewell(peer);
                frames += peer.part(mayGo, header);
            }
            all &= peer.isParted();
        }
        if (all) {
            parted.succeed();
        }
        return frames;
    }
}
