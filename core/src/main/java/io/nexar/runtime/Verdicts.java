package io.nexar.runtime;

import io.nexar.ClosedException;
import io.nexar.MemberId;
import io.nexar.Scope;
import io.nexar.rendezvous.Tether;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * What follows when a member is given up: everybody hears it, twice (from the one who found out, on
 * its links, and from the seed); its links are closed so that it can touch nothing any more, and it
 * is told. What needs the rank's progress lock is done elsewhere, for a reduction of the user's own
 * may hold that lock for long.
 */
final class Verdicts {
    private static final System.Logger LOG = System.getLogger("io.nexar");

    private final Rank rank;
    private final RosterMembership membership;
    private final Tether tether;
    private final Executor elsewhere;
    private final AtomicBoolean isOut = new AtomicBoolean();
    private final Set<MemberId> pronounced = ConcurrentHashMap.newKeySet();
    private volatile BiConsumer<MemberId, String> neighbours = (member, reason) -> {};

    Verdicts(Rank rank, RosterMembership membership, Tether tether, Executor elsewhere) {
        this.rank = rank;
        this.membership = membership;
        this.tether = tether;
        this.elsewhere = elsewhere;
    }

    /** Who tells a member that it is out, besides its links and the seed. */
    void alsoTellBy(BiConsumer<MemberId, String> messenger) {
        neighbours = messenger;
    }

    /** This process has found out that a member is gone. */
    void pronounce(MemberId member, String reason) {
        if (isOut.get() || !pronounced.add(member)) {
            return; // whoever is out accuses nobody, and a second witness says nothing new
        }
        LOG.log(
                System.Logger.Level.WARNING,
                "rank {0} gives rank {1} up: {2}",
                rank.world().rank(),
                rank.rankOf(member),
                reason);
        tether.lost(member, reason);
        giveUp(member, reason, true);
    }

    /** Another has found out, and tells everybody itself. */
    void follow(MemberId member, String reason) {
        giveUp(member, reason, false);
    }

    /** Nobody is given up: that member closed in good order. */
    void left(MemberId member) {
        elsewhere.execute(() -> rank.memberLeft(member));
    }

    private void giveUp(MemberId member, String reason, boolean tellOthers) {
        neighbours.accept(member, reason);
        elsewhere.execute(() -> rank.giveUp(member, reason, tellOthers));
    }

    /**
     * The others have given this process up: nothing of it reaches them, nor does it try. Takes the
     * progress lock, so that no call ends with a lesser reason first.
     */
    void obey(String reason) {
        if (isOut.compareAndSet(false, true)) {
            membership.onExpelled(reason); // the others are not lost: it is we who go
            String told = "this rank was given up by the others: " + reason;
            rank.leaveAll(new ClosedException(null, "the job", told, Scope.PROCESS), told);
        }
    }

    /** As {@link #obey}, soon, for a thread that must not wait. */
    void obeySoon(String reason) {
        elsewhere.execute(() -> obey(reason));
    }
}
