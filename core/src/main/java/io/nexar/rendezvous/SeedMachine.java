package io.nexar.rendezvous;

import io.nexar.MemberId;
import io.nexar.ProtocolException;
import io.nexar.rendezvous.Joiner.Stage;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The seed's side of a meeting: events and time in, effects out; no clock and no socket.
 *
 * <p>GATHERING: each connection says Hello and is admitted (a member id that is never used again, a
 * certificate) or refused with the reason; a member that goes away now frees its place. Once every
 * place is taken by a member that is ready, ranks are given out and everybody gets the roster.
 * LINKING: every member proves a link to each peer. From here on one that is lost, or does not
 * reach another, fails the formation with its name: a roster can't be taken back. When all are
 * linked: Go. RUNNING: a connection that closes without a goodbye is a death, told to all others.
 * One deadline spans GATHERING and LINKING; whoever is missing then is named to everybody.
 *
 * <p>A connection that has not said Hello costs one entry, is closed after a while, and can change
 * nothing. Confined to one thread at a time.
 */
public final class SeedMachine {

    private final SeedRules rules;
    private final CertificateSigner signer;
    private final long deadlineNanos;
    private final Map<Long, Joiner> joiners = new LinkedHashMap<>();
    private final Deque<SeedEffect> effects = new ArrayDeque<>();
    private final Map<Integer, String> lastSeen = new LinkedHashMap<>();
    private @Nullable Map<String, String> settings;
    private SeedPhase phase = SeedPhase.GATHERING;
    private String failure = "";
    private long nextMemberId;
    private int strangers;

    public SeedMachine(SeedRules rules, CertificateSigner signer, long nowNanos) {
        this.rules = rules;
        this.signer = signer;
        this.settings = rules.settings();
        this.deadlineNanos = nowNanos + rules.formationNanos();
    }

    public SeedPhase phase() {
        return phase;
    }

    /** How many members there are now. */
    public int memberCount() {
        return joiners.size() - strangers;
    }

    /** The next thing to do, or null; take them all after each event. */
    public @Nullable SeedEffect pollEffect() {
        return effects.poll();
    }

    /** Somebody has connected and has not said anything. */
    public void handleConnected(long connection, String remote, long nowNanos) {
        if (strangers >= rules.strangersMax()) {
            refuseSilently(
                    connection, remote, strangers + " connections have not said who they are");
            return;
        }
        strangers++;
        joiners.put(connection, new Joiner(connection, remote, nowNanos + rules.helloNanos()));
    }

    /** A message has come. */
    public void handleMessage(long connection, JoinMessage message, long nowNanos) {
        Joiner joiner = joiners.get(connection);
        if (joiner == null) {
            return; // closed by us a moment ago
        }
        switch (message) {
            case JoinMessage.Hello hello when !joiner.isMember() ->
                    handleHello(joiner, hello, nowNanos);
            case JoinMessage.Ready ready when joiner.stage == Stage.ADMITTED ->
                    handleReady(joiner, ready);
            case JoinMessage.Linked _
                    when joiner.stage == Stage.READY && phase == SeedPhase.LINKING ->
                    handleLinked(joiner);
            case JoinMessage.LinkFailed failed
                    when joiner.stage == Stage.READY && phase == SeedPhase.LINKING ->
                    handleLinkFailed(joiner, failed);
            case JoinMessage.Goodbye goodbye when joiner.isMember() ->
                    handleGoodbye(joiner, goodbye.reason());
            case JoinMessage.Abort abort when joiner.isMember() -> handleAbort(joiner, abort);
            default -> handleUnexpected(joiner, message);
        }
    }

    /** Bytes came that are no message of this version. */
    public void handleUndecodable(long connection, String reason) {
        Joiner joiner = joiners.get(connection);
        if (joiner == null) {
            return;
        }
        if (joiner.isMember()) {
            close(connection, reason);
            depart(joiner, false, reason);
        } else {
            refuse(joiner, reason);
        }
    }

    /** A connection is gone. */
    public void handleClosed(long connection, String reason) {
        Joiner joiner = joiners.get(connection);
        if (joiner == null) {
            return;
        }
        if (joiner.isMember()) {
            depart(joiner, false, reason);
        } else {
            forget(joiner);
            tell(
                    new SeedEvent.Refused(
                            joiner.remote, "closed before it said who it is: " + reason));
        }
    }

    /** Time has passed. */
    public void handleTick(long nowNanos) {
        for (Joiner joiner : List.copyOf(joiners.values())) {
            if (!joiner.isMember() && nowNanos - joiner.helloDeadlineNanos >= 0) {
                // Without a word, for that would be final: a seed that is late itself closes the
                // connections of honest workers here too, and they dial again.
                forget(joiner);
                refuseSilently(joiner.connection, joiner.remote, "did not say who it is in time");
            }
        }
        if (isForming() && nowNanos - deadlineNanos >= 0) {
            failAtDeadline();
        }
    }

    /** How long until the next {@link #handleTick} can matter; negative if it is late. */
    public long nanosToNextDeadline(long nowNanos) {
        long left = isForming() ? deadlineNanos - nowNanos : Long.MAX_VALUE;
        if (strangers > 0) {
            for (Joiner joiner : joiners.values()) {
                if (!joiner.isMember()) {
                    left = Math.min(left, joiner.helloDeadlineNanos - nowNanos);
                }
            }
        }
        return left;
    }

    /** The owner knows that a rank's process is over: a parent sees its child's exit. */
    public void handleExit(int rank, String reason) {
        if (isForming()) {
            fail("rank " + rank + " is gone: " + reason, List.of(rank));
            return;
        }
        for (Joiner joiner : List.copyOf(joiners.values())) {
            if (joiner.isMember() && joiner.rank == rank) {
                close(joiner.connection, reason);
                depart(joiner, false, reason);
            }
        }
    }

    /** The owner ends the job. */
    public void abort(String reason) {
        if (isForming()) {
            fail(reason, List.of());
        } else if (phase == SeedPhase.RUNNING) {
            abortAll(JoinMessage.ANY, reason);
        }
    }

    private void handleHello(Joiner joiner, JoinMessage.Hello hello, long nowNanos) {
        String refusal = AdmissionCheck.refusal(hello, rules, settings, members());
        if (refusal == null && phase != SeedPhase.GATHERING) {
            refusal = phase == SeedPhase.FAILED ? failure : "the job has formed without it";
        }
        if (refusal != null) {
            refuse(joiner, refusal);
            return;
        }
        byte[] certificate;
        try {
            certificate = signer.sign(hello.signingRequest(), nextMemberId);
        } catch (ProtocolException e) {
            refuse(joiner, e.problem());
            return;
        }
        admit(joiner, hello);
        send(
                joiner,
                new JoinMessage.Welcome(
                        joiner.memberId,
                        rules.worldSize(),
                        Math.max(0, deadlineNanos - nowNanos),
                        certificate,
                        signer.authority()));
        tell(new SeedEvent.Admitted(joiner.memberId, joiner.claim, joiner.host, joiner.pid));
    }

    private void admit(Joiner joiner, JoinMessage.Hello hello) {
        strangers--;
        joiner.stage = Stage.ADMITTED;
        joiner.memberId = nextMemberId++;
        joiner.claim = hello.rank();
        joiner.host = hello.host();
        joiner.pid = hello.pid();
        lastSeen.remove(joiner.claim);
        if (settings == null) {
            settings = hello.settings();
        }
    }

    private void handleReady(Joiner joiner, JoinMessage.Ready ready) {
        joiner.stage = Stage.READY;
        joiner.addresses = ready.addresses();
        List<Joiner> members = members();
        if (members.size() == rules.worldSize() && members.stream().allMatch(Joiner::isReady)) {
            phase = SeedPhase.LINKING;
            giveOutRanks(members);
        }
    }

    private void giveOutRanks(List<Joiner> members) {
        List<Optional<Joiner>> byRank = RankAssignment.assign(members, rules.worldSize());
        for (int rank = 0; rank < byRank.size(); rank++) {
            byRank.get(rank).orElseThrow().rank = rank;
        }
        List<Roster.Entry> entries = roster().members();
        for (int first = 0; first < entries.size(); first += JoinBounds.ROSTER_PART_MEMBERS) {
            int end = Math.min(entries.size(), first + JoinBounds.ROSTER_PART_MEMBERS);
            sendAll(new JoinMessage.RosterPart(0, first, entries.subList(first, end)));
        }
    }

    private Roster roster() {
        Roster.Entry[] entries = new Roster.Entry[rules.worldSize()];
        for (Joiner member : members()) {
            entries[member.rank] =
                    new Roster.Entry(new MemberId(member.memberId), member.host, member.addresses);
        }
        return new Roster(0, List.of(entries));
    }

    private void handleLinked(Joiner joiner) {
        joiner.stage = Stage.LINKED;
        if (members().stream().allMatch(member -> member.stage == Stage.LINKED)) {
            phase = SeedPhase.RUNNING;
            sendAll(new JoinMessage.Go());
            tell(new SeedEvent.Formed(roster()));
        }
    }

    private void handleLinkFailed(Joiner joiner, JoinMessage.LinkFailed failed) {
        String peer = failed.rank() == JoinMessage.ANY ? "its peers" : "rank " + failed.rank();
        fail(joiner.describe() + " does not reach " + peer + ": " + failed.reason(), List.of());
    }

    /** Answered, so that the worker need not close before its goodbye is heard. */
    private void handleGoodbye(Joiner joiner, String reason) {
        send(joiner, new JoinMessage.Goodbye("heard"));
        close(joiner.connection, "goodbye");
        depart(joiner, true, reason);
    }

    private void handleAbort(Joiner joiner, JoinMessage.Abort abort) {
        if (isForming()) {
            fail(joiner.describe() + " ended the job: " + abort.reason(), List.of());
        } else {
            abortAll(joiner.rank, abort.reason());
        }
    }

    private void abortAll(int rank, String reason) {
        for (Joiner member : members()) {
            if (rank == JoinMessage.ANY || member.rank != rank) {
                send(member, new JoinMessage.Abort(rank, reason));
            }
        }
        tell(new SeedEvent.Aborted(rank, reason));
    }

    private void handleUnexpected(Joiner joiner, JoinMessage message) {
        handleUndecodable(
                joiner.connection,
                message.getClass().getSimpleName()
                        + " from "
                        + joiner.describe()
                        + " is not expected while "
                        + joiner.stage
                        + " and "
                        + phase);
    }

    private void depart(Joiner member, boolean orderly, String reason) {
        forget(member);
        switch (phase) {
            case GATHERING -> {
                lastSeen.put(member.claim, member.describe() + ": " + reason);
                tell(new SeedEvent.Withdrawn(member.describe(), reason));
                if (memberCount() == 0) {
                    settings = rules.settings();
                }
            }
            case LINKING ->
                    fail(
                            member.describe() + " was lost while the ranks linked: " + reason,
                            List.of(member.rank));
            case RUNNING -> announce(member, orderly, reason);
            case ENDED, FAILED -> {}
        }
    }

    private void announce(Joiner member, boolean orderly, String reason) {
        sendAll(new JoinMessage.Departed(member.memberId, member.rank, orderly, reason));
        tell(new SeedEvent.Departed(member.memberId, member.rank, orderly, reason));
        if (memberCount() == 0) {
            phase = SeedPhase.ENDED;
            tell(new SeedEvent.Ended());
        }
    }

    private void failAtDeadline() {
        Shortfall shortfall = new Shortfall(rules, members(), lastSeen);
        if (phase == SeedPhase.LINKING) {
            fail(shortfall.unlinked(), List.of());
        } else {
            fail(shortfall.missing(), shortfall.missingRanks());
        }
    }

    private void fail(String reason, List<Integer> missingRanks) {
        phase = SeedPhase.FAILED;
        failure = reason;
        for (Joiner joiner : List.copyOf(joiners.values())) {
            if (joiner.isMember()) {
                send(joiner, new JoinMessage.Failed(reason, missingRanks));
                close(joiner.connection, reason);
                forget(joiner);
            } else {
                refuse(joiner, "the job did not form"); // the rest is not for strangers
            }
        }
        tell(new SeedEvent.FormationFailed(reason, missingRanks));
    }

    private boolean isForming() {
        return phase == SeedPhase.GATHERING || phase == SeedPhase.LINKING;
    }

    private List<Joiner> members() {
        return joiners.values().stream().filter(Joiner::isMember).toList();
    }

    private void refuse(Joiner stranger, String reason) {
        send(stranger, new JoinMessage.Refused(reason));
        forget(stranger);
        refuseSilently(stranger.connection, stranger.remote, reason);
    }

    private void refuseSilently(long connection, String remote, String reason) {
        close(connection, reason);
        tell(new SeedEvent.Refused(remote, reason));
    }

    private void forget(Joiner joiner) {
        joiners.remove(joiner.connection);
        if (!joiner.isMember()) {
            strangers--;
        }
    }

    private void sendAll(JoinMessage message) {
        List<Long> connections = members().stream().map(member -> member.connection).toList();
        effects.add(new SeedEffect.SendAll(connections, message));
    }

    private void send(Joiner joiner, JoinMessage message) {
        effects.add(new SeedEffect.Send(joiner.connection, message));
    }

    private void close(long connection, String reason) {
        effects.add(new SeedEffect.Close(connection, reason));
    }

    private void tell(SeedEvent event) {
        effects.add(new SeedEffect.Tell(event));
    }
}
