package io.nexar.transport.shm;

import io.nexar.MemberId;
import io.nexar.transport.Endpoint;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Link;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.Sleeper;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A member's doorstep, the one thread that waits behind it, and the member's links. {@code
 * connect}, {@code close} and what links call may come from any thread; the rest is the endpoint's
 * thread's.
 */
final class ShmEndpoint implements Endpoint {
    /**
     * How long a closed link that nobody polls keeps its memory, and a new one waits to be seen.
     */
    private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** How long the thread sleeps where there is nothing to do. */
    private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** How soon a dial looks for its answer although nobody has knocked: who refuses does not. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** How soon a visitor looks again for a free slot: a turn of a busy endpoint's thread. */
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final EndpointSettings settings;
    private final LongSupplier nanoClock;
    private final Consumer<String> refusals;
    private final SharedMemory memory;
    private final Doorstep doorstep;
    private final ShmAddress address;
    private final Set<ShmLink> links = ConcurrentHashMap.newKeySet();
    private final Queue<ShmDial> asked = new ConcurrentLinkedQueue<>();
    private final List<ShmDial> dials = new ArrayList<>();
    private final Set<ShmLink> foundClosed = new HashSet<>();
    private final MemorySegment timespec = Arena.ofAuto().allocate(16, 8);

    /** A word for peers to find out whether they can read this process's memory. */
    private final MemorySegment probe = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);

    private final Thread thread;
    private long sweptNanos;
    private volatile boolean isClosed;

    private ShmEndpoint(
            EndpointSettings settings,
            LongSupplier nanoClock,
            Consumer<String> refusals,
            SharedMemory memory) {
        this.settings = settings;
        this.nanoClock = nanoClock;
        this.refusals = refusals;
        this.memory = memory;
        SecureRandom random = new SecureRandom();
        Token token = Token.random(random);
        probe.set(ValueLayout.JAVA_LONG, 0, random.nextLong());
        this.address = ShmAddress.own(memory.descriptor(), token);
        // Never unmapped under a sleeper: the page goes with the last who knows it.
        this.doorstep = Doorstep.make(memory, Arena.ofAuto(), token, settings.self().id());
        this.thread = settings.threads().newThread(this::serve);
    }

    static ShmEndpoint open(
            EndpointSettings settings, LongSupplier nanoClock, Consumer<String> refusals) {
        SharedMemory memory = SharedMemory.make(Doorstep.BYTES);
        try {
            ShmEndpoint endpoint = new ShmEndpoint(settings, nanoClock, refusals, memory);
            endpoint.thread.start();
            return endpoint;
        } catch (RuntimeException e) {
            memory.close();
            throw e;
        }
    }

    Doorstep doorstep() {
        return doorstep;
    }

    /** Tells the peer of a link how this process's memory can be read. */
    void describe(LinkMemory shared, int side) {
        SharedArea area = SharedArea.own();
        shared.writeProbe(side, probe);
        shared.writeArea(side, area == null ? SharedArea.Place.NONE : area.place());
    }

    ShmAddress own() {
        return address;
    }

    MemberId self() {
        return settings.self();
    }

    long now() {
        return nanoClock.getAsLong();
    }

    @Override
    public PeerAddress address() {
        return new PeerAddress(ShmTransport.NAME, List.of(address.candidate()));
    }

    @Override
    public Sleeper sleeper() {
        return new ShmSleeper(doorstep);
    }

    @Override
    public CompletableFuture<Link> connect(MemberId peer, PeerAddress address, long timeoutNanos) {
        ShmDial dial = new ShmDial(this, peer, address.candidates(), timeoutNanos);
        asked.add(dial);
        if (isClosed && asked.remove(dial)) {
            dial.refuse(closeReason());
        } else {
            doorstep.knock();
        }
        return dial.result();
    }

    // ---- the endpoint's thread ----

    private void serve() {
        try {
            sweptNanos = now();
            int ticket = doorstep.doorTicket(); // before every look: what comes after is a knock
            while (!isClosed) {
                doorstep.receive(this::onVisitor);
                takeAsked();
                dials.removeIf(ShmDial::isOverAfterStep);
                sweep();
                awaitKnock(ticket);
                ticket = doorstep.doorTicket();
            }
        } finally {
            takeAsked();
            dials.forEach(dial -> dial.refuse(closeReason()));
        }
    }

    private void takeAsked() {
        for (ShmDial dial = asked.poll(); dial != null; dial = asked.poll()) {
            dials.add(dial);
        }
    }

    private void awaitKnock(int ticket) {
        long patience = links.isEmpty() ? IDLE_NANOS : SWEEP_NANOS;
        for (ShmDial dial : dials) {
            long look = dial.hasLeftWord() ? LOOK_NANOS : RETRY_NANOS;
            patience = Math.min(patience, Math.min(look, dial.leftNanos()));
        }
        long nanos = Math.max(0, patience);
        timespec.set(ValueLayout.JAVA_LONG, 0, TimeUnit.NANOSECONDS.toSeconds(nanos));
        timespec.set(ValueLayout.JAVA_LONG, 8, nanos % TimeUnit.SECONDS.toNanos(1));
        doorstep.awaitKnock(ticket, timespec);
    }

    /** Unmaps what was found closed the last time already: whoever polled it has had its time. */
    private void sweep() {
        if (now() - sweptNanos < SWEEP_NANOS) {
            return;
        }
        sweptNanos = now();
        for (ShmLink link : links) {
            if (link.isClosed() && !foundClosed.add(link)) {
                link.release();
            }
        }
        foundClosed.retainAll(links);
    }

    /** The numbers may be anything, and so may what lies there. */
    @SuppressWarnings("MustBeClosedChecker") // The link closes it, if there comes to be one.
    private void onVisitor(int pid, int descriptor) {
        Arena arena = Arena.ofShared();
        boolean isAccepted = false;
        try {
            LinkMemory shared = LinkMemory.visit(pid, descriptor, arena);
            isAccepted = accept(pid, shared, arena);
        } catch (ShmException e) {
            tellRefused(pid, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) { // of whom we have asked about the visitor
            tellRefused(pid, e.toString());
        } finally {
            if (!isAccepted) {
                arena.close();
            }
        }
    }

    private boolean accept(int pid, LinkMemory shared, Arena arena) {
        try {
            LinkMemory.Letter letter = shared.read(address.host());
            requireWelcome(pid, letter);
            Doorstep bell = Doorstep.visit(letter.doorstep(), arena);
            MemberId dialler = new MemberId(letter.dialler());
            describe(shared, 1);
            ShmLink.Peers peers = new ShmLink.Peers(self(), dialler, pid);
            ShmLink link = link(peers, new ShmLink.Mapped(shared, 1, bell, arena));
            if (!shared.tryAnswer(LinkMemory.ACCEPTED, "")) {
                links.remove(link);
                throw new ShmException("its dial is over");
            }
            bell.knock();
            handOver(link);
            return true;
        } catch (ShmException e) {
            shared.tryAnswer(LinkMemory.REFUSED, String.valueOf(e.getMessage()));
            throw e;
        }
    }

    private void requireWelcome(int pid, LinkMemory.Letter letter) {
        MemberId dialler = new MemberId(letter.dialler());
        if (!letter.acceptorToken().equals(address.token())) {
            throw new ShmException("it does not know this endpoint's token");
        }
        if (letter.acceptor() != self().id()) {
            throw new ShmException(
                    "here is %s, not member %d".formatted(self(), letter.acceptor()));
        }
        if (letter.doorstep().pid() != pid) {
            throw new ShmException("it says that it is process " + letter.doorstep().pid());
        }
        if (!settings.isMember().test(dialler)) {
            throw new ShmException(dialler + " is no member here");
        }
    }

    private void handOver(ShmLink link) {
        try {
            settings.onLink().accept(link);
            settings.wakeUp().run();
        } catch (RuntimeException e) {
            link.close("this member could not take the link: " + e);
        }
    }

    private void tellRefused(int pid, String reason) {
        refusals.accept("visit of process " + pid + " to " + self() + ": " + reason);
    }

    /** Makes one end of a link and keeps it until it is released. */
    ShmLink link(ShmLink.Peers peers, ShmLink.Mapped mapped) {
        ShmLink link = new ShmLink(peers, mapped, settings.wakeUp(), links::remove);
        links.add(link);
        if (isClosed) {
            link.close(closeReason());
        }
        return link;
    }

    private String closeReason() {
        return "the endpoint of " + self() + " was closed";
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        doorstep.knock();
        awaitEnd();
        links.forEach(link -> link.close(closeReason()));
        links.forEach(ShmLink::release);
        memory.close();
    }

    private void awaitEnd() {
        if (Thread.currentThread() == thread) {
            return; // it ends as soon as whoever closes here returns
        }
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
