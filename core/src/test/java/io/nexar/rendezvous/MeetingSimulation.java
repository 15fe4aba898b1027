package io.nexar.rendezvous;

import io.nexar.ProtocolException;
import io.nexar.security.Token;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.net.ControlFailure;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;

/**
 * A seed and workers on a simulated network and clock: every delay, and every death, comes from one
 * seeded random source, and messages pass through the real codec. One thread; no real time passes.
 */
final class MeetingSimulation {

    static final long MILLI = 1_000_000;
    static final long FORMATION_NANOS = 60_000 * MILLI;
    private static final long DIAL_NANOS = 5_000 * MILLI;
    private static final long DELAY_NANOS_MAX = 200 * MILLI;

    private record Event(long timeNanos, long order, Runnable action) {}

    final Random random;
    final Token token;
    final int worldSize;
    final List<SimulatedWorker> workers = new ArrayList<>();
    final List<SeedEvent> told = new ArrayList<>();
    final Set<Long> signed = new HashSet<>();
    final SeedMachine seed;
    private final PriorityQueue<Event> queue =
            new PriorityQueue<>((a, b) ->
                    a.timeNanos != b.timeNanos
                            ? Long.compare(a.timeNanos, b.timeNanos)
                            : Long.compare(a.order, b.order));
    private final Map<Long, Wire> wires = new HashMap<>();
    private long nowNanos = 1_000;
    private long nextOrder;
    private long nextConnection;

    MeetingSimulation(long randomSeed, int worldSize) {
        this.random = new Random(randomSeed);
        this.worldSize = worldSize;
        this.token = Token.parse("c2VjcmV0LXNlY3JldC1zZWNyZXQ");
        SeedRules rules =
                new SeedRules(
                        "job",
                        token,
                        worldSize,
                        null,
                        FORMATION_NANOS,
                        SeedRules.helloNanosFor(worldSize));
        CertificateSigner signer =
                new CertificateSigner() {
                    @Override
                    public byte[] sign(byte[] signingRequest, long memberId) {
                        if (signingRequest.length == 0) {
                            throw new ProtocolException("the peer", "signing request is empty");
                        }
                        signed.add((long) signingRequest[0]);
                        return new byte[] {7};
                    }

                    @Override
                    public byte[] authority() {
                        return new byte[] {8};
                    }
                };
        seed = new SeedMachine(rules, signer, nowNanos);
        tickSeed();
    }

    /** A worker that starts within the first seconds; {@code change} makes it a bad one. */
    SimulatedWorker add(int rank, java.util.function.UnaryOperator<JoinMessage.Hello> change) {
        byte id = (byte) workers.size();
        JoinMessage.Hello hello =
                new JoinMessage.Hello(
                        "job",
                        token.reveal(),
                        Map.of("nexar.check", "basic"),
                        rank,
                        worldSize,
                        "host-" + random.nextInt(3),
                        100 + id,
                        new byte[] {id});
        SimulatedWorker worker = new SimulatedWorker(change.apply(hello), id);
        workers.add(worker);
        at(random.nextLong(3_000 * MILLI), worker::start);
        return worker;
    }

    /** Somebody who connects and sends {@code bytes}, if any, and nothing more. */
    void addStranger(byte @Nullable [] bytes) {
        at(
                random.nextLong(3_000 * MILLI),
                () -> {
                    Wire wire = new Wire(nextConnection++, null);
                    wires.put(wire.id, wire);
                    wire.toSeed(() -> seed.handleConnected(wire.id, "stranger", nowNanos));
                    if (bytes != null) {
                        wire.sendToSeed(bytes);
                    }
                });
    }

    /** Until nothing happens any more, or long after every deadline. */
    void run() {
        long end = 3 * FORMATION_NANOS;
        while (!queue.isEmpty() && queue.peek().timeNanos < end) {
            Event event = queue.remove();
            nowNanos = event.timeNanos;
            event.action.run();
        }
    }

    private void at(long delayNanos, Runnable action) {
        queue.add(new Event(nowNanos + delayNanos, nextOrder++, action));
    }

    private void tickSeed() {
        seed.handleTick(nowNanos);
        carryOutSeed();
        if (seed.phase() == SeedPhase.GATHERING || seed.phase() == SeedPhase.LINKING) {
            at(Math.clamp(seed.nanosToNextDeadline(nowNanos), 1, 250 * MILLI), this::tickSeed);
        }
    }

    private void carryOutSeed() {
        for (SeedEffect effect = seed.pollEffect(); effect != null; effect = seed.pollEffect()) {
            switch (effect) {
                case SeedEffect.Send send -> toWorker(send.connection(), send.message());
                case SeedEffect.SendAll all ->
                        all.connections().forEach(id -> toWorker(id, all.message()));
                case SeedEffect.Close close -> {
                    Wire wire = wires.remove(close.connection());
                    if (wire != null) {
                        wire.closeAtWorker(close.reason());
                    }
                }
                case SeedEffect.Tell tell -> told.add(tell.event());
            }
        }
    }

    private void toWorker(long connection, JoinMessage message) {
        Wire wire = wires.get(connection);
        if (wire != null) {
            wire.sendToWorker(JoinCodec.encode(message));
        }
    }

    /** One connection: each direction keeps its order, whatever the delays. */
    final class Wire {
        final long id;
        final @Nullable SimulatedWorker worker;
        private long lastToSeed;
        private long lastToWorker;

        Wire(long id, @Nullable SimulatedWorker worker) {
            this.id = id;
            this.worker = worker;
        }

        void toSeed(Runnable event) {
            lastToSeed = Math.max(lastToSeed, nowNanos + random.nextLong(DELAY_NANOS_MAX));
            at(
                    lastToSeed - nowNanos,
                    () -> {
                        if (wires.containsKey(id)) {
                            event.run();
                            carryOutSeed();
                        }
                    });
        }

        void sendToSeed(byte[] bytes) {
            toSeed(() -> {
                try {
                    seed.handleMessage(id, JoinCodec.decode(bytes, "w"), nowNanos);
                } catch (ProtocolException e) {
                    seed.handleUndecodable(id, e.problem());
                }
            });
        }

        void closeAtSeed(String reason) {
            toSeed(() -> {
                wires.remove(id);
                seed.handleClosed(id, reason);
            });
        }

        void sendToWorker(byte[] bytes) {
            toWorker(it -> it.handleMessage(JoinCodec.decode(bytes, "the seed"), nowNanos));
        }

        void closeAtWorker(String reason) {
            toWorker(it -> {
                if (worker != null) {
                    worker.wire = null;
                }
                it.handleClosed(reason, nowNanos);
            });
        }

        private void toWorker(java.util.function.Consumer<JoinMachine> event) {
            lastToWorker = Math.max(lastToWorker, nowNanos + random.nextLong(DELAY_NANOS_MAX));
            at(
                    lastToWorker - nowNanos,
                    () -> {
                        if (worker != null && worker.wire == this) {
                            worker.step(event);
                        }
                    });
        }
    }

    /** One worker; dies after {@code effectsToLive} of its effects. */
    final class SimulatedWorker {
        final JoinMessage.Hello hello;
        final byte id;
        int effectsToLive = Integer.MAX_VALUE;
        boolean isDead;
        boolean refusesLinks;
        @Nullable JoinMachine machine;
        @Nullable Wire wire;
        JoinEffect.@Nullable Formed formed;
        JoinEffect.@Nullable Failed failed;
        final List<TetherEvent> heard = new ArrayList<>();
        long endNanos;

        SimulatedWorker(JoinMessage.Hello hello, byte id) {
            this.hello = hello;
            this.id = id;
        }

        void start() {
            machine =
                    new JoinMachine(
                            hello, new JoinTimeouts(FORMATION_NANOS, DIAL_NANOS), random, nowNanos);
            step(_ -> {});
        }

        void step(java.util.function.Consumer<JoinMachine> event) {
            JoinMachine current = machine;
            if (isDead || current == null) {
                return;
            }
            event.accept(current);
            for (JoinEffect effect = current.pollEffect();
                    effect != null && !isDead;
                    effect = current.pollEffect()) {
                if (effectsToLive-- == 0) {
                    die();
                    return;
                }
                carryOut(effect);
            }
            long left = current.nanosToNextDeadline(nowNanos);
            if (left < Long.MAX_VALUE) {
                at(Math.max(1, left), () -> tickAt(nowNanos));
            }
        }

        private void tickAt(long time) {
            JoinMachine current = machine;
            if (current != null && current.nanosToNextDeadline(time) <= 0) {
                step(it -> it.handleTick(time));
            }
        }

        private void die() {
            isDead = true;
            if (wire != null) {
                wire.closeAtSeed("killed");
            }
        }

        private void carryOut(JoinEffect effect) {
            switch (effect) {
                case JoinEffect.Connect _ -> at(random.nextLong(50 * MILLI), this::connect);
                case JoinEffect.Send send -> {
                    if (wire != null) {
                        wire.sendToSeed(JoinCodec.encode(send.message()));
                    }
                }
                case JoinEffect.Disconnect disconnect -> {
                    if (wire != null) {
                        wire.closeAtSeed(disconnect.reason());
                        wire = null;
                    }
                }
                case JoinEffect.OpenEndpoints _ ->
                        at(random.nextLong(100 * MILLI), () -> step(this::open));
                case JoinEffect.LinkPeers link ->
                        at(
                                random.nextLong(500 * MILLI),
                                () -> step(it -> linkPeers(it, link.roster())));
                case JoinEffect.Formed done -> formed = done;
                case JoinEffect.Failed done -> {
                    failed = done;
                    endNanos = nowNanos;
                }
                case JoinEffect.Tell tell -> heard.add(tell.event());
            }
        }

        private void connect() {
            if (isDead) {
                return;
            }
            if (random.nextInt(4) == 0) {
                step(it ->
                        it.handleConnectFailed(ControlFailure.Kind.REFUSED, "refused", nowNanos));
                return;
            }
            Wire opened = new Wire(nextConnection++, this);
            wires.put(opened.id, opened);
            wire = opened;
            opened.toSeed(() -> seed.handleConnected(opened.id, "worker " + id, nowNanos));
            step(JoinMachine::handleConnected);
        }

        private void open(JoinMachine it) {
            it.handleOpened("", List.of(new PeerAddress("test", List.of("worker-" + id))));
        }

        private void linkPeers(JoinMachine it, Roster roster) {
            for (int rank = 0; rank < roster.size(); rank++) {
                String address = roster.entry(rank).addresses().getFirst().candidates().getFirst();
                SimulatedWorker peer = workers.get(Integer.parseInt(address.substring(7)));
                if (peer.isDead || peer.refusesLinks) {
                    it.handleLinkFailed(rank, "no answer");
                    return;
                }
            }
            it.handleLinked();
        }
    }
}
