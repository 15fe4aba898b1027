package io.nexar.runtime;

import io.nexar.MemberId;
import io.nexar.membership.NeighbourEffect;
import io.nexar.membership.NeighbourMachine;
import io.nexar.rendezvous.Formation;
import io.nexar.rendezvous.Roster;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.net.SocketAddresses;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Drives the {@link NeighbourMachine}: its tethers are those of the {@link NeighbourPort}, in whose
 * thread everything here happens but construction and {@code expel}.
 */
final class NeighbourTethers implements NeighbourListener {
    /** How late a doubt may be followed up. */
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** A dial that asks whether a process lives: the answer of a live one takes milliseconds. */
    private static final long DIAL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final NeighbourPort port;
    private final Roster roster;
    private final HeartbeatOutlet outlet;
    private final NeighbourMachine machine;

    private NeighbourTethers(NeighbourPort port, Formation formation, HeartbeatOutlet outlet) {
        this.port = port;
        this.roster = formation.roster();
        this.outlet = outlet;
        this.machine =
                new NeighbourMachine(
                        outlet.membership().members(), formation.self(), System.nanoTime());
    }

    static NeighbourTethers start(NeighbourPort port, Formation formation, HeartbeatOutlet outlet) {
        NeighbourTethers tethers = new NeighbourTethers(port, formation, outlet);
        port.execute(() -> {
            port.listen(tethers);
            tethers.tick();
        });
        return tethers;
    }

    /** Tells a member that it is out. Any thread. */
    void expel(MemberId member, String reason) {
        port.execute(() -> {
            machine.handleGone(member);
            port.expel(member, reason);
        });
    }

    private void tick() {
        long now = System.nanoTime();
        outlet.membership().members().stream().filter(outlet::isGone).forEach(machine::handleGone);
        machine.handleTick(now);
        carryOut();
        port.dropSilent(now);
        port.schedule(this::tick, TICK_NANOS);
    }

    private void carryOut() {
        for (NeighbourEffect effect = machine.pollEffect();
                effect != null;
                effect = machine.pollEffect()) {
            switch (effect) {
                case NeighbourEffect.Dial dial -> dial(dial.member());
                case NeighbourEffect.GiveUp lost ->
                        outlet.verdicts().pronounce(lost.member(), lost.reason());
            }
        }
    }

    private void dial(MemberId member) {
        List<InetSocketAddress> candidates = candidates(member);
        if (candidates.isEmpty()) {
            onDialFailed(member); // it offers no tether, so it has no neighbours of this kind
        } else {
            port.dial(member, candidates, DIAL_NANOS);
        }
    }

    private List<InetSocketAddress> candidates(MemberId member) {
        PeerAddress address = roster.entry(roster.rankOf(member)).address(NeighbourPort.TRANSPORT);
        try {
            return address == null
                    ? List.of()
                    : address.candidates().stream().map(SocketAddresses::parse).toList();
        } catch (IllegalArgumentException e) {
            return List.of(); // what a member writes there is its own affair
        }
    }

    @Override
    public void onOpened(MemberId member, boolean isDialled) {
        machine.handleOpened(member, isDialled);
    }

    @Override
    public void onClosed(MemberId member, boolean wasDialled) {
        if (outlet.isGone(member)) {
            machine.handleGone(member);
        }
        machine.handleClosed(member, wasDialled, System.nanoTime());
        carryOut();
    }

    @Override
    public void onGoodbye(MemberId member) {
        machine.handleGone(member);
    }

    @Override
    public void onExpelled(String reason) {
        outlet.verdicts().obeySoon(reason);
    }

    @Override
    public void onRefused(MemberId member) {
        machine.handleRefused(member, System.nanoTime());
        carryOut();
    }

    @Override
    public void onDialFailed(MemberId member) {
        machine.handleDialFailed(member, System.nanoTime());
    }
}
