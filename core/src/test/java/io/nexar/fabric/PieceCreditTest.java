package io.nexar.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.transport.Lane;
import io.nexar.transport.SendResult;
import io.nexar.wire.CommunicatorPath;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.MemorySegment;

/** How the credit of pieces comes back. */
@Timeout(30)
class PieceCreditTest {
    private static final int CREDIT = 16;
    private static final FabricSettings SETTINGS =
            new FabricSettings(4 * 124, 64, CREDIT * 192, 128);

    @Test
    void aPieceTheOtherWayCarriesCreditBackWithoutAFrameMore() throws Exception {
        try (FabricPair pair = new FabricPair(SETTINGS).openBoth()) {
            sendPiece(pair, 0, 0);
            pair.settle();
            sendPiece(pair, 1, 0);
            pair.settle(); // the first ones go behind an OPEN
            for (int call = 1; call < 5 * CREDIT; call++) {
                sendPiece(pair, 0, call);
                pair.fabrics[1].doWork();
                assertThat(pair.channels[0].credit(1)).isEqualTo(CREDIT - 1);
                sendPiece(pair, 1, call);
                assertThat(pair.fabrics[0].doWork()).as("frames of call %d", call).isEqualTo(1);
                assertThat(pair.channels[0].credit(1)).isEqualTo(CREDIT);
            }
        }
    }

    @Test
    void soDoesItWhereThereIsCreditForFew() throws Exception {
        try (FabricPair pair = new FabricPair(SETTINGS)) {
            Channel left = pair.open(0, CommunicatorPath.world(1), 4);
            Channel right = pair.open(1, CommunicatorPath.world(1), 4);
            FrameHeader header = new FrameHeader().reset(FrameKind.PIECE);
            for (int call = 0; call < 20; call++) {
                pair.settle(); // the first ones go behind an OPEN
                left.trySend(1, header, PeerPort.NOTHING, 0);
                pair.fabrics[0].flush();
                pair.fabrics[1].doWork();
                right.trySend(0, header, PeerPort.NOTHING, 0);
                pair.fabrics[1].flush();
                int frames = pair.fabrics[0].doWork();
                assertThat(frames).as("frames of call %d", call).isEqualTo(call == 0 ? 2 : 1);
                assertThat(left.credit(1)).isEqualTo(4);
            }
        }
    }

    @Test
    void whoHasSentAllItMayGetsBackEvenOne() throws Exception {
        try (FabricPair pair = new FabricPair(SETTINGS).openBoth()) {
            pair.held = sequence -> sequence > 0;
            for (int piece = CREDIT - 1; piece > 0; piece--) {
                sendPiece(pair, 0, piece);
            }
            pair.settle();
            // Of a call that the others wait for: each piece of it goes only if the last came back.
            for (int piece = 0; piece < 3; piece++) {
                sendPiece(pair, 0, 0);
                pair.settle();
                assertThat(pair.channels[0].credit(1)).isEqualTo(1);
            }
        }
    }

    @Test
    void whatWasConsumedBeforeGoesBackOnceThePeerHasSentAllItMay() throws Exception {
        try (FabricPair pair = new FabricPair(SETTINGS).openBoth()) {
            pair.held = sequence -> sequence > 0;
            sendPiece(pair, 0, 0);
            for (int piece = CREDIT - 1; piece > 0; piece--) {
                sendPiece(pair, 0, piece);
            }
            pair.settle();
            assertThat(pair.channels[0].credit(1)).isEqualTo(1);
        }
    }

    @Test
    void whereNoPieceGoesBackAFrameCarriesTheCredit() throws Exception {
        try (FabricPair pair = new FabricPair(SETTINGS).openBoth()) {
            for (int piece = 0; piece < 5 * CREDIT; piece++) {
                sendPiece(pair, 0, piece);
                pair.settle();
            }
            assertThat(pair.channels[0].credit(1)).isGreaterThan(CREDIT / 2);
        }
    }

    @Test
    void aPieceWithCreditThatWasNeverGivenCutsThePeerOff() throws Exception {
        try (FabricPair pair = new FabricPair(SETTINGS).openBoth()) {
            send(pair, new FrameHeader().reset(FrameKind.OPEN), CommunicatorPath.world(0).encode());
            send(pair, new FrameHeader().reset(FrameKind.PIECE).flags(1), PeerPort.NOTHING);
            pair.fabrics[1].doWork();
            assertThat(pair.channels[1].failureOf(0)).hasMessageContaining("credit for 1 pieces");
            assertThat(pair.links().left().closeCause()).contains("credit");
        }
    }

    @Test
    void eachChannelOfALinkHasItsOwnCredit() throws Exception {
        CommunicatorPath other = CommunicatorPath.world(1);
        try (FabricPair pair = new FabricPair(SETTINGS).openBoth()) {
            Channel few = pair.open(0, other, 1);
            pair.open(1, other, 1);
            FrameHeader header = new FrameHeader().reset(FrameKind.PIECE);
            assertThat(few.trySend(1, header, PeerPort.NOTHING, 0)).isEqualTo(SendResult.SENT);
            assertThat(few.trySend(1, header, PeerPort.NOTHING, 0)).isEqualTo(SendResult.REFUSED);
            sendPiece(pair, 0, 0);
            assertThat(pair.channels[0].credit(1)).isEqualTo(CREDIT - 1);
            pair.settle();
            assertThat(few.credit(1)).isEqualTo(1);
        }
    }

    @Test
    void whatComesForAChannelThatIsNotMadeHereYetMayBeAsMuchAsAnyKindOfChannelTakes()
            throws Exception {
        try (FabricPair pair = new FabricPair(SETTINGS)) {
            // Two of 1,536 bytes with what a piece costs: as much as sixteen of 192.
            MemorySegment longer = MemorySegment.ofArray(new byte[CREDIT * 192 / 2 - 64]);
            Channel early = pair.open(0, CommunicatorPath.world(1), CREDIT);
            FrameHeader header = new FrameHeader().reset(FrameKind.PIECE);
            for (int piece = 0; piece < 2; piece++) {
                header.payloadBytes(longer.byteSize());
                early.trySend(1, header, longer, 0);
                pair.settle();
                assertThat(pair.links().left().closeCause()).isNull();
            }
            for (int piece = 0; piece < 2; piece++) {
                header.payloadBytes(longer.byteSize());
                early.trySend(1, header, longer, 0);
                pair.settle();
            }
            assertThat(pair.links().left().closeCause()).contains("more than its first credit");
        }
    }

    private static void sendPiece(FabricPair pair, int from, int number) {
        FrameHeader header = new FrameHeader().reset(FrameKind.PIECE).sequence(number);
        assertThat(pair.channels[from].trySend(1 - from, header, PeerPort.NOTHING, 0))
                .isEqualTo(SendResult.SENT);
        pair.fabrics[from].flush();
    }

    private static void send(FabricPair pair, FrameHeader header, MemorySegment payload) {
        header.payloadBytes(payload.byteSize());
        assertThat(pair.links().left().trySend(Lane.COLLECTIVE, header, payload, token -> {}, 0))
                .isEqualTo(SendResult.SENT);
        pair.links().left().flush();
    }
}
