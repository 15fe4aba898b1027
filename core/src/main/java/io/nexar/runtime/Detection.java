package io.nexar.runtime;

import io.nexar.ConfigurationException;
import io.nexar.MemberId;
import io.nexar.NexarConfig;
import io.nexar.membership.DetectorSettings;
import io.nexar.rendezvous.Formation;
import io.nexar.rendezvous.TetherEvent;

/**
 * How a process finds out which members are gone, and that it is out itself: heartbeats for those
 * that fall silent, witnesses for those that die. Any thread.
 */
final class Detection {
    private static final System.Logger LOG = System.getLogger("io.nexar");

    private final Verdicts verdicts;
    private final Heartbeats heartbeats;

    private final NeighbourPort neighbours;

    private Detection(Verdicts verdicts, Heartbeats heartbeats, NeighbourPort neighbours) {
        this.verdicts = verdicts;
        this.heartbeats = heartbeats;
        this.neighbours = neighbours;
    }

    /** Begins, once the rank has taken over its links. */
    static Detection start(
            NexarConfig config,
            Formation formation,
            RosterMembership membership,
            Rank rank,
            LinkPlane plane) {
        Verdicts verdicts =
                new Verdicts(rank, membership, formation.tether(), RankThreads.callbacks());
        HeartbeatOutlet outlet = new HeartbeatOutlet(membership, formation.tether(), verdicts);
        Heartbeats heartbeats = new Heartbeats(settings(config), formation, plane.bases(), outlet);
        Detection detection = new Detection(verdicts, heartbeats, plane.neighbours());
        membership.onGivenUp(detection::onGivenUp);
        heartbeats.start();
        verdicts.alsoTellBy(NeighbourTethers.start(plane.neighbours(), formation, outlet)::expel);
        return detection;
    }

    /**
     * The detector's patience.
     *
     * @throws ConfigurationException if the spans do not fit each other
     */
    static DetectorSettings settings(NexarConfig config) {
        long interval = config.duration("nexar.heartbeat.interval").toNanos();
        long suspectAfter = config.duration("nexar.heartbeat.suspectAfter").toNanos();
        long confirm = config.duration("nexar.heartbeat.confirm").toNanos();
        long cutOff = config.duration("nexar.heartbeat.cutOff").toNanos();
        require(
                suspectAfter >= 2 * interval,
                config,
                "nexar.heartbeat.suspectAfter",
                "must be at least twice nexar.heartbeat.interval");
        require(
                confirm >= 2 * interval,
                config,
                "nexar.heartbeat.confirm",
                "must be at least twice nexar.heartbeat.interval");
        require(
                cutOff >= suspectAfter + confirm,
                config,
                "nexar.heartbeat.cutOff",
                "must be at least nexar.heartbeat.suspectAfter and nexar.heartbeat.confirm"
                        + " together");
        return new DetectorSettings(interval, suspectAfter, confirm, cutOff);
    }

    private static void require(boolean holds, NexarConfig config, String key, String rule) {
        if (!holds) {
            throw ConfigurationException.conflict(key, config.get(key), rule);
        }
    }

    /** What the seed says that bears on who is here. */
    void onTether(TetherEvent event) {
        switch (event) {
            case TetherEvent.Departed departed -> {
                if (departed.orderly()) {
                    verdicts.left(departed.member());
                } else {
                    verdicts.follow(departed.member(), departed.reason());
                }
            }
            case TetherEvent.Answers answers -> heartbeats.onAnswer(answers.member());
            case TetherEvent.Expelled expelled -> {
                heartbeats.stop();
                verdicts.obeySoon(expelled.reason());
            }
            case TetherEvent.SeedLost lost ->
                    LOG.log(
                            System.Logger.Level.DEBUG,
                            "the seed is gone ({0}); the job goes on without it",
                            lost.reason());
            case TetherEvent.Aborted _, TetherEvent.Asked _ -> {}
        }
    }

    /** How long a member's heartbeats have not been heard; negative for one that never was. */
    long silentNanos(MemberId member) {
        return heartbeats.silentNanos(member);
    }

    /** Accuses nobody any more. */
    void stop() {
        heartbeats.stop();
    }

    /** Leaves in good order: {@link #stop}, and the neighbours hear that it is no death. */
    void part() {
        stop();
        neighbours.part();
    }

    /** With the progress lock held, or without. */
    private void onGivenUp(String reason) {
        heartbeats.stop();
        verdicts.obey(reason);
    }
}
