package io.nexar.membership;

import io.nexar.MemberId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Finds members that have fallen silent, in two steps: events and time in, effects out; no clock,
 * no socket, no thread.
 *
 * <p>Each member sends heartbeats to the {@link #WATCHERS_MAX} members that follow it in the order
 * of ranks, round the end, among those that are left; these watch it. One that is silent for {@code
 * suspectAfter} is suspected, and with every tick three of its other watchers, in turn, and the
 * seed are asked when they last heard it. (After SWIM, Das, Gupta, Motivala 2002, which asks others
 * in the same way, but picks whom to watch at random; a fixed ring costs the same and gives a bound
 * instead of an expectation.) Whoever heard it moves the evidence for its life forward. It is given
 * up
 *
 * <ul>
 *   <li>when there is no sign of life from anywhere for {@code suspectAfter + confirm}: it is dead,
 *       or stopped;
 *   <li>when others hear it, and we have not for {@code cutOff}: it lives, but is of no use, since
 *       we can't reach it. Of two that don't hear each other the lower rank is the first to give
 *       the other up, so that not both go.
 * </ul>
 *
 * A tick that comes late shows that this process was paused. Nothing was heard in that time for
 * want of listening, so that the delay counts against nobody.
 *
 * <p>Cost: eight datagrams an interval, in a world of any size. Confined to one thread at a time.
 */
public final class DetectorMachine {

    /**
     * How many watch each member: seven may die with it unseen. All do in a world of nine or less.
     */
    static final int WATCHERS_MAX = 8;

    /** How many others are asked with each tick; in three ticks it was everybody's turn. */
    private static final int ASKED_MAX = 3;

    private final DetectorSettings settings;
    private final int self;
    private final List<Watched> ring = new ArrayList<>();
    private final Map<MemberId, Watched> byMember = new LinkedHashMap<>();
    private final Deque<DetectorEffect> effects = new ArrayDeque<>();
    private long lastTickNanos;
    private int turn;

    /**
     * @param members in the order of their ranks, this one included
     */
    public DetectorMachine(
            DetectorSettings settings, List<MemberId> members, MemberId self, long nowNanos) {
        this.settings = settings;
        this.self = members.indexOf(self);
        if (this.self < 0) {
            throw new IllegalArgumentException(self + " is none of " + members);
        }
        for (MemberId member : members) {
            Watched watched = new Watched(member, ring.size());
            ring.add(watched);
            byMember.put(member, watched);
        }
        this.lastTickNanos = nowNanos;
        // Twice the patience for the first heartbeat: a JVM that has just started is slow.
        chooseWatched(nowNanos, settings.suspectAfterNanos());
    }

    /** The next thing to do, or null; take them all after each event. */
    public @Nullable DetectorEffect pollEffect() {
        return effects.poll();
    }

    /** A heartbeat, question or answer has come from that member. */
    public void handleHeard(MemberId from, long nowNanos) {
        Watched heard = byMember.get(from);
        if (heard == null || heard.isGone) {
            return;
        }
        heard.isHeard = true;
        heard.heardNanos = nowNanos;
        heard.silentSinceNanos = nowNanos;
        if (heard.isSuspected) {
            heard.isSuspected = false;
            effects.add(new DetectorEffect.Clear(from));
        }
    }

    /** A member wants to know when another was last heard here. */
    public void handleAsk(MemberId from, MemberId about, long nowNanos) {
        handleHeard(from, nowNanos);
        Watched known = byMember.get(about);
        if (known != null && known.isHeard && !known.isGone) {
            effects.add(new DetectorEffect.Answer(from, about, nowNanos - known.heardNanos));
        }
    }

    /** Somebody, a member or the seed, has heard that member {@code silentNanos} ago. */
    public void handleAnswer(MemberId about, long silentNanos, long nowNanos) {
        Watched vouched = byMember.get(about);
        if (vouched != null && silentNanos >= 0) {
            vouched.vouchedNanos = Math.max(vouched.vouchedNanos, nowNanos - silentNanos);
        }
    }

    /** That member has left or is lost, known from elsewhere or by our own verdict. */
    public void handleGone(MemberId member, long nowNanos) {
        Watched gone = byMember.get(member);
        if (gone != null && !gone.isGone) {
            gone.isGone = true;
            chooseWatched(nowNanos, 0);
        }
    }

    /** An interval is over. */
    public void handleTick(long nowNanos) {
        long lateNanos = nowNanos - lastTickNanos - settings.intervalNanos();
        lastTickNanos = nowNanos;
        if (lateNanos > settings.intervalNanos()) { // less is the scheduler's, and costs nobody
            ring.forEach(member -> member.shift(lateNanos, nowNanos));
        }
        watchers(self).forEach(watcher -> effects.add(new DetectorEffect.Beat(watcher.member)));
        turn++;
        for (Watched member : ring) {
            if (member.isWatched) {
                judge(member, nowNanos);
            }
        }
    }

    /** How long a member has not been heard here; negative for one that never was. */
    public long silentNanos(MemberId member, long nowNanos) {
        Watched known = byMember.get(member);
        return known == null || !known.isHeard ? -1 : nowNanos - known.heardNanos;
    }

    private void judge(Watched member, long nowNanos) {
        long silentNanos = nowNanos - member.silentSinceNanos;
        if (silentNanos < settings.suspectAfterNanos()) {
            return;
        }
        if (!member.isSuspected) {
            member.isSuspected = true;
            member.suspectedNanos = nowNanos;
            effects.add(new DetectorEffect.Suspect(member.member));
        }
        String reason = verdict(member, silentNanos, nowNanos);
        if (reason == null) {
            ask(member);
        } else {
            effects.add(new DetectorEffect.GiveUp(member.member, reason));
            handleGone(member.member, nowNanos);
        }
    }

    private @Nullable String verdict(Watched member, long silentNanos, long nowNanos) {
        long confirmNanos = settings.confirmNanos();
        if (nowNanos - member.suspectedNanos < confirmNanos) {
            return null;
        }
        long signNanos = Math.max(member.silentSinceNanos, member.vouchedNanos);
        if (nowNanos - signNanos >= settings.suspectAfterNanos() + confirmNanos) {
            return "silent for " + seconds(nowNanos - signNanos) + " s, also to others";
        }
        long cutOffNanos = settings.cutOffNanos() + (member.rank < self ? confirmNanos : 0);
        return silentNanos >= cutOffNanos
                ? "out of reach of rank %d for %s s, though others hear it"
                        .formatted(self, seconds(silentNanos))
                : null;
    }

    private void ask(Watched about) {
        effects.add(new DetectorEffect.AskSeed(about.member));
        List<Watched> others = new ArrayList<>(watchers(about.rank));
        others.removeIf(other -> other.rank == self || other.isSuspected);
        for (int i = 0; i < Math.min(ASKED_MAX, others.size()); i++) {
            Watched asked = others.get((turn * ASKED_MAX + i) % others.size());
            effects.add(new DetectorEffect.Ask(asked.member, about.member));
        }
    }

    /** Whom this member watches: those that count it among their watchers. */
    private void chooseWatched(long nowNanos, long graceNanos) {
        for (Watched member : ring) {
            boolean isOurs =
                    member.rank != self
                            && !member.isGone
                            && watchers(member.rank).contains(ring.get(self));
            member.watch(isOurs, nowNanos, graceNanos);
        }
    }

    private List<Watched> watchers(int of) {
        List<Watched> watchers = new ArrayList<>();
        for (int i = 1; i < ring.size() && watchers.size() < WATCHERS_MAX; i++) {
            Watched next = ring.get((of + i) % ring.size());
            if (!next.isGone) {
                watchers.add(next);
            }
        }
        return watchers;
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / 1e9);
    }
}
