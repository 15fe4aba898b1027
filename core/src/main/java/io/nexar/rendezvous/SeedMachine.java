package io.nexar.rendezvous;

import io.nexar.MemberId;
import io.nexar.ProtocolException;
import io.nexar.rendezvous.Joiner.Stage;

import org.jspecify.annotations.Nullable;

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
    private final SeedRegister register = new SeedRegister();
    private final Observers observers;
    private final RunningJob running;
    private final Map<Integer, String> lastSeen = new LinkedHashMap<>();
    private @Nullable Map<String, String> settings;
    private SeedPhase phase = SeedPhase.GATHERING;
    private String failure = "";
    private long nextMemberId;

    public SeedMachine(SeedRules rules, CertificateSigner signer, long nowNanos) {
        this.rules = rules;
        this.signer = signer;
        this.settings = rules.settings();
        this.deadlineNanos = nowNanos + rules.formationNanos();
        this.observers = new Observers(rules, register, nowNanos);
        this.running = new RunningJob(register, observers);
    }

    public SeedPhase phase() {
        return phase;
    }

    /** How many members there are now. */
    public int memberCount() {
        return register.memberCount();
    }

    /** The next thing to do, or null; take them all after each event. */
    public @Nullable SeedEffect pollEffect() {
        return register.pollEffect();
    }

    /** Somebody has connected and has not said anything. */
    public void handleConnected(long connection, String remote, long nowNanos) {
        if (register.strangerCount() >= rules.strangersMax()) {
            refuseSilently(
                    connection,
                    remote,
                    register.strangerCount() + " connections have not said who they are");
            return;
        }
        register.addStranger(new Joiner(connection, remote, nowNanos + rules.helloNanos()));
    }

    /** A message has come. */
    public void handleMessage(long connection, JoinMessage message, long nowNanos) {
        register.handleTime(nowNanos);
        Joiner joiner = register.joiner(connection);
        if (joiner == null) {
            observers.handleMessage(connection, message, view(nowNanos));
            return; // an observer, or closed by us a moment ago
        }
        switch (message) {
            case JoinMessage.Observation.Observe observe when !joiner.isMember() ->
                    handleObserve(joiner, observe, nowNanos);
            case JoinMessage.Observation.Report report when joiner.isMember() ->
                    observers.handleReport(joiner, report);
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
            default -> {
                if (phase == SeedPhase.RUNNING && running.handleMessage(joiner, message)) {
                    endIfOver();
                } else {
                    handleUnexpected(joiner, message);
                }
            }
        }
    }

    /** Bytes came that are no message of this version. */
    public void handleUndecodable(long connection, String reason) {
        Joiner joiner = register.joiner(connection);
        if (joiner == null) {
            observers.handleUndecodable(connection, reason);
            return;
        }
        if (joiner.isMember()) {
            register.close(connection, reason);
            depart(joiner, false, reason);
        } else {
            refuse(joiner, reason);
        }
    }

    /** A connection is gone. */
    public void handleClosed(long connection, String reason) {
        Joiner joiner = register.joiner(connection);
        if (joiner == null) {
            observers.handleClosed(connection);
            return;
        }
        if (joiner.isMember()) {
            depart(joiner, false, reason);
        } else {
            register.forget(joiner);
            register.tell(
                    new SeedEvent.Refused(
                            joiner.remote, "closed before it said who it is: " + reason));
        }
    }

    /** Time has passed. */
    public void handleTick(long nowNanos) {
        register.handleTime(nowNanos);
        for (Joiner joiner : register.all()) {
            if (!joiner.isMember() && nowNanos - joiner.helloDeadlineNanos >= 0) {
                // Without a word, for that would be final: a seed that is late itself closes the
                // connections of honest workers here too, and they dial again.
                register.forget(joiner);
                refuseSilently(joiner.connection, joiner.remote, "did not say who it is in time");
            }
        }
        if (isForming() && nowNanos - deadlineNanos >= 0) {
            failAtDeadline();
        }
        observers.handleTick(view(nowNanos));
    }

    /** How long until the next {@link #handleTick} can matter; negative if it is late. */
    public long nanosToNextDeadline(long nowNanos) {
        long left = observers.nanosToNextDeadline(nowNanos);
        if (isForming()) {
            left = Math.min(left, deadlineNanos - nowNanos);
        }
        if (register.strangerCount() > 0) {
            for (Joiner joiner : register.view()) {
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
        running.handleExit(rank, reason);
        endIfOver();
    }

    /** The owner ends the job. */
    public void abort(String reason) {
        if (isForming()) {
            fail(reason, List.of());
        } else if (phase == SeedPhase.RUNNING) {
            running.abort(JoinMessage.ANY, reason);
        }
    }

    private void handleHello(Joiner joiner, JoinMessage.Hello hello, long nowNanos) {
        String refusal = AdmissionCheck.refusal(hello, rules, settings, register.members());
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
        register.send(
                joiner,
                new JoinMessage.Welcome(
                        joiner.memberId,
                        rules.worldSize(),
                        Math.max(0, deadlineNanos - nowNanos),
                        certificate,
                        signer.authority()));
        register.tell(
                new SeedEvent.Admitted(joiner.memberId, joiner.claim, joiner.host, joiner.pid));
    }

    private void handleObserve(
            Joiner joiner, JoinMessage.Observation.Observe observe, long nowNanos) {
        String refusal = observers.refusal(observe);
        if (refusal == null) {
            observers.admit(joiner, view(nowNanos));
        } else {
            refuse(joiner, refusal);
        }
    }

    private JobView view(long nowNanos) {
        long left = isForming() ? Math.max(0, deadlineNanos - nowNanos) : 0;
        return new JobView(phase, failure, left, nowNanos);
    }

    private void admit(Joiner joiner, JoinMessage.Hello hello) {
        register.admit();
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
        joiner.process = ready.process();
        List<Joiner> members = register.members();
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
            register.sendAll(new JoinMessage.RosterPart(0, first, entries.subList(first, end)));
        }
    }

    private Roster roster() {
        Roster.Entry[] entries = new Roster.Entry[rules.worldSize()];
        for (Joiner member : register.members()) {
            entries[member.rank] =
                    new Roster.Entry(
                            new MemberId(member.memberId),
                            member.host,
                            member.process,
                            member.addresses);
        }
        return new Roster(0, List.of(entries));
    }

    private void handleLinked(Joiner joiner) {
        joiner.stage = Stage.LINKED;
        if (register.members().stream().allMatch(member -> member.stage == Stage.LINKED)) {
            phase = SeedPhase.RUNNING;
            register.sendAll(new JoinMessage.Go());
            register.tell(new SeedEvent.Formed(roster()));
        }
    }

    private void handleLinkFailed(Joiner joiner, JoinMessage.LinkFailed failed) {
        String peer = failed.rank() == JoinMessage.ANY ? "its peers" : "rank " + failed.rank();
        fail(joiner.describe() + " does not reach " + peer + ": " + failed.reason(), List.of());
    }

    /** Answered, so that the worker need not close before its goodbye is heard. */
    private void handleGoodbye(Joiner joiner, String reason) {
        register.send(joiner, new JoinMessage.Goodbye("heard"));
        register.close(joiner.connection, "goodbye");
        depart(joiner, true, reason);
    }

    private void handleAbort(Joiner joiner, JoinMessage.Abort abort) {
        if (isForming()) {
            fail(joiner.describe() + " ended the job: " + abort.reason(), List.of());
        } else {
            running.abort(joiner.rank, abort.reason());
        }
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
        register.forget(member);
        switch (phase) {
            case GATHERING -> {
                lastSeen.put(member.claim, member.describe() + ": " + reason);
                register.tell(new SeedEvent.Withdrawn(member.describe(), reason));
                if (memberCount() == 0) {
                    settings = rules.settings();
                }
            }
            case LINKING ->
                    fail(
                            member.describe() + " was lost while the ranks linked: " + reason,
                            List.of(member.rank));
            case RUNNING -> {
                running.depart(member, orderly, reason);
                endIfOver();
            }
            case ENDED, FAILED -> {}
        }
    }

    private void endIfOver() {
        if (phase == SeedPhase.RUNNING && running.isOver()) {
            phase = SeedPhase.ENDED;
        }
    }

    private void failAtDeadline() {
        Shortfall shortfall = new Shortfall(rules, register.members(), lastSeen);
        if (phase == SeedPhase.LINKING) {
            fail(shortfall.unlinked(), List.of());
        } else {
            fail(shortfall.missing(), shortfall.missingRanks());
        }
    }

    private void fail(String reason, List<Integer> missingRanks) {
        phase = SeedPhase.FAILED;
        failure = reason;
        for (Joiner joiner : register.all()) {
            if (joiner.isMember()) {
                register.send(joiner, new JoinMessage.Failed(reason, missingRanks));
                register.close(joiner.connection, reason);
                register.forget(joiner);
            } else {
                refuse(joiner, "the job did not form"); // the rest is not for strangers
            }
        }
        register.tell(new SeedEvent.FormationFailed(reason, missingRanks));
    }

    private boolean isForming() {
        return phase == SeedPhase.GATHERING || phase == SeedPhase.LINKING;
    }

    private void refuse(Joiner stranger, String reason) {
        register.send(stranger, new JoinMessage.Refused(reason));
        register.forget(stranger);
        refuseSilently(stranger.connection, stranger.remote, reason);
    }

    private void refuseSilently(long connection, String remote, String reason) {
        register.close(connection, reason);
        register.tell(new SeedEvent.Refused(remote, reason));
    }
}
