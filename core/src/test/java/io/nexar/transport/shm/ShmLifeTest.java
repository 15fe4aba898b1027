package io.nexar.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.MemberId;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.SendResult;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/** What a link leaves behind, and who may close it when. */
@Timeout(120)
class ShmLifeTest {
    private static final long SEED = 20_260_505;
    private static final MemberId A = new MemberId(0);
    private static final MemberId B = new MemberId(1);
    private final BlockingQueue<Link> accepted = new LinkedBlockingQueue<>();

    @Test
    void aThousandLinksLeaveNothingBehind() throws Exception {
        // Pitfall 97: what was destroyed gives its memory and descriptors back.
        try (ShmEndpoint a = open(A);
                ShmEndpoint b = open(B)) {
            openAndClose(a, b);
            SharedState before = SharedState.own();
            for (int i = 0; i < 1000; i++) {
                openAndClose(a, b);
            }
            assertThat(SharedState.own()).isEqualTo(before);
        }
    }

    private void openAndClose(ShmEndpoint a, ShmEndpoint b) throws Exception {
        Link link = a.connect(B, b.address(), ShmMembers.DIAL_NANOS).get();
        Link other = accepted.take();
        send(link, 1000);
        link.close("done");
        link.poll((l, lane, header, payload) -> {}, 1);
        while (!other.isClosed()) {
            other.poll((l, lane, header, payload) -> {}, 1);
        }
        other.poll((l, lane, header, payload) -> {}, 1);
    }

    @Test
    void closedLinksThatNobodyPollsAreUnmappedAllTheSame() throws Exception {
        try (ShmEndpoint a = open(A);
                ShmEndpoint b = open(B)) {
            SharedState before = SharedState.own();
            Link link = a.connect(B, b.address(), ShmMembers.DIAL_NANOS).get();
            assertThat(SharedState.own().mappings()).isGreaterThan(before.mappings());
            link.close("nobody polls");
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
            while (!SharedState.own().equals(before)) {
                assertThat(System.nanoTime()).isLessThan(deadline);
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void anEndpointThatClosesTakesAllWithIt() throws Exception {
        SharedState before = SharedState.own();
        Link link;
        try (ShmEndpoint a = open(A);
                ShmEndpoint b = open(B)) {
            link = a.connect(B, b.address(), ShmMembers.DIAL_NANOS).get();
        }
        assertThat(link.isClosed()).isTrue();
        assertThat(link.queuedBytes()).isZero();
        assertThat(send(link, 10)).isEqualTo(SendResult.REFUSED);
        link.flush();
        assertThat(link.poll((l, lane, header, payload) -> {}, 1)).isZero();
        assertThat(link.isReady()).isFalse();
        assertThat(SharedState.own().descriptors()).isEqualTo(before.descriptors());
    }

    @Test
    void closingFromAnywhereAtAnyTimeHarmsNobody() throws Exception {
        // Pitfall 98: threads that write, poll, close and cancel at random crash no JVM.
        long seconds = Boolean.getBoolean("nexar.test.full") ? 600 : 2;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (int round = 0; System.nanoTime() < end; round++) {
            Random random = new Random(SEED + round);
            ShmEndpoint a = open(A);
            ShmEndpoint b = open(B);
            AtomicBoolean isOver = new AtomicBoolean();
            List<CompletableFuture<Void>> work =
                    IntStream.range(0, 4)
                            .mapToObj(i -> connect(a, b))
                            .flatMap(pair -> pair.stream())
                            .map(link -> CompletableFuture.runAsync(() -> use(link, isOver)))
                            .toList();
            spin(random.nextInt(200_000));
            List<Thread> closers = List.of(closer(random, a::close), closer(random, b::close));
            for (Thread closer : closers) {
                closer.join();
            }
            isOver.set(true);
            for (CompletableFuture<Void> done : work) {
                done.get(30, TimeUnit.SECONDS);
            }
        }
    }

    private static Thread closer(Random random, Runnable close) {
        int spins = random.nextInt(200_000);
        return Thread.ofPlatform()
                .start(() -> {
                    spin(spins);
                    close.run();
                });
    }

    private List<Link> connect(ShmEndpoint a, ShmEndpoint b) {
        try {
            Link link = a.connect(B, b.address(), ShmMembers.DIAL_NANOS).get();
            return List.of(link, accepted.take());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** As a rank does, until the link is closed under it. */
    private static void use(Link link, AtomicBoolean isOver) {
        Random random = new Random(SEED);
        while (!link.isClosed() && !isOver.get()) {
            send(link, random.nextInt(100_000));
            link.flush();
            link.poll((l, lane, header, payload) -> payload.asSlice(0).fill((byte) 0), 8);
            if (random.nextInt(2000) == 0) {
                link.close("at random");
            }
        }
        Thread.interrupted(); // HotSpot's, of the arena that closed
    }

    private static SendResult send(Link link, int bytes) {
        FrameHeader header = new FrameHeader().reset(FrameKind.MESSAGE).payloadBytes(bytes);
        MemorySegment payload = Arena.ofAuto().allocate(Math.max(1, bytes)).asSlice(0, bytes);
        return link.trySend(Lane.BULK, header, payload, token -> {}, 0);
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    private ShmEndpoint open(MemberId self) throws IOException {
        return ShmMembers.open(
                ShmMembers.settings(self, any -> true, accepted::add, () -> {}), refusal -> {});
    }
}
