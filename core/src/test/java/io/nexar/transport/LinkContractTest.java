package io.nexar.transport;

import static io.nexar.transport.LinkDriver.drive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.ProtocolException;
import io.nexar.transport.LinkDriver.Arrived;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** What every transport's links promise. Each transport extends it. */
@Timeout(60)
public abstract class LinkContractTest extends LinkPlacesTest {
    @Test
    void framesOfALaneArriveInOrderWithTheirContent() {
        Random random = new Random(SEED);
        int frames = 400;
        for (int i = 0; i < frames; i++) {
            for (Lane lane : Lane.values()) {
                int bytes = random.nextInt(1000);
                sendWhileBothPoll(lane, header(i), pattern(bytes, lane.ordinal() * 31 + i));
            }
        }
        drive(() -> right.arrived().size() == frames * Lane.COUNT, left, right);
        for (Lane lane : Lane.values()) {
            List<Arrived> arrived = right.arrived(lane);
            for (int i = 0; i < frames; i++) {
                assertFrame(arrived.get(i), header(i), lane.ordinal() * 31 + i);
            }
        }
    }

    @Test
    void everyPayloadSizeArrivesWholeFromHeapAndNativeMemory() {
        try (Arena arena = Arena.ofShared()) {
            List<MemorySegment> payloads = new ArrayList<>();
            for (int bytes : SIZES) {
                MemorySegment heap = pattern(bytes, bytes);
                payloads.add(heap);
                // Odd places: nothing may count on alignment.
                payloads.add(arena.allocate(bytes + 3L).asSlice(3, bytes).copyFrom(heap));
                payloads.add(MemorySegment.ofArray(new byte[bytes + 7]).asSlice(7).copyFrom(heap));
            }
            for (int i = 0; i < payloads.size(); i++) {
                sendWhileBothPoll(Lane.of(i % Lane.COUNT), header(i), payloads.get(i));
            }
            drive(() -> right.arrived().size() == payloads.size(), left, right);
            for (Arrived frame : right.arrived()) {
                MemorySegment sent = payloads.get((int) frame.header().sequence());
                assertThat(frame.payload()).isEqualTo(sent.toArray(ValueLayout.JAVA_BYTE));
            }
            drive(() -> left.told().size() == pending, left, right);
        }
    }

    @Test
    void extremeHeaderFieldsArriveUnchanged() {
        List<FrameHeader> sent = new ArrayList<>();
        for (FrameKind kind : userKinds()) {
            sent.add(new FrameHeader().reset(kind));
            sent.add(
                    new FrameHeader()
                            .reset(kind)
                            .flags(0xFF)
                            .fragment(0xFFFF)
                            .channel(-1)
                            .tag(Integer.MIN_VALUE)
                            .sequence(-1)
                            .offset(Long.MAX_VALUE)
                            .extra(Long.MIN_VALUE));
        }
        sent.forEach(header -> sendWhileBothPoll(Lane.MESSAGE, header, pattern(0, 0)));
        drive(() -> right.arrived().size() == sent.size(), left, right);
        assertThat(right.arrived()).extracting(Arrived::header).containsExactlyElementsOf(sent);
    }

    @Test
    void memoryOfASendIsReadUntilItIsToldAndNotAfter() {
        int frames = 100;
        MemorySegment[] memory = new MemorySegment[frames];
        for (int i = 0; i < frames; i++) {
            memory[i] = pattern(SIZES[i % SIZES.length], i);
            if (sendWhileBothPoll(Lane.COLLECTIVE, header(i), memory[i]) == SendResult.SENT) {
                memory[i].fill((byte) 0xEE);
            }
            left.told().forEach(token -> memory[token.intValue()].fill((byte) 0xEE));
        }
        drive(() -> right.arrived().size() == frames && left.told().size() == pending, left, right);
        for (int i = 0; i < frames; i++) {
            assertFrame(right.arrived().get(i), header(i), i);
        }
        assertThat(left.told()).doesNotHaveDuplicates();
    }

    @Test
    void aReceiverThatDoesNotPollHoldsItsSenderBackWithoutLoss() throws Exception {
        int bytes = 64 * 1024;
        List<MemorySegment> sent = fill(Lane.BULK, bytes);
        assertThat((long) sent.size() * bytes).isBetween((long) bytes, unpolledBytesMax());
        for (Lane lane : List.of(Lane.CONTROL, Lane.MESSAGE, Lane.COLLECTIVE)) {
            assertThat(left.trySend(lane, header(7), pattern(40, 7), -1))
                    .as("%s while BULK is full", lane)
                    .isNotEqualTo(SendResult.REFUSED);
        }
        left.link().flush();
        drive(() -> right.arrived().size() == sent.size() + 3, left, right);
        List<Arrived> bulk = right.arrived(Lane.BULK);
        for (int i = 0; i < sent.size(); i++) {
            assertFrame(bulk.get(i), header(i), i);
        }
        assertFrame(right.arrived(Lane.CONTROL).getFirst(), header(7), 7);
    }

    @Test
    void smallFramesPassWhileABulkTransferIsUnderWay() {
        int bulkFrames = 1024;
        MemorySegment piece = pattern(64 * 1024, 5);
        int rounds = 1000;
        int[] done = {0};
        right.handler((link, lane, header, payload) -> {
            if (lane != Lane.BULK) {
                right.send(lane, new FrameHeader().copyFrom(header), pattern(8, 1), -1);
                link.flush();
            } else {
                done[0]++;
            }
        });
        int offered = 0;
        for (int round = 0; round < rounds; round++) {
            while (offered < bulkFrames
                    && left.trySend(Lane.BULK, header(offered), piece, offered)
                            != SendResult.REFUSED) {
                offered++;
            }
            Lane lane = round % 2 == 0 ? Lane.CONTROL : Lane.MESSAGE;
            assertThat(left.trySend(lane, header(round), pattern(8, round), -1))
                    .isEqualTo(SendResult.SENT);
            int expected = round + 1;
            drive(() -> left.arrived().size() == expected, left, right);
        }
        while (offered < bulkFrames) {
            if (left.trySend(Lane.BULK, header(offered), piece, offered) != SendResult.REFUSED) {
                offered++;
            } else {
                LinkDriver.driveOnce(left, right);
            }
        }
        drive(() -> done[0] == bulkFrames, left, right);
    }

    @Test
    void framesThatArrivedBeforeACloseAreStillDelivered() {
        left.send(Lane.MESSAGE, header(1), pattern(100, 1), -1);
        left.link().flush();
        awaitReady(right);
        left.link().close("done early");
        drive(() -> right.link().isClosed(), right);
        assertFrame(right.arrived().getFirst(), header(1), 1);
        assertThat(right.link().closeCause()).contains("done early");
    }

    @Test
    void theReasonOfACloseStandsOnBothSides() {
        assertThat(left.link().closeCause()).isNull();
        assertThat(left.link().isClosed()).isFalse();
        left.link().close("first reason");
        left.link().close("second reason");
        drive(() -> left.link().isClosed() && right.link().isClosed(), left, right);
        assertThat(left.link().closeCause())
                .contains("first reason", String.valueOf(left.link().peer().id()))
                .doesNotContain("second reason");
        assertThat(right.link().closeCause())
                .contains("first reason", String.valueOf(right.link().peer().id()));
    }

    @Test
    void aLinkCanBeClosedFromAnyThreadAndTheOwnPollerIsWoken() {
        CompletableFuture.runAsync(() -> left.link().close("from elsewhere"));
        drive(() -> left.link().isClosed() && right.link().isClosed(), left, right);
        assertThat(right.link().closeCause()).contains("from elsewhere");
    }

    @Test
    void aClosedLinkTakesNothing() {
        left.link().close("over");
        assertThat(left.trySend(Lane.CONTROL, header(0), pattern(0, 0), 1))
                .isEqualTo(SendResult.REFUSED);
        drive(() -> right.link().isClosed(), right);
        assertThat(right.trySend(Lane.BULK, header(0), pattern(1000, 0), 1))
                .isEqualTo(SendResult.REFUSED);
        assertThat(right.told()).isEmpty();
    }

    @Test
    void aHandlerThatThrowsClosesTheLinkOnBothSides() {
        left.send(Lane.MESSAGE, header(0), pattern(10, 0), -1);
        right.handler((link, lane, header, payload) -> {
            throw new ProtocolException("tag 9 is not one of ours");
        });
        assertThatThrownBy(() -> drive(() -> false, left, right))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("tag 9");
        drive(() -> left.link().isClosed() && right.link().isClosed(), left, right);
        assertThat(left.link().closeCause()).contains("tag 9 is not one of ours");
    }

    @Test
    void pendingSendsAreToldWhenTheSenderCloses() throws Exception {
        fill(Lane.COLLECTIVE, 64 * 1024);
        left.link().close("giving up");
        drive(() -> left.link().isClosed(), left);
        assertThat(left.told()).hasSize((int) pending);
        if (isCloseSure()) {
            drive(() -> right.link().isClosed(), right);
        }
        for (int i = 0; i < right.arrived().size(); i++) {
            assertFrame(right.arrived().get(i), header(i), i);
        }
    }

    @Test
    void pendingSendsAreToldWhenTheReceiverCloses() throws Exception {
        fill(Lane.COLLECTIVE, 64 * 1024);
        right.link().close("not interested");
        drive(() -> left.link().isClosed(), left);
        assertThat(left.told()).hasSize((int) pending);
        assertThat(left.link().closeCause()).contains("not interested");
    }

    @Test
    void anIdleLinkIsNotReadyAndAFrameMakesItReady() {
        drive(() -> !left.link().isReady() && !right.link().isReady(), left, right);
        assertThat(left.poll() + right.poll()).isZero();
        left.send(Lane.CONTROL, header(3), pattern(3, 3), -1);
        left.link().flush();
        awaitReady(right);
        assertThat(right.poll()).isEqualTo(1);
        assertFrame(right.arrived().getFirst(), header(3), 3);
    }

    @Test
    void aPollDeliversNoMoreFramesThanAskedFor() {
        IntStream.range(0, 10).forEach(i -> left.send(Lane.MESSAGE, header(i), pattern(20, i), -1));
        left.link().flush();
        int[] count = {0};
        while (count[0] < 10) {
            awaitReady(right);
            int before = count[0];
            right.link().poll((link, lane, header, payload) -> count[0]++, 3);
            assertThat(count[0] - before).isLessThanOrEqualTo(3);
        }
    }

    @Test
    void noWakeUpIsLostInTenThousandPingPongs() throws Exception {
        int rounds = 10_000;
        Waker leftWaker = newWaker();
        Waker rightWaker = newWaker();
        try (LinkPair two = open(leftWaker, rightWaker)) {
            LinkDriver ping = new LinkDriver(two.left(), leftWaker);
            LinkDriver pong = new LinkDriver(two.right(), rightWaker);
            CompletableFuture<Void> answering =
                    CompletableFuture.runAsync(() -> exchange(pong, rounds, false));
            exchange(ping, rounds, true);
            answering.get(LinkDriver.DEADLINE_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Every fifth frame is lent, so that completions wake somebody as well. */
    private static void exchange(LinkDriver driver, int rounds, boolean isFirst) {
        long[] next = {0};
        driver.handler((link, lane, header, payload) ->
                assertThat(header.sequence()).isEqualTo(next[0]++));
        MemorySegment small = pattern(8, 1);
        MemorySegment large = pattern(1000, 2);
        for (int round = 0; round < rounds; round++) {
            long expected = round + 1L;
            if (!isFirst) {
                drive(() -> next[0] == expected, driver);
            }
            driver.send(Lane.MESSAGE, header(round), round % 5 == 0 ? large : small, round);
            driver.link().flush();
            if (isFirst) {
                drive(() -> next[0] == expected, driver);
            }
        }
    }

    /** All but the one that a link may keep to itself. */
    private static List<FrameKind> userKinds() {
        return java.util.Arrays.stream(FrameKind.values())
                .filter(kind ->
                        kind != FrameKind.HEARTBEAT && kind.code() < FrameKind.SWITCH.code())
                .toList();
    }
}
