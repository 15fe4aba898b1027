package io.nexar.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.DeadlineException;
import io.nexar.MemberId;
import io.nexar.RendezvousException;
import io.nexar.transport.Endpoint;
import io.nexar.transport.Link;
import io.nexar.transport.PeerAddress;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Dials that must fail: each says why, and the endpoint that was dialled goes on. */
@Timeout(60)
class ShmDialTest {
    private static final long SEED = 20_260_301;
    private static final MemberId A = new MemberId(0);
    private static final MemberId B = new MemberId(1);

    private final BlockingQueue<Link> accepted = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> refusals = new LinkedBlockingQueue<>();
    private final List<Endpoint> opened = new ArrayList<>();

    @AfterEach
    void closeAll() {
        opened.forEach(Endpoint::close);
    }

    @Test
    void aStrangerIsRefusedByTheMemberItDials() throws Exception {
        ShmEndpoint a = open(A, any -> true);
        ShmEndpoint b = open(B, any -> false);
        assertRefused(dial(a, B, b.address()), "refuses: member 0 is no member here");
        assertThat(refusals.poll(10, TimeUnit.SECONDS)).contains("member 0 is no member here");
        assertThat(accepted).isEmpty();
    }

    @Test
    void whoIsNotWhomTheDiallerMeansIsNotLinked() {
        ShmEndpoint a = open(A, any -> true);
        ShmEndpoint b = open(B, any -> true);
        assertRefused(dial(a, new MemberId(7), b.address()), "is member 1");
        assertRefused(dial(a, A, a.address()), "that is this member itself");
        ShmAddress own = b.own();
        ShmAddress other = new ShmAddress(own.host(), own.pid(), own.descriptor(), new Token(1, 2));
        assertRefused(dial(a, B, address(other)), "has another token");
        assertThat(accepted).isEmpty();
        assertLinks(a, b);
    }

    @Test
    void whoCanNotShareMemoryIsNotLinkedAndIsToldWhy() {
        ShmEndpoint a = open(A, any -> true);
        ShmEndpoint b = open(B, any -> true);
        ShmAddress.Host host = b.own().host();
        String otherBoot = "0" + host.bootId().substring(1);
        if (otherBoot.equals(host.bootId())) {
            otherBoot = "1" + host.bootId().substring(1);
        }
        List.of(
                        new ShmAddress.Host(otherBoot, host.pidNamespace(), host.user()),
                        new ShmAddress.Host(host.bootId(), 17, host.user()),
                        new ShmAddress.Host(host.bootId(), host.pidNamespace(), 4711))
                .forEach(elsewhere -> {
                    PeerAddress there = address(at(b, elsewhere));
                    assertThat(ShmTransport.canShare(a.address(), there)).isFalse();
                    assertRefused(dial(a, B, there), "it runs");
                });
        assertThat(ShmTransport.canShare(a.address(), b.address())).isTrue();
        PeerAddress garbage = new PeerAddress("shm", List.of("garbage"));
        assertThat(ShmTransport.canShare(a.address(), garbage)).isFalse();
    }

    @Test
    void addressesThatLeadNowhereAreRefusedAtOnce() {
        ShmEndpoint a = open(A, any -> true);
        ShmEndpoint b = open(B, any -> true);
        ShmAddress own = b.own();
        int noProcess = Integer.MAX_VALUE >> 2;
        assertRefused(dial(a, B, address(at(own, noProcess, 3))), "can't be looked at");
        assertRefused(dial(a, B, address(at(own, own.pid(), 0))), "and not shared memory");
        assertRefused(dial(a, B, new PeerAddress("shm", List.of())), "it has no address");
        assertRefused(dial(a, B, new PeerAddress("shm", List.of("x/y"))), "not an address");
        b.close();
        assertRefused(dial(a, B, b.address()), "/proc/" + own.pid());
        a.close();
        assertRefused(dial(a, B, b.address()), "the endpoint of member 0 was closed");
    }

    @Test
    void theFirstCandidateThatWorksIsTaken() throws Exception {
        ShmEndpoint a = open(A, any -> true);
        ShmEndpoint b = open(B, any -> true);
        List<String> candidates = List.of("nonsense", b.address().candidates().getFirst());
        assertThat(dial(a, B, new PeerAddress("shm", candidates)).get().peer()).isEqualTo(B);
    }

    @Test
    void garbageOnTheDoorstepIsRefusedAndTheNextVisitorIsServed() throws Exception {
        ShmEndpoint a = open(A, any -> true);
        ShmEndpoint b = open(B, any -> true);
        Random random = new Random(SEED);
        try (Arena arena = Arena.ofShared()) {
            Doorstep there = Doorstep.visit(b.own(), arena);
            for (int i = 0; i < 100; i++) {
                int pid = i % 2 == 0 ? random.nextInt() : b.own().pid();
                assertThat(there.tryLeave(pid, random.nextInt(100))).as("seed %s", SEED).isTrue();
                assertThat(refusals.poll(10, TimeUnit.SECONDS)).contains("to member 1");
            }
        }
        assertLinks(a, b);
    }

    @Test
    void lettersThatLieAreRefused() throws Exception {
        ShmEndpoint a = open(A, any -> true);
        ShmEndpoint b = open(B, any -> true);
        Token right = b.own().token();
        ShmAddress home = a.own();
        visit(b, new LinkMemory.Letter(0, 1, new Token(3, 4), home), "endpoint's token");
        visit(b, new LinkMemory.Letter(0, 2, right, home), "here is member 1, not member 2");
        visit(b, new LinkMemory.Letter(0, 1, right, at(home, 1, 3)), "that it is process 1");
        visit(b, new LinkMemory.Letter(0, 1, right, at(home, home.pid(), 0)), "not shared memory");
        ShmAddress otherToken =
                new ShmAddress(home.host(), home.pid(), home.descriptor(), new Token(5, 6));
        visit(b, new LinkMemory.Letter(0, 1, right, otherToken), "has another token");
        assertThat(accepted).isEmpty();
        assertLinks(a, b);
    }

    @Test
    void aDialThatNobodyAnswersEndsAtItsDeadline() throws Exception {
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        ShmEndpoint a = open(A, any -> true);
        ShmEndpoint b =
                open(
                        B,
                        any -> {
                            isHeld.countDown();
                            return await(mayGoOn);
                        });
        CompletableFuture<Link> first = dial(a, B, b.address());
        isHeld.await();
        long timeout = TimeUnit.MILLISECONDS.toNanos(50);
        CompletableFuture<Link> second = a.connect(B, b.address(), timeout);
        assertThatThrownBy(second::join)
                .hasCauseInstanceOf(DeadlineException.class)
                .hasMessageContaining("no answer");
        mayGoOn.countDown();
        assertThat(first.get(10, TimeUnit.SECONDS).peer()).isEqualTo(B);
        assertThat(accepted.poll(10, TimeUnit.SECONDS)).isNotNull();
        assertLinks(a, b);
    }

    @Test
    void closingAnEndpointFailsItsDialsAndClosesItsLinks() throws Exception {
        CountDownLatch isHeld = new CountDownLatch(1);
        CountDownLatch mayGoOn = new CountDownLatch(1);
        ShmEndpoint a = open(A, any -> true);
        ShmEndpoint b = open(B, any -> true);
        ShmEndpoint c =
                open(
                        new MemberId(2),
                        any -> {
                            isHeld.countDown();
                            return await(mayGoOn);
                        });
        Link link = dial(a, B, b.address()).get();
        Link other = accepted.poll(10, TimeUnit.SECONDS);
        CompletableFuture<Link> pending = dial(a, new MemberId(2), c.address());
        isHeld.await();
        a.close();
        assertRefused(pending, "the endpoint of member 0 was closed");
        assertThat(link.isClosed()).isTrue();
        assertThat(other).isNotNull();
        assertThat(other.isClosed()).isTrue();
        assertThat(other.closeCause()).contains("the endpoint of member 0 was closed");
        mayGoOn.countDown();
        assertLinks(open(A, any -> true), b);
    }

    private void visit(ShmEndpoint to, LinkMemory.Letter letter, String reason) throws Exception {
        try (Arena arena = Arena.ofShared();
                SharedMemory memory = SharedMemory.make(LinkMemory.BYTES)) {
            LinkMemory.map(memory, arena).write(letter);
            Doorstep there = Doorstep.visit(to.own(), arena);
            assertThat(there.tryLeave(to.own().pid(), memory.descriptor())).isTrue();
            assertThat(refusals.poll(10, TimeUnit.SECONDS)).contains(reason);
        }
    }

    private void assertLinks(ShmEndpoint from, ShmEndpoint to) {
        accepted.clear();
        Link link = dial(from, to.self(), to.address()).join();
        assertThat(link.peer()).isEqualTo(to.self());
        try {
            assertThat(accepted.poll(10, TimeUnit.SECONDS)).isNotNull();
        } catch (InterruptedException e) {
            throw new AssertionError("the test was interrupted", e);
        }
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError("the test was interrupted", e);
        }
    }

    private ShmEndpoint open(MemberId self, Predicate<MemberId> isMember) {
        Consumer<Link> keep = accepted::add;
        ShmEndpoint endpoint =
                ShmMembers.open(ShmMembers.settings(self, isMember, keep, () -> {}), refusals::add);
        opened.add(endpoint);
        return endpoint;
    }

    private static CompletableFuture<Link> dial(ShmEndpoint from, MemberId to, PeerAddress at) {
        return from.connect(to, at, ShmMembers.DIAL_NANOS);
    }

    private static ShmAddress at(ShmEndpoint endpoint, ShmAddress.Host host) {
        ShmAddress own = endpoint.own();
        return new ShmAddress(host, own.pid(), own.descriptor(), own.token());
    }

    private static ShmAddress at(ShmAddress own, int pid, int descriptor) {
        return new ShmAddress(own.host(), pid, descriptor, own.token());
    }

    private static PeerAddress address(ShmAddress address) {
        return new PeerAddress("shm", List.of(address.candidate()));
    }

    private static void assertRefused(CompletableFuture<Link> dial, String reason) {
        assertThatThrownBy(dial::join)
                .hasCauseInstanceOf(RendezvousException.class)
                .hasMessageContaining(reason);
    }
}
