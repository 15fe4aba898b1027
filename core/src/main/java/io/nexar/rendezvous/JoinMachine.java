package io.nexar.rendezvous;

import io.nexar.MemberId;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.net.ControlFailure;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A worker's side of a meeting: events and time in, effects out; no clock and no socket.
 *
 * <p>DIALLING: nobody there, or a connection that breaks before an answer, is tried again after a
 * growing pause with jitter, until the formation deadline; silence ends it after the dial timeout,
 * a wrong pin at once. GREETING: Hello is out. OPENING: welcome; the endpoints are being opened.
 * WAITING: for the roster. LINKING: the peers are being dialled. LINKED: for Go. RUNNING: the
 * connection is a tether, whose loss is told and changes nothing else. From the welcome on the
 * seed's clock rules; this side only adds a grace for a seed that has fallen silent.
 *
 * <p>Confined to one thread at a time.
 */
public final class JoinMachine {

    /**
     * How long a silent seed may be late with its own deadline: a long pause, or a slow network.
     */
    static final long GRACE_NANOS = 5_000_000_000L;

    /** First pause between dials: a seed that is just starting is met soon. */
    private static final long PAUSE_NANOS_MIN = 50_000_000L;

    /** Longest pause: a seed that starts late is met within a second or so. */
    private static final long PAUSE_NANOS_MAX = 1_000_000_000L;

    private enum Phase {
        DIALLING,
        GREETING,
        OPENING,
        WAITING,
        LINKING,
        LINKED,
        RUNNING,
        LEAVING,
        OVER
    }

    private final JoinMessage.Hello hello;
    private final long dialNanos;
    private final RandomGenerator random;
    private final long startNanos;
    private final List<Roster.Entry> entries = new ArrayList<>();
    private final Deque<JoinEffect> effects = new ArrayDeque<>();
    private Phase phase = Phase.DIALLING;
    private long deadlineNanos;
    private boolean isDialling;
    private long nextDialNanos;
    private int failedDials;
    private String lastFailure = "not tried yet";
    private long memberId = -1;
    private int worldSize;
    private int rank = -1;

    /**
     * @param random makes the pauses between dials differ from worker to worker
     */
    public JoinMachine(
            JoinMessage.Hello hello, JoinTimeouts timeouts, RandomGenerator random, long nowNanos) {
        this.hello = hello;
        this.dialNanos = timeouts.dialNanos();
        this.random = random;
        this.startNanos = nowNanos;
        this.deadlineNanos = nowNanos + timeouts.formationNanos();
        this.nextDialNanos = nowNanos;
        handleTick(nowNanos);
    }

    /** The next thing to do, or null; take them all after each event. */
    public @Nullable JoinEffect pollEffect() {
        return effects.poll();
    }

    /** The secured connection to the seed stands. */
    public void handleConnected() {
        if (phase == Phase.DIALLING) {
            isDialling = false;
            phase = Phase.GREETING;
            send(hello);
        }
    }

    /** The dial failed. */
    public void handleConnectFailed(ControlFailure.Kind failure, String reason, long nowNanos) {
        if (phase != Phase.DIALLING) {
            return;
        }
        isDialling = false;
        lastFailure = reason;
        boolean mayRetry =
                switch (failure) {
                    case REFUSED -> true;
                    case UNREACHABLE -> nowNanos - startNanos < dialNanos;
                    case SILENT, UNTRUSTED -> false;
                };
        if (!mayRetry) {
            fail(reason, List.of());
            return;
        }
        scheduleDial(nowNanos);
        handleTick(nowNanos);
    }

    /** A message has come. */
    public void handleMessage(JoinMessage message, long nowNanos) {
        if (phase == Phase.OVER || phase == Phase.LEAVING) {
            if (message instanceof JoinMessage.Goodbye) {
                endQuietly("goodbye");
            }
            return;
        }
        switch (message) {
            case JoinMessage.Refused refused when phase == Phase.GREETING ->
                    end("refused by the seed: " + refused.reason(), List.of());
            case JoinMessage.Failed failed when phase != Phase.RUNNING ->
                    end(failed.reason(), failed.missingRanks());
            case JoinMessage.Abort abort when phase != Phase.RUNNING ->
                    end("the job was ended: " + abort.reason(), List.of());
            case JoinMessage.Welcome welcome when phase == Phase.GREETING ->
                    handleWelcome(welcome, nowNanos);
            case JoinMessage.RosterPart part when phase == Phase.WAITING -> handleRosterPart(part);
            case JoinMessage.Go _ when phase == Phase.LINKED -> {
                phase = Phase.RUNNING;
                effects.add(new JoinEffect.Formed(new Roster(0, entries), rank));
            }
            case JoinMessage.Departed gone when phase == Phase.RUNNING ->
                    tell(
                            new TetherEvent.Departed(
                                    new MemberId(gone.memberId()),
                                    gone.rank(),
                                    gone.orderly(),
                                    gone.reason()));
            case JoinMessage.Ping _ when phase == Phase.RUNNING -> send(new JoinMessage.Pong());
            case JoinMessage.Answers heard when phase == Phase.RUNNING ->
                    tell(new TetherEvent.Answers(new MemberId(heard.memberId())));
            case JoinMessage.Expelled expelled when phase == Phase.RUNNING -> {
                phase = Phase.OVER;
                tell(new TetherEvent.Expelled(expelled.reason()));
                effects.add(new JoinEffect.Disconnect(expelled.reason()));
            }
            case JoinMessage.Observation.Ask asked when phase == Phase.RUNNING ->
                    tell(new TetherEvent.Asked(asked.query(), asked.bytesMax()));
            case JoinMessage.Abort abort ->
                    tell(new TetherEvent.Aborted(abort.rank(), abort.reason()));
            default ->
                    handleUndecodable(
                            message.getClass().getSimpleName() + " is not expected while " + phase);
        }
    }

    /** The seed sent what is no message of this version, or what has no place here. */
    public void handleUndecodable(String reason) {
        if (phase == Phase.LEAVING || phase == Phase.OVER) {
            endQuietly(reason);
        } else if (phase == Phase.RUNNING) {
            loseSeed(reason);
            effects.add(new JoinEffect.Disconnect(reason));
        } else {
            end("the seed broke the protocol: " + reason, List.of());
        }
    }

    /** The connection is gone. */
    public void handleClosed(String reason, long nowNanos) {
        switch (phase) {
            case OVER, DIALLING -> {}
            case LEAVING -> phase = Phase.OVER;
            case GREETING -> {
                phase = Phase.DIALLING;
                lastFailure = "the seed closed the connection without an answer (" + reason + ")";
                scheduleDial(nowNanos);
                handleTick(nowNanos);
            }
            case RUNNING -> loseSeed(reason);
            case OPENING, WAITING, LINKING, LINKED ->
                    fail("the seed was lost while the job formed: " + reason, List.of());
        }
    }

    /** The endpoints are open. */
    public void handleOpened(String process, List<PeerAddress> addresses) {
        if (phase == Phase.OPENING) {
            phase = Phase.WAITING;
            send(new JoinMessage.Ready(process, addresses));
        }
    }

    /** The endpoints can't be opened, or this worker gives up for a reason of its own. */
    public void handleGivenUp(String reason) {
        if (isTimeless()) {
            return;
        }
        if (phase != Phase.DIALLING && phase != Phase.GREETING) {
            send(new JoinMessage.Goodbye(reason));
        }
        end(reason, List.of());
    }

    /** Every peer is linked. */
    public void handleLinked() {
        if (phase == Phase.LINKING) {
            phase = Phase.LINKED;
            send(new JoinMessage.Linked());
        }
    }

    /** A peer can't be reached. The seed now tells everybody, this worker too. */
    public void handleLinkFailed(int peerRank, String reason) {
        if (phase == Phase.LINKING) {
            phase = Phase.LINKED;
            send(new JoinMessage.LinkFailed(peerRank, reason));
        }
    }

    /** Leaves the running job; a Disconnect follows once the seed has heard it. */
    public void leave(String reason) {
        if (phase == Phase.RUNNING) {
            phase = Phase.LEAVING;
            send(new JoinMessage.Goodbye(reason));
        }
    }

    /** Ends the running job on all other ranks. */
    public void abort(String reason) {
        if (phase == Phase.RUNNING) {
            send(new JoinMessage.Abort(rank, reason));
        }
    }

    /** Asks the seed whether that member still answers it. */
    public void ask(MemberId about) {
        if (phase == Phase.RUNNING) {
            send(new JoinMessage.Ask(about.id()));
        }
    }

    /** Tells the seed that this member has given another up. */
    public void lost(MemberId member, String reason) {
        if (phase == Phase.RUNNING) {
            send(new JoinMessage.Lost(member.id(), reason));
        }
    }

    /** Answers what the seed has asked for somebody who looks at the job. */
    public void report(long query, byte[] report) {
        if (phase == Phase.RUNNING) {
            send(new JoinMessage.Observation.Report(query, report));
        }
    }

    /** Time has passed. */
    public void handleTick(long nowNanos) {
        if (isTimeless()) {
            return;
        }
        if (nowNanos - deadlineNanos >= 0) {
            end("the deadline for forming the job is over: " + describeWait(), List.of());
        } else if (phase == Phase.DIALLING && !isDialling && nowNanos - nextDialNanos >= 0) {
            isDialling = true;
            effects.add(new JoinEffect.Connect());
        }
    }

    /** How long until the next {@link #handleTick} can matter; negative if it is late. */
    public long nanosToNextDeadline(long nowNanos) {
        if (isTimeless()) {
            return Long.MAX_VALUE;
        }
        long left = deadlineNanos - nowNanos;
        return phase == Phase.DIALLING && !isDialling
                ? Math.min(left, nextDialNanos - nowNanos)
                : left;
    }

    private void handleWelcome(JoinMessage.Welcome welcome, long nowNanos) {
        phase = Phase.OPENING;
        memberId = welcome.memberId();
        worldSize = welcome.worldSize();
        long left = Math.min(welcome.formationNanosLeft(), Long.MAX_VALUE / 4);
        deadlineNanos = nowNanos + left + GRACE_NANOS;
        effects.add(new JoinEffect.OpenEndpoints(welcome));
    }

    private void handleRosterPart(JoinMessage.RosterPart part) {
        if (part.firstRank() != entries.size()
                || part.members().isEmpty()
                || part.members().size() > worldSize - entries.size()) {
            handleUndecodable(
                    "a part of the roster from rank "
                            + part.firstRank()
                            + " with "
                            + part.members().size()
                            + " members, after "
                            + entries.size()
                            + " of "
                            + worldSize);
            return;
        }
        entries.addAll(part.members());
        if (entries.size() == worldSize) {
            Roster roster = new Roster(part.epoch(), entries);
            rank = roster.rankOf(new MemberId(memberId));
            if (rank < 0) {
                handleUndecodable("a roster without this worker");
                return;
            }
            phase = Phase.LINKING;
            effects.add(new JoinEffect.LinkPeers(roster, rank));
        }
    }

    private void scheduleDial(long nowNanos) {
        long pause = Math.min(PAUSE_NANOS_MAX, PAUSE_NANOS_MIN << Math.min(failedDials, 10));
        failedDials++;
        nextDialNanos = nowNanos + pause / 2 + random.nextLong(pause);
    }

    private String describeWait() {
        return switch (phase) {
            case DIALLING -> "the seed can't be reached: " + lastFailure;
            case GREETING -> "the seed does not answer";
            case OPENING -> "the endpoints of this process did not open in time";
            case WAITING, LINKING, LINKED -> "the seed has fallen silent";
            case RUNNING, LEAVING, OVER -> phase.toString();
        };
    }

    /** After the formation nothing here has a deadline of its own. */
    private boolean isTimeless() {
        return phase == Phase.RUNNING || phase == Phase.LEAVING || phase == Phase.OVER;
    }

    private void endQuietly(String reason) {
        phase = Phase.OVER;
        effects.add(new JoinEffect.Disconnect(reason));
    }

    private void loseSeed(String reason) {
        phase = Phase.OVER;
        tell(new TetherEvent.SeedLost(reason));
    }

    private void end(String reason, List<Integer> missingRanks) {
        effects.add(new JoinEffect.Disconnect(reason));
        fail(reason, missingRanks);
    }

    private void fail(String reason, List<Integer> missingRanks) {
        phase = Phase.OVER;
        effects.add(new JoinEffect.Failed(reason, missingRanks));
    }

    private void send(JoinMessage message) {
        effects.add(new JoinEffect.Send(message));
    }

    private void tell(TetherEvent event) {
        effects.add(new JoinEffect.Tell(event));
    }
}
