package io.nexar.membership;

import io.nexar.MemberId;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * N detectors, a network that delays, loses, doubles and cuts, processes that pause and stop, and a
 * seed that may be there: all on one simulated clock, by one random seed.
 */
final class DetectorSimulation {

    static final long MS = 1_000_000L;
    static final long SECOND = 1_000 * MS;

    /** The defaults of the options. */
    static final DetectorSettings SETTINGS =
            new DetectorSettings(500 * MS, 5 * SECOND, 3 * SECOND, 20 * SECOND);

    /** A verdict: who gave up whom, when, and why. */
    record Verdict(int by, int about, long nanos, String reason) {}

    private record Event(long nanos, long order, int process, Runnable action) {}

    final Random random;
    final List<Verdict> verdicts = new ArrayList<>();
    final List<Integer> suspected = new ArrayList<>();
    final List<Integer> cleared = new ArrayList<>();
    final Map<Integer, String> expelled = new LinkedHashMap<>();
    final List<Set<Integer>> gone = new ArrayList<>();
    double loss;
    double duplication;
    long delayNanosMax = 50 * MS;
    boolean hasSeed = true;

    /** Whether a datagram from one to the other gets lost now for sure. */
    BiPredicate<Integer, Integer> cut = (from, to) -> false;

    private final List<MemberId> members = new ArrayList<>();
    private final List<DetectorMachine> machines = new ArrayList<>();
    private final long[] pausedUntil;
    private final PriorityQueue<Event> queue =
            new PriorityQueue<>(
                    Comparator.comparingLong(Event::nanos).thenComparingLong(Event::order));
    private long now = SECOND;
    private long order;

    DetectorSimulation(int size, long randomSeed) {
        random = new Random(randomSeed);
        pausedUntil = new long[size];
        for (int rank = 0; rank < size; rank++) {
            members.add(new MemberId(100 + 7L * rank));
        }
        for (int rank = 0; rank < size; rank++) {
            machines.add(new DetectorMachine(SETTINGS, members, members.get(rank), now));
            gone.add(new LinkedHashSet<>());
            tickLater(rank, random.nextLong(SETTINGS.intervalNanos()));
        }
    }

    int size() {
        return machines.size();
    }

    long now() {
        return now;
    }

    DetectorMachine machine(int rank) {
        return machines.get(rank);
    }

    MemberId member(int rank) {
        return members.get(rank);
    }

    /** The process does nothing until then; what comes for it waits. */
    void pause(int rank, long nanos) {
        pausedUntil[rank] = Math.max(pausedUntil[rank], now + nanos);
    }

    void stop(int rank) {
        pausedUntil[rank] = Long.MAX_VALUE;
    }

    boolean isStopped(int rank) {
        return pausedUntil[rank] == Long.MAX_VALUE;
    }

    void resume(int rank) {
        pausedUntil[rank] = now;
    }

    Set<Integer> survivors() {
        Set<Integer> survivors = new HashSet<>();
        for (int rank = 0; rank < size(); rank++) {
            if (!isStopped(rank) && !expelled.containsKey(rank)) {
                survivors.add(rank);
            }
        }
        return survivors;
    }

    void at(long nanos, Runnable action) {
        queue.add(new Event(nanos, order++, -1, action));
    }

    void runUntil(long nanos) {
        List<Event> asleep = new ArrayList<>();
        while (!queue.isEmpty() && queue.peek().nanos() <= nanos) {
            Event event = queue.remove();
            now = Math.max(now, event.nanos());
            int process = event.process();
            if (process < 0) {
                event.action().run();
            } else if (pausedUntil[process] == Long.MAX_VALUE) {
                asleep.add(event); // until somebody resumes it
            } else if (pausedUntil[process] > now) {
                queue.add(new Event(pausedUntil[process], event.order(), process, event.action()));
            } else {
                event.action().run();
                carryOut(process);
            }
        }
        now = nanos;
        queue.addAll(asleep);
    }

    private void tickLater(int rank, long delayNanos) {
        queue.add(
                new Event(
                        now + delayNanos,
                        order++,
                        rank,
                        () -> {
                            if (!expelled.containsKey(rank)) {
                                machines.get(rank).handleTick(now);
                                tickLater(rank, SETTINGS.intervalNanos());
                            }
                        }));
    }

    private void carryOut(int rank) {
        DetectorMachine machine = machines.get(rank);
        for (DetectorEffect effect = machine.pollEffect();
                effect != null;
                effect = machine.pollEffect()) {
            switch (effect) {
                case DetectorEffect.Beat beat -> send(rank, rank(beat.to()), new Heartbeat.Beat());
                case DetectorEffect.Ask ask ->
                        send(rank, rank(ask.whom()), new Heartbeat.Ask(ask.about()));
                case DetectorEffect.Answer answer ->
                        send(
                                rank,
                                rank(answer.to()),
                                new Heartbeat.Answer(answer.about(), answer.silentNanos()));
                case DetectorEffect.AskSeed ask -> askSeed(rank, rank(ask.about()));
                case DetectorEffect.Suspect suspect -> suspected.add(rank(suspect.member()));
                case DetectorEffect.Clear clear -> cleared.add(rank(clear.member()));
                case DetectorEffect.GiveUp lost -> spread(rank, rank(lost.member()), lost.reason());
            }
        }
    }

    private void send(int from, int to, Heartbeat message) {
        byte[] bytes = message.encode();
        int copies = random.nextDouble() < duplication ? 2 : 1;
        for (int i = 0; i < copies; i++) {
            if (random.nextDouble() >= loss && !cut.test(from, to)) {
                deliver(to, () -> receive(from, to, Heartbeat.decode(bytes, members.get(from))));
            }
        }
    }

    private void receive(int from, int to, Heartbeat message) {
        if (gone.get(to).contains(from) || expelled.containsKey(to)) {
            return; // the link is closed
        }
        DetectorMachine machine = machines.get(to);
        switch (message) {
            case Heartbeat.Beat _ -> machine.handleHeard(members.get(from), now);
            case Heartbeat.Ask ask -> machine.handleAsk(members.get(from), ask.about(), now);
            case Heartbeat.Answer answer -> {
                machine.handleHeard(members.get(from), now);
                machine.handleAnswer(answer.about(), answer.silentNanos(), now);
            }
        }
    }

    /** The seed's questions go by TCP: nothing is lost, the asked must be awake. */
    private void askSeed(int from, int about) {
        if (hasSeed && !expelled.containsKey(from)) {
            deliver(
                    about,
                    () ->
                            deliver(
                                    from,
                                    () -> machines.get(from).handleAnswer(member(about), 0, now)));
        }
    }

    /**
     * By LOST frames and the seed, reliably; whoever is out, or gone for the receiver, is not
     * heard.
     */
    private void spread(int by, int about, String reason) {
        verdicts.add(new Verdict(by, about, now, reason));
        gone.get(by).add(about);
        for (int rank = 0; rank < size(); rank++) {
            int to = rank;
            if (to == about) {
                deliver(to, () -> expelled.putIfAbsent(to, reason));
            } else if (to != by) {
                deliver(to, () -> learn(by, to, about));
            }
        }
    }

    private void learn(int by, int to, int about) {
        if (!gone.get(to).contains(by) && gone.get(to).add(about)) {
            machines.get(to).handleGone(members.get(about), now);
        }
    }

    private void deliver(int to, Runnable action) {
        long delay = 1 + random.nextLong(delayNanosMax);
        queue.add(new Event(now + delay, order++, to, action));
    }

    private int rank(MemberId member) {
        return members.indexOf(member);
    }
}
