package io.nexar.runtime;

import io.nexar.MemberId;
import io.nexar.ProtocolException;
import io.nexar.membership.DetectorEffect;
import io.nexar.membership.DetectorMachine;
import io.nexar.membership.DetectorSettings;
import io.nexar.membership.Heartbeat;
import io.nexar.rendezvous.Formation;
import io.nexar.transport.Link;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Drives the {@link DetectorMachine}: ticks from a thread of its own, in which nothing else runs,
 * so that heartbeats stop only when the process does; heartbeats that come, in the transport's
 * thread. The machine is guarded by its own monitor, which nobody holds for longer than an event
 * takes; what follows from an event is done outside of it.
 */
final class Heartbeats {
    private static final System.Logger LOG = System.getLogger("io.nexar");

    private final DetectorMachine machine;
    private final long intervalNanos;
    private final Map<MemberId, Link> links = new HashMap<>(); // not changed after construction
    private final HeartbeatOutlet outlet;
    private final ProcessWitness processes;
    private final Thread thread;
    private volatile boolean isStopped; // pairs with the unpark in stop()

    /**
     * @param links to all other members
     */
    Heartbeats(
            DetectorSettings settings,
            Formation formation,
            List<Link> links,
            HeartbeatOutlet outlet) {
        this.machine =
                new DetectorMachine(
                        settings,
                        outlet.membership().members(),
                        formation.self(),
                        System.nanoTime());
        this.intervalNanos = settings.intervalNanos();
        this.processes = new ProcessWitness(formation.roster(), formation.rank());
        this.outlet = outlet;
        links.forEach(link -> this.links.put(link.peer(), link));
        this.thread = RankThreads.named("heartbeat-" + formation.rank()).newThread(this::run);
    }

    void start() {
        links.values().forEach(link -> link.onHeartbeat(bytes -> receive(link, bytes)));
        thread.start();
    }

    /** Returns at once; the thread ends soon. */
    void stop() {
        isStopped = true;
        LockSupport.unpark(thread);
    }

    /** The seed has heard that member just now. */
    void onAnswer(MemberId member) {
        step(it -> it.handleAnswer(member, 0, System.nanoTime()));
    }

    long silentNanos(MemberId member) {
        synchronized (machine) {
            return machine.silentNanos(member, System.nanoTime());
        }
    }

    private void run() {
        long due = System.nanoTime();
        while (!isStopped) {
            long left = due - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(this, left);
            } else {
                due = System.nanoTime() + intervalNanos;
                tick();
            }
        }
    }

    /** A fault of ours must not silence this process: the next tick comes. */
    private void tick() {
        try {
            List<MemberId> gone = links.keySet().stream().filter(outlet::isGone).toList();
            long now = System.nanoTime();
            gone.forEach(processes::forget);
            step(it -> {
                gone.forEach(member -> it.handleGone(member, now));
                it.handleTick(now);
            });
            processes.gone().forEach(this::pronounce);
        } catch (RuntimeException fault) {
            LOG.log(System.Logger.Level.ERROR, "a heartbeat has failed", fault);
        }
    }

    private void pronounce(MemberId member) {
        processes.forget(member);
        if (!isStopped) {
            outlet.verdicts().pronounce(member, "its process is gone from this host");
        }
    }

    private void receive(Link link, byte[] bytes) {
        MemberId from = link.peer();
        Heartbeat heartbeat;
        try {
            heartbeat = Heartbeat.decode(bytes, from);
        } catch (ProtocolException problem) {
            link.close(String.valueOf(problem.getMessage()));
            return;
        }
        long now = System.nanoTime();
        step(it -> {
            switch (heartbeat) {
                case Heartbeat.Beat _ -> it.handleHeard(from, now);
                case Heartbeat.Ask ask -> it.handleAsk(from, ask.about(), now);
                case Heartbeat.Answer answer -> {
                    it.handleHeard(from, now);
                    it.handleAnswer(answer.about(), answer.silentNanos(), now);
                }
            }
        });
    }

    private void step(Consumer<DetectorMachine> event) {
        List<DetectorEffect> effects = new ArrayList<>();
        synchronized (machine) {
            event.accept(machine);
            for (DetectorEffect effect = machine.pollEffect();
                    effect != null;
                    effect = machine.pollEffect()) {
                effects.add(effect);
            }
        }
        if (!isStopped) {
            effects.forEach(this::carryOut);
        }
    }

    private void carryOut(DetectorEffect effect) {
        switch (effect) {
            case DetectorEffect.Beat beat -> send(beat.to(), new Heartbeat.Beat());
            case DetectorEffect.Ask ask -> send(ask.whom(), new Heartbeat.Ask(ask.about()));
            case DetectorEffect.AskSeed ask -> outlet.tether().ask(ask.about());
            case DetectorEffect.Answer answer ->
                    send(answer.to(), new Heartbeat.Answer(answer.about(), answer.silentNanos()));
            case DetectorEffect.Suspect suspect ->
                    outlet.membership().onSuspected(suspect.member());
            case DetectorEffect.Clear clear ->
                    LOG.log(
                            System.Logger.Level.DEBUG,
                            "{0} was suspected and is heard again",
                            clear.member());
            case DetectorEffect.GiveUp lost ->
                    outlet.verdicts().pronounce(lost.member(), lost.reason());
        }
    }

    private void send(MemberId to, Heartbeat heartbeat) {
        Link link = links.get(to);
        if (link != null) {
            link.sendHeartbeat(heartbeat.encode());
        }
    }
}
