package io.nexar.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.PeerLeftException;
import io.nexar.PeerLostException;
import io.nexar.transport.Lane;
import io.nexar.transport.SendResult;
import io.nexar.wire.CommunicatorPath;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Matching, credit and parting of two ranks, pass by pass. */
class FabricTest {
    /** Four small messages of 60 bytes on credit; everything above 64 bytes is announced. */
    private static final FabricSettings TINY = new FabricSettings(4 * 124, 64, 2 * 192, 128);

    // Pitfall 94: what nobody receives stays at its sender, beyond the credit.
    @Test
    void unreceivedMessagesStopAtTheCreditAndAllArriveInOrder() throws Exception {
        try (FabricPair pair = new FabricPair(TINY).openBoth()) {
            List<SendOperation> sends = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                sends.add(pair.channels[0].messages().send(1, 5, message(60, i)));
            }
            pair.settle();
            assertThat(sends.stream().filter(Completion::isDone)).hasSize(4);
            for (int i = 0; i < 100; i++) {
                requireReceived(pair, 5, 60, i);
            }
            pair.settle();
            assertThat(sends).allMatch(Completion::isDone);
        }
    }

    @Test
    void largeMessagesMoveOnlyWhenMemoryWaits() throws Exception {
        try (FabricPair pair = new FabricPair(TINY).openBoth()) {
            SendOperation large = pair.channels[0].messages().send(1, 1, message(1000, 9));
            SendOperation small = pair.channels[0].messages().send(1, 2, message(10, 3));
            pair.settle();
            assertThat(large.isDone()).isFalse();
            assertThat(small.isDone()).isTrue();
            requireReceived(pair, 2, 10, 3);
            requireReceived(pair, 1, 1000, 9);
            assertThat(large.isDone()).isTrue();
        }
    }

    /** Random sends and receives of both ranks against a queue for each direction and tag. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void everyMessageMeetsTheFirstReceiveThatMatches(long randomSeed) throws Exception {
        Random random = new Random(randomSeed);
        try (FabricPair pair = new FabricPair(TINY).openBoth()) {
            List<ReceiveOperation> receives = new ArrayList<>();
            List<MemorySegment> targets = new ArrayList<>();
            int sent = 0;
            for (int step = 0; step < 400 || receives.size() < sent; step++) {
                if (sent < 200 && random.nextBoolean()) {
                    int bytes = random.nextInt(300) + 8;
                    pair.channels[0].messages().send(1, 1, message(bytes, sent++));
                } else if (receives.size() < 200) {
                    MemorySegment target = MemorySegment.ofArray(new byte[400]);
                    targets.add(target);
                    receives.add(pair.channels[1].messages().receive(-1, -1, target));
                }
                pair.fabrics[random.nextInt(2)].doWork();
            }
            pair.settle();
            for (int i = 0; i < sent; i++) {
                assertThat(receives.get(i).isDone()).as("seed %d, %d", randomSeed, i).isTrue();
                int bytes = (int) receives.get(i).status().bytes();
                assertThat(targets.get(i).asSlice(0, bytes).mismatch(message(bytes, i)))
                        .as("seed %d, message %d", randomSeed, i)
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void aReceiveThatGivesUpInTheMiddleLosesNothing() throws Exception {
        try (FabricPair pair = new FabricPair(TINY).openBoth()) {
            pair.channels[0].messages().send(1, 1, message(50_000, 4));
            MemorySegment abandoned = MemorySegment.ofArray(new byte[50_000]);
            ReceiveOperation hasty = pair.channels[1].messages().receive(0, 1, abandoned);
            pair.fabrics[0].doWork();
            pair.fabrics[1].doWork();
            pair.fabrics[0].doWork();
            pair.fabrics[1].doWork();
            pair.channels[1].messages().giveUp(hasty, new IllegalStateException("gave up"));
            byte[] asItWas = abandoned.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
            requireReceived(pair, 1, 50_000, 4);
            assertThat(abandoned.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                    .isEqualTo(asItWas);
        }
    }

    @Test
    void framesForACommunicatorThatIsNotMadeYetWaitForIt() throws Exception {
        try (FabricPair pair = new FabricPair(TINY)) {
            Channel early = pair.open(0);
            for (int i = 0; i < 3; i++) {
                early.messages().send(1, 7, message(20, i));
            }
            pair.settle();
            pair.open(1);
            for (int i = 0; i < 3; i++) {
                requireReceived(pair, 7, 20, i);
            }
        }
    }

    @Test
    void aPeerThatSendsBeyondItsCreditIsCutOff() throws Exception {
        try (FabricPair pair = new FabricPair(TINY).openBoth()) {
            openChannel(pair, 0);
            for (int i = 0; i < 5; i++) {
                FrameHeader header = new FrameHeader().reset(FrameKind.MESSAGE).tag(1);
                sendRaw(pair, Lane.MESSAGE, header.sequence(i), message(60, i));
            }
            requireCutOff(pair, "credit");
        }
    }

    @Test
    void bytesOfAMessageThatWasNotGrantedCutThePeerOff() throws Exception {
        try (FabricPair pair = new FabricPair(TINY).openBoth()) {
            openChannel(pair, 0);
            sendRaw(pair, Lane.BULK, new FrameHeader().reset(FrameKind.DATA), message(60, 0));
            requireCutOff(pair, "not granted");
        }
    }

    @Test
    void aFrameOnAChannelThatWasNotOpenedCutsThePeerOff() throws Exception {
        try (FabricPair pair = new FabricPair(TINY).openBoth()) {
            FrameHeader header = new FrameHeader().reset(FrameKind.MESSAGE).channel(77);
            sendRaw(pair, Lane.MESSAGE, header, message(8, 0));
            requireCutOff(pair, "without opening it");
        }
    }

    @Test
    void creditThatWasNeverGivenCutsThePeerOff() throws Exception {
        try (FabricPair pair = new FabricPair(TINY).openBoth()) {
            openChannel(pair, 0);
            FrameHeader header = new FrameHeader().reset(FrameKind.CREDIT).tag(1);
            sendRaw(pair, Lane.CONTROL, header, PeerPort.NOTHING);
            requireCutOff(pair, "credit");
        }
    }

    @Test
    void goodbyeComesBehindWhatWasSentBeforeAndEndsWhoWaits() throws Exception {
        try (FabricPair pair = new FabricPair(TINY).openBoth()) {
            pair.channels[0].messages().send(1, 1, message(30, 8));
            ReceiveOperation tooMuch =
                    pair.channels[1].messages().receive(0, 2, MemorySegment.ofArray(new byte[1]));
            Completion parted = pair.fabrics[0].sayGoodbye();
            pair.settleUntil(parted::isDone);
            requireReceived(pair, 1, 30, 8);
            assertThat(tooMuch.failure()).isInstanceOf(PeerLeftException.class);
            assertThat(tooMuch.failure()).hasMessageContaining("rank 0");
            assertThat(pair.lost).containsExactly("1 lost 0");
        }
    }

    @Test
    void aGoodbyeIsNotWaitedForByOneWhosePeerIsKnownToHaveLeft() throws Exception {
        try (FabricPair pair = new FabricPair(TINY).openBoth()) {
            pair.channels[0].messages().send(1, 1, message(30, 8));
            pair.fabrics[1].memberLeft(FabricPair.MEMBERS.get(0));
            requireReceived(pair, 1, 30, 8);
            assertThat(pair.lost).as("what it sent may still come").isEmpty();
            Completion parted = pair.fabrics[1].sayGoodbye();
            pair.fabrics[1].doWork();
            assertThat(parted.isDone()).isTrue();
            assertThat(pair.fabrics[1].unparted()).isEmpty();
        }
    }

    @Test
    void aLostLinkEndsEveryCallThatNeedsItAndNamesTheRank() throws Exception {
        try (FabricPair pair = new FabricPair(TINY).openBoth()) {
            SendOperation send = pair.channels[0].messages().send(1, 1, message(1000, 0));
            ReceiveOperation fromIt =
                    pair.channels[0].messages().receive(1, 1, MemorySegment.ofArray(new byte[9]));
            ReceiveOperation fromAny =
                    pair.channels[0].messages().receive(-1, 1, MemorySegment.ofArray(new byte[9]));
            pair.settle();
            pair.links().right().close("its process was killed");
            pair.settle();
            for (Completion call : List.of(send, fromIt, fromAny)) {
                assertThat(call.failure())
                        .isInstanceOf(PeerLostException.class)
                        .hasMessageContaining("rank 1")
                        .hasMessageContaining("its process was killed");
            }
            assertThat(pair.channels[0].messages().send(1, 1, message(1, 0)).failure())
                    .isInstanceOf(PeerLostException.class);
            assertThat(pair.lost).contains("0 lost 1");
        }
    }

    @Test
    void anAbortTellsItsReasonOnce() throws Exception {
        try (FabricPair pair = new FabricPair(TINY).openBoth()) {
            pair.channels[0].abort(new PeerLostException(null, 1, "process exited", Duration.ZERO));
            pair.channels[0].abort(new IllegalStateException("a later reason"));
            pair.settle();
            assertThat(pair.aborts).hasSize(1);
            assertThat(pair.aborts.getFirst())
                    .contains("rank 0 gave up: it has lost this rank")
                    .contains("process exited");
            pair.channels[1].abort(new IllegalStateException("something else"));
            pair.settle();
            assertThat(pair.aborts.get(1))
                    .startsWith("0: ")
                    .contains("rank 1 gave up")
                    .contains("something else");
        }
    }

    private static void openChannel(FabricPair pair, int number) {
        for (Lane lane : Lane.values()) {
            MemorySegment path = CommunicatorPath.world(0).encode();
            FrameHeader open = new FrameHeader().reset(FrameKind.OPEN).channel(number);
            sendRaw(pair, lane, open, path);
        }
    }

    private static void sendRaw(
            FabricPair pair, Lane lane, FrameHeader header, MemorySegment payload) {
        header.payloadBytes(payload.byteSize());
        assertThat(pair.links().left().trySend(lane, header, payload, token -> {}, 0))
                .isNotEqualTo(SendResult.REFUSED);
        pair.links().left().flush();
    }

    private static void requireCutOff(FabricPair pair, String reason) {
        pair.fabrics[1].doWork();
        assertThat(pair.channels[1].failureOf(0)).hasMessageContaining(reason);
        assertThat(pair.links().left().closeCause()).contains(reason);
    }

    private static void requireReceived(FabricPair pair, int tag, int bytes, int first) {
        MemorySegment target = MemorySegment.ofArray(new byte[bytes]);
        ReceiveOperation receive = pair.channels[1].messages().receive(0, tag, target);
        pair.settleUntil(receive::isDone);
        assertThat(receive.failure()).isNull();
        assertThat(receive.status().bytes()).isEqualTo(bytes);
        assertThat(target.mismatch(message(bytes, first))).isEqualTo(-1);
    }

    private static MemorySegment message(int bytes, int first) {
        byte[] content = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            content[i] = (byte) (first * 31 + i * 7 + (i >> 8));
        }
        return MemorySegment.ofArray(content);
    }
}
