package io.nexar.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.TruncationException;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/** Payloads that are brought straight to their places, by a link that can. */
@Timeout(30)
class DestinationTest {
    private static final FabricSettings SETTINGS = new FabricSettings(4096, 256, 2 * 1064, 1000);

    /** Five frames of a thousand bytes and one of the rest. */
    private static final int LARGE = 5400;

    private static final int FRAMES = 6;

    /** Sent at once: less than the settings' limit. */
    private static final int SMALL = 200;

    private FabricPair pair;
    private final BringingLink bringing = new BringingLink();
    private Mailbox left;
    private Mailbox right;

    @BeforeEach
    void open() throws Exception {
        pair = new FabricPair(SETTINGS, bringing::around);
        pair.openBoth();
        left = pair.channels[0].messages();
        right = pair.channels[1].messages();
    }

    @AfterEach
    void close() throws Exception {
        pair.close();
    }

    @Test
    void aLargeMessageIsBroughtToTheMemoryOfItsReceive() {
        MemorySegment target = Arena.ofAuto().allocate(LARGE + 100);
        ReceiveOperation receive = right.receive(0, 7, target);
        left.send(1, 7, message(LARGE, 1));
        pair.settleUntil(receive::isDone);
        assertThat(receive.failure()).isNull();
        assertThat(bringing.brought()).isEqualTo(FRAMES);
        assertMessage(target, LARGE, 1);
        assertThat(target.asSlice(LARGE).toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
    }

    @Test
    void memoryOnTheHeapAndFramesAcrossTwoPlacesAreShown() {
        ReceiveOperation heap = right.receive(0, 7, MemorySegment.ofArray(new byte[LARGE]));
        left.send(1, 7, message(LARGE, 1));
        pair.settleUntil(heap::isDone);
        assertThat(bringing.brought()).isZero();
        Arena arena = Arena.ofAuto();
        MemorySegment first = arena.allocate(1500);
        MemorySegment second = arena.allocate(LARGE - 1500);
        ReceiveOperation split = right.receive(0, 8, first, second);
        left.send(1, 8, message(LARGE, 2));
        pair.settleUntil(split::isDone);
        assertThat(bringing.brought()).isEqualTo(FRAMES - 1);
        MemorySegment both = arena.allocate(LARGE).copyFrom(first);
        both.asSlice(1500).copyFrom(second);
        assertMessage(both, LARGE, 2);
    }

    @Test
    void aReceiveThatGaveUpIsNeverWrittenAgainAndTheNextOneGetsAllBytes() {
        MemorySegment target = Arena.ofAuto().allocate(LARGE);
        ReceiveOperation hasty = right.receive(0, 7, target);
        left.send(1, 7, message(LARGE, 3));
        while (bringing.brought() < 2 || !bringing.isHalfThere()) {
            pair.fabrics[0].doWork();
            pair.fabrics[1].doWork();
        }
        right.giveUp(hasty, new IllegalStateException("gave up"));
        target.fill((byte) 99);
        pair.settle();
        assertThat(target.toArray(ValueLayout.JAVA_BYTE)).containsOnly(99);
        MemorySegment second = Arena.ofAuto().allocate(LARGE);
        ReceiveOperation patient = right.receive(0, 7, second);
        pair.settleUntil(patient::isDone);
        assertThat(patient.failure()).isNull();
        assertMessage(second, LARGE, 3);
        assertThat(bringing.lost()).isZero();
    }

    @Test
    void aReceiveThatEndsForGoodLosesTheRestAndIsNeverWrittenAgain() {
        MemorySegment target = Arena.ofAuto().allocate(LARGE);
        ReceiveOperation receive = right.receive(0, 7, target);
        SendOperation send = left.send(1, 7, message(LARGE, 3));
        while (!bringing.isHalfThere()) {
            pair.fabrics[0].doWork();
            pair.fabrics[1].doWork();
        }
        receive.fail(new IllegalStateException("over"));
        target.fill((byte) 99);
        pair.settleUntil(send::isDone);
        pair.settle();
        assertThat(target.toArray(ValueLayout.JAVA_BYTE)).containsOnly(99);
        assertThat(bringing.lost()).isEqualTo(1);
    }

    @Test
    void aSmallMessageIsBroughtToTheReceiveThatWaitsForIt() {
        MemorySegment target = Arena.ofAuto().allocate(SMALL + 50);
        ReceiveOperation other = right.receive(0, 6, Arena.ofAuto().allocate(SMALL));
        ReceiveOperation receive = right.receive(0, 7, target);
        left.send(1, 7, message(SMALL, 1));
        pair.settleUntil(receive::isDone);
        assertThat(bringing.brought()).isEqualTo(1);
        assertThat(receive.status().bytes()).isEqualTo(SMALL);
        assertMessage(target, SMALL, 1);
        assertThat(target.asSlice(SMALL).toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
        assertThat(other.isDone()).isFalse();
    }

    @Test
    void aSmallMessageThatMayGoElsewhereOrIsTooLongIsShown() {
        try (Arena arena = Arena.ofShared()) {
            ReceiveOperation any = right.receive(-1, 7, Arena.ofAuto().allocate(SMALL));
            ReceiveOperation closable = right.receive(0, 8, arena.allocate(SMALL));
            ReceiveOperation small = right.receive(0, 9, Arena.ofAuto().allocate(SMALL - 1));
            for (int tag = 7; tag < 10; tag++) {
                left.send(1, tag, message(SMALL, tag));
            }
            pair.settleUntil(() -> any.isDone() && closable.isDone() && small.isDone());
            assertThat(bringing.brought()).isZero();
            assertThat(any.failure()).isNull();
            assertThat(closable.failure()).isNull();
            assertThat(small.failure()).isInstanceOf(TruncationException.class);
        }
    }

    @Test
    void aSmallMessageOutlivesTheReceiveThatItWasOnItsWayTo() {
        for (int turn = 0; turn < 3; turn++) {
            MemorySegment target = Arena.ofAuto().allocate(SMALL);
            ReceiveOperation hasty = right.receive(0, 7, target);
            left.send(1, 7, message(SMALL, turn));
            while (!bringing.isHalfThere()) {
                pair.fabrics[0].doWork();
                pair.fabrics[1].doWork();
            }
            if (turn == 0) {
                right.giveUp(hasty, new IllegalStateException("gave up"));
            } else {
                assertThat(right.cancel(hasty)).isTrue();
            }
            target.fill((byte) 99);
            MemorySegment second = Arena.ofAuto().allocate(SMALL);
            ReceiveOperation patient = turn == 2 ? right.receive(0, 7, second) : null;
            pair.settle();
            if (patient == null) {
                patient = right.receive(-1, 7, second);
            }
            pair.settleUntil(patient::isDone);
            assertThat(patient.failure()).isNull();
            assertMessage(second, SMALL, turn);
            assertThat(target.toArray(ValueLayout.JAVA_BYTE)).containsOnly(99);
        }
        assertThat(bringing.lost()).isZero();
    }

    @Test
    void whatBreaksTheRulesHasNoPlaceAndAskingChangesNothing() {
        MemorySegment target = Arena.ofAuto().allocate(LARGE);
        ReceiveOperation receive = right.receive(0, 7, target);
        left.send(1, 7, message(LARGE, 1));
        while (bringing.brought() < 1) {
            pair.fabrics[0].doWork();
            pair.fabrics[1].doWork();
        }
        PeerPort port = Objects.requireNonNull(pair.channels[1].portTo(0));
        FrameHeader data = new FrameHeader().reset(FrameKind.DATA).offset(1000);
        assertThat(port.destination(data.payloadBytes(1000))).isNotNull();
        assertThat(port.destination(data.payloadBytes(0))).isNull();
        assertThat(port.destination(data.payloadBytes(LARGE - 999))).isNull();
        assertThat(port.destination(data.payloadBytes(1000).offset(999))).isNull();
        assertThat(port.destination(data.offset(1000).sequence(1))).isNull();
        FrameHeader small = new FrameHeader().reset(FrameKind.MESSAGE).payloadBytes(10);
        assertThat(port.destination(small)).isNull();
        pair.settleUntil(receive::isDone);
        assertMessage(target, LARGE, 1);
    }

    private static MemorySegment message(int bytes, int seed) {
        MemorySegment memory = MemorySegment.ofArray(new byte[bytes]);
        for (int i = 0; i < bytes; i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, at(i, seed));
        }
        return memory;
    }

    private static void assertMessage(MemorySegment memory, int bytes, int seed) {
        for (int i = 0; i < bytes; i++) {
            assertThat(memory.get(ValueLayout.JAVA_BYTE, i))
                    .as("byte %d", i)
                    .isEqualTo(at(i, seed));
        }
    }

    private static byte at(int index, int seed) {
        return (byte) (index * 31 + (index >> 8) + seed);
    }
}
