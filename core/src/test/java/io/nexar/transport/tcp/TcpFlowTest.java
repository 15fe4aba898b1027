package io.nexar.transport.tcp;

import static io.nexar.transport.LinkDriver.drive;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.transport.FrameHandler;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.LinkDriver;
import io.nexar.transport.LinkPair;
import io.nexar.transport.SendResult;
import io.nexar.transport.Waker;
import io.nexar.transport.tcp.TcpMembers.Wish;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Windows far below a frame, places of payloads, and ends in the middle of everything. */
@Timeout(60)
@SuppressWarnings("NullAway.Init") // Each test opens its links first.
class TcpFlowTest {
    private static final Limits TINY = new Limits(16, 10_000_000_000L, 64 * 1024);

    private final Waker waker = new Waker();
    private LinkPair pair;
    private LinkDriver left;
    private LinkDriver right;

    private void open(Protection protection) throws Exception {
        open(protection, TINY);
    }

    private void open(Protection protection, Limits limits) throws Exception {
        Wish wish = Wish.plain().with(protection).with(limits).with((Runnable) waker);
        pair = TcpMembers.pair(wish, wish);
        left = new LinkDriver(pair.left(), waker);
        right = new LinkDriver(pair.right(), waker);
    }

    /** With somebody in between who lets as much pass as a test wants. */
    private Between openThroughAValve() throws Exception {
        Wish wish = Wish.plain().with(TINY).with((Runnable) waker);
        TcpMembers.Job job = new TcpMembers.Job("valve");
        TcpMembers.Member one = new TcpMembers.Member(3, job.identity(3), wish);
        TcpMembers.Member two = new TcpMembers.Member(5, job.identity(5), wish);
        Between between = new Between(two.endpoint.address().candidates().getFirst());
        Link dialled = TcpMembers.dial(one, two, between.address());
        pair =
                new LinkPair(
                        dialled,
                        two.takeAccepted(),
                        () -> {
                            between.close();
                            one.close();
                            two.close();
                        });
        left = new LinkDriver(pair.left(), waker);
        right = new LinkDriver(pair.right(), waker);
        return between;
    }

    @AfterEach
    void close() throws Exception {
        if (pair != null) {
            pair.close();
        }
    }

    @ParameterizedTest
    @EnumSource(Protection.class)
    void framesOfAnySizePassWindowsThatAreSmallerThanThey(Protection protection) throws Exception {
        // Pitfall 64: frames larger than the window, eight lanes at once, both ways.
        open(protection);
        Random random = new Random(64);
        int frames = 60;
        List<MemorySegment> sent = new ArrayList<>();
        for (int i = 0; i < frames; i++) {
            int bytes = random.nextInt(4) == 0 ? 256 * 1024 : random.nextInt(20_000);
            sent.add(random.nextBoolean() ? heap(bytes, i) : lendable(bytes, i));
        }
        int[] next = {0, 0};
        List<LinkDriver> both = List.of(left, right);
        while (next[0] < frames || next[1] < frames) {
            for (int side = 0; side < 2; side++) {
                if (next[side] < frames && isTaken(both.get(side), next[side], sent)) {
                    next[side]++;
                }
            }
            LinkDriver.driveOnce(left, right);
        }
        drive(
                () -> left.arrived().size() == frames && right.arrived().size() == frames,
                left,
                right);
        for (LinkDriver side : both) {
            for (LinkDriver.Arrived frame : side.arrived()) {
                MemorySegment expected = sent.get((int) frame.header().sequence());
                assertThat(MemorySegment.ofArray(frame.payload()).mismatch(expected)).isEqualTo(-1);
            }
        }
    }

    private static boolean isTaken(LinkDriver side, int number, List<MemorySegment> sent) {
        return side.trySend(Lane.of(number % Lane.COUNT), header(number), sent.get(number), number)
                != SendResult.REFUSED;
    }

    @ParameterizedTest
    @EnumSource(Protection.class)
    void aPayloadLandsInThePlaceThatIsNamed(Protection protection) throws Exception {
        open(protection);
        MemorySegment automatic = Arena.ofAuto().allocate(200_000, 64);
        MemorySegment heap = MemorySegment.ofArray(new float[50_000]);
        try (Arena arena = Arena.ofShared()) {
            for (MemorySegment place : List.of(automatic, heap, arena.allocate(200_000, 64))) {
                Places places = new Places(place);
                right.handler(places);
                MemorySegment sent = lendable(200_000, 7);
                left.send(Lane.BULK, header(1), sent, 1);
                drive(() -> places.shown != null, left, right);
                assertThat(places.shown).isEqualTo(place);
                assertThat(place.mismatch(sent)).isEqualTo(-1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Protection.class)
    void aPollThatWritesOnSaysThatItDidSomething(Protection protection) throws Exception {
        open(protection, new Limits(16, 10_000_000_000L, 64 * 1024 * 1024));
        MemorySegment payload = lendable(256 * 1024, 9);
        Link sender = pair.left();
        int frames = 0;
        do { // until the sockets are full
            left.send(Lane.BULK, header(frames++), payload, 1);
            sender.flush();
        } while (sender.queuedBytes() == 0);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (true) {
            long before = sender.queuedBytes();
            int work = left.poll();
            if (sender.queuedBytes() < before) {
                assertThat(work).as("work of a poll that wrote").isPositive();
                assertThat(left.told()).isEmpty();
                return;
            }
            // A frame at a time: what the receiver has handled is not worth telling yet.
            pair.right().poll((link, lane, header, shown) -> {}, 1);
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
        }
    }

    @Test
    void aPollForNoFramesStillTellsOfWhatWasSent() throws Exception {
        open(Protection.TLS);
        left.send(Lane.BULK, header(1), lendable(20_000, 3), 11);
        drive(() -> right.arrived().size() == 1, left, right);
        right.send(Lane.CONTROL, header(2), heap(10, 1), -1);
        right.link().flush();
        while (left.told().isEmpty()) {
            right.poll();
            left.link()
                    .poll(
                            (link, lane, header, payload) -> {
                                throw new AssertionError("a frame, though none was asked for");
                            },
                            0);
        }
        assertThat(left.told()).containsExactly(11L);
        drive(() -> left.arrived().size() == 1, left, right);
    }

    @Test
    void aPlaceThatVanishesIsNotWrittenAnyMoreAndTheLinkGoesOn() throws Exception {
        // A call that fails in the middle of a transfer leaves no half frame behind.
        Between between = openThroughAValve();
        MemorySegment place = Arena.ofAuto().allocate(256 * 1024, 64);
        Places places = new Places(place);
        MemorySegment sent = lendable(256 * 1024, 9);
        beginTransfer(between, sent, places);
        while (places.asked == 0) {
            right.poll();
        }
        places.place = null;
        place.fill((byte) 0x55);
        between.release();
        drive(() -> places.shown != null, left, right);
        assertThat(places.shown).isNotEqualTo(place);
        assertThat(places.shown()).hasSize(256 * 1024);
        right.handler(new Places(null));
        LinkDriver checked = new LinkDriver(pair.right(), waker);
        left.send(Lane.BULK, header(2), sent, 2);
        drive(() -> checked.arrived().size() == 1, left, checked);
        assertThat(MemorySegment.ofArray(checked.arrived().getFirst().payload()).mismatch(sent))
                .isEqualTo(-1);
    }

    @Test
    void aPayloadWhosePlaceMovesGoesOnThere() throws Exception {
        // A receive that gives up in the middle of a frame, whose message is kept for the next one.
        Between between = openThroughAValve();
        MemorySegment place = Arena.ofAuto().allocate(256 * 1024, 64);
        Places places = new Places(place);
        MemorySegment sent = lendable(256 * 1024, 9);
        beginTransfer(between, sent, places);
        while (place.mismatch(sent) < 16 * 1024) {
            right.poll();
        }
        MemorySegment other = Arena.ofAuto().allocate(256 * 1024, 64).copyFrom(place);
        places.place = other;
        place.fill((byte) 0x55);
        between.release();
        drive(() -> places.shown != null, left, right);
        assertThat(places.shown).isEqualTo(other);
        assertThat(other.mismatch(sent)).isEqualTo(-1);
        assertThat(place.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0x55);
    }

    /** Part of a frame passes, and stands still until the valve is released. */
    private void beginTransfer(Between between, MemorySegment sent, Places places)
            throws Exception {
        between.hold(100_000); // no whole frame
        right.handler(places);
        left.send(Lane.BULK, header(1), sent, 1);
        left.link().flush();
    }

    @Test
    @SuppressWarnings("MustBeClosedChecker") // When it closes is what the test is about.
    void aPlaceWhoseMemoryIsClosedMeanwhileLosesItsFrameOnly() throws Exception {
        Between between = openThroughAValve();
        Arena arena = Arena.ofShared();
        Places places = new Places(arena.allocate(256 * 1024, 64));
        beginTransfer(between, lendable(256 * 1024, 9), places);
        while (places.asked == 0) {
            right.poll();
        }
        arena.close();
        between.release();
        drive(() -> places.shown != null, left, right);
        assertThat(places.shown()).hasSize(256 * 1024);
        assertThat(pair.right().closeCause()).isNull();
    }

    @Test
    void linksThatAreClosedAtRandomUnderLoadEndAndNothingElseHappens() throws Exception {
        // Pitfall 98: writes, polls and closes from eight threads at once.
        int rounds = Boolean.getBoolean("nexar.test.full") ? 200 : 6;
        TcpMembers.Job job = new TcpMembers.Job("random");
        try (TcpMembers.Member one = new TcpMembers.Member(1, job.identity(1), Wish.plain());
                TcpMembers.Member two = new TcpMembers.Member(2, job.identity(2), Wish.plain())) {
            for (int round = 0; round < rounds; round++) {
                List<CompletableFuture<Void>> running = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    Link dialled = TcpMembers.dial(one, two);
                    Link accepted = two.takeAccepted();
                    running.add(start(() -> hammer(dialled)));
                    running.add(start(() -> hammer(accepted)));
                    running.add(start(() -> closeSoon(dialled)));
                    running.add(start(() -> closeSoon(accepted)));
                }
                for (CompletableFuture<Void> each : running) {
                    each.get(20, TimeUnit.SECONDS);
                }
            }
        }
    }

    /** The common pool may have one thread, and these wait for each other. */
    private static CompletableFuture<Void> start(Runnable task) {
        return CompletableFuture.runAsync(task, run -> new Thread(run, "random").start());
    }

    private static void closeSoon(Link link) {
        for (int spins = ThreadLocalRandom.current().nextInt(200_000); spins > 0; spins--) {
            Thread.onSpinWait();
        }
        link.close("at random");
    }

    private static void hammer(Link link) {
        long[] told = {0};
        long pending = 0;
        MemorySegment small = heap(100, 1);
        MemorySegment large = lendable(100_000, 2);
        FrameHeader header = header(1);
        for (int i = 0; link.closeCause() == null; i++) {
            MemorySegment payload = i % 3 == 0 ? large : small;
            header.payloadBytes(payload.byteSize());
            SendResult result =
                    link.trySend(Lane.of(i % 4), header, payload, token -> told[0]++, i);
            pending += result == SendResult.PENDING ? 1 : 0;
            link.flush();
            link.poll((from, lane, got, bytes) -> {}, 16);
        }
        while (link.isReady()) {
            link.poll((from, lane, got, bytes) -> {}, 16);
        }
        assertThat(told[0]).as("of %d lent payloads", pending).isEqualTo(pending);
        assertThat(link.isClosed()).isTrue();
    }

    /** Names one place for every payload. */
    private static final class Places implements FrameHandler {
        @Nullable MemorySegment place;
        @Nullable MemorySegment shown;
        int asked;

        Places(@Nullable MemorySegment place) {
            this.place = place;
        }

        byte[] shown() {
            return java.util.Objects.requireNonNull(shown).toArray(ValueLayout.JAVA_BYTE);
        }

        @Override
        public void onFrame(Link link, Lane lane, FrameHeader header, MemorySegment payload) {
            shown = payload;
        }

        @Override
        public @Nullable MemorySegment destination(Link link, Lane lane, FrameHeader header) {
            asked++;
            return place;
        }
    }

    private static FrameHeader header(int number) {
        return new FrameHeader().reset(FrameKind.DATA).sequence(number);
    }

    private static MemorySegment heap(int bytes, int seed) {
        byte[] content = new byte[bytes];
        new Random(seed).nextBytes(content);
        return MemorySegment.ofArray(content);
    }

    private static MemorySegment lendable(int bytes, int seed) {
        MemorySegment memory = Arena.ofAuto().allocate(bytes, 64);
        return memory.copyFrom(
                MemorySegment.ofArray(heap(bytes, seed).toArray(ValueLayout.JAVA_BYTE)));
    }
}
