package io.nexar.rendezvous;

import io.nexar.MemberId;
import io.nexar.ProtocolException;
import io.nexar.transport.net.ControlClient;
import io.nexar.transport.net.ControlConnection;
import io.nexar.transport.net.ControlFailure;
import io.nexar.transport.net.ControlListener;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A worker's connection to the seed, with the machine that drives it; later its tether.
 *
 * <p>The machine is guarded by this object's lock, under which its effects are carried out at once
 * (send, close) or queued: work for the joining thread, events for the tether's listener, which
 * hears them in the connection's thread.
 */
final class SeedConnection implements ControlListener, Tether {

    private final JoinMachine machine;
    private final LongSupplier nanoClock;
    private final BlockingQueue<JoinEffect> work = new LinkedBlockingQueue<>();
    private final Queue<TetherEvent> events = new ConcurrentLinkedQueue<>();
    private @Nullable ControlClient client;
    private @Nullable ControlConnection connection;
    private volatile CountDownLatch closed = new CountDownLatch(0);
    private volatile @Nullable Consumer<TetherEvent> listener;

    SeedConnection(JoinMachine machine, LongSupplier nanoClock) {
        this.machine = machine;
        this.nanoClock = nanoClock;
    }

    /** To be called before anything else. */
    synchronized void attach(ControlClient attached) {
        client = attached;
        carryOut();
    }

    void dial(
            List<InetSocketAddress> candidates,
            long timeoutNanos,
            Consumer<ControlFailure> onFailure) {
        client().connect(candidates, timeoutNanos, onFailure);
    }

    /** The next thing for the joining thread to do, while the machine's deadlines are watched. */
    JoinEffect awaitWork() throws InterruptedException {
        while (true) {
            JoinEffect next = work.poll(nanosToTick(), TimeUnit.NANOSECONDS);
            if (next != null) {
                return next;
            }
        }
    }

    private synchronized long nanosToTick() {
        long now = nanoClock.getAsLong();
        step(it -> it.handleTick(now));
        return machine.nanosToNextDeadline(now);
    }

    /** An event for the machine, and what follows from it. */
    synchronized void step(Consumer<JoinMachine> event) {
        event.accept(machine);
        carryOut();
    }

    private void carryOut() {
        for (JoinEffect effect = machine.pollEffect();
                effect != null;
                effect = machine.pollEffect()) {
            switch (effect) {
                case JoinEffect.Send send -> {
                    if (connection != null) {
                        connection.send(JoinCodec.encode(send.message()));
                    }
                }
                case JoinEffect.Disconnect _ -> {
                    if (connection != null) {
                        connection.close();
                    }
                }
                case JoinEffect.Tell tell -> {
                    events.add(tell.event());
                    client().execute(this::deliver);
                }
                case JoinEffect.Connect _,
                        JoinEffect.OpenEndpoints _,
                        JoinEffect.LinkPeers _,
                        JoinEffect.Formed _,
                        JoinEffect.Failed _ ->
                        work.add(effect);
            }
        }
    }

    /** The address at this end of the route to the seed. */
    synchronized InetAddress localAddress() {
        if (connection == null) {
            throw new IllegalStateException("not connected");
        }
        return connection.local().getAddress();
    }

    /** Waits until the connection is down, but no longer than that. */
    void awaitClosed(long timeoutNanos) {
        boolean wasInterrupted = Thread.interrupted();
        try {
            closed.await(timeoutNanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            wasInterrupted = true;
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public synchronized void onOpen(ControlConnection opened) {
        connection = opened;
        closed = new CountDownLatch(1);
        step(JoinMachine::handleConnected);
    }

    @Override
    public void onMessage(ControlConnection from, byte[] bytes) {
        try {
            JoinMessage message = JoinCodec.decode(bytes, "the seed");
            step(it -> it.handleMessage(message, nanoClock.getAsLong()));
        } catch (ProtocolException e) {
            step(it -> it.handleUndecodable(e.problem()));
        }
    }

    @Override
    public synchronized void onClosed(ControlConnection gone, String reason) {
        connection = null;
        closed.countDown();
        step(it -> it.handleClosed(reason, nanoClock.getAsLong()));
    }

    @Override
    public void listen(Consumer<TetherEvent> toTell) {
        listener = toTell;
        client().execute(this::deliver);
    }

    /** In the connection's thread only, which keeps the order. */
    private void deliver() {
        Consumer<TetherEvent> known = listener;
        if (known == null) {
            return; // they wait for listen
        }
        for (TetherEvent event = events.poll(); event != null; event = events.poll()) {
            known.accept(event);
        }
    }

    @Override
    public void ask(MemberId about) {
        step(it -> it.ask(about));
    }

    @Override
    public void lost(MemberId member, String reason) {
        step(it -> it.lost(member, reason));
    }

    @Override
    public void report(long query, byte[] report) {
        step(it -> it.report(query, report));
    }

    @Override
    public void abort(String reason) {
        step(it -> it.abort(reason));
    }

    @Override
    public void leave(String reason, long timeoutNanos) {
        step(it -> it.leave(reason));
        awaitClosed(timeoutNanos);
        cut();
    }

    @Override
    public void cut() {
        client().close();
    }

    private synchronized ControlClient client() {
        if (client == null) {
            throw new IllegalStateException("not attached");
        }
        return client;
    }
}
