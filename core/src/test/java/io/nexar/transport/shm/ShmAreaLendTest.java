package io.nexar.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.MemberId;
import io.nexar.transport.FrameHandler;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.LinkPair;
import io.nexar.transport.SendResult;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Payloads in the sender's area: read where they lie. */
@Timeout(60)
class ShmAreaLendTest {
    private static final int BYTES = 64 * 1024;
    private final List<Long> told = new ArrayList<>();
    private final List<Byte> arrived = new ArrayList<>();
    private LinkPair pair;

    @BeforeEach
    void open() throws Exception {
        pair = ShmMembers.pair(new MemberId(0), () -> {}, new MemberId(1), () -> {});
    }

    @AfterEach
    void close() throws Exception {
        pair.close();
    }

    /** Reads in place, or into a place if it has one. */
    private class Reader implements FrameHandler {
        private final @Nullable MemorySegment place;

        Reader(@Nullable MemorySegment place) {
            this.place = place;
        }

        @Override
        public boolean readsInPlace(Link link, Lane lane, FrameHeader header) {
            return place == null;
        }

        @Override
        public @Nullable MemorySegment destination(Link link, Lane lane, FrameHeader header) {
            return place;
        }

        @Override
        public void onFrame(Link link, Lane lane, FrameHeader header, MemorySegment payload) {
            assertThat(payload.byteSize()).isEqualTo(BYTES);
            byte value = payload.get(ValueLayout.JAVA_BYTE, BYTES - 1);
            if (link.finishReading()) {
                arrived.add(value);
            }
        }
    }

    @Test
    void allThatIsBehindOthersIsLentTooAndComesInOrder() {
        for (byte i = 1; i <= Lends.MAX; i++) {
            assertThat(send(buffer(i), i)).isEqualTo(SendResult.PENDING);
        }
        assertThat(send(buffer((byte) 99), 99)).as("more than is lent").isEqualTo(SendResult.SENT);
        for (int i = 0; i <= Lends.MAX; i++) {
            assertThat(pair.right().poll(new Reader(null), 100)).isEqualTo(1);
        }
        assertThat(pair.left().poll(new Reader(null), 10)).isEqualTo(Lends.MAX);
        for (int i = 0; i < Lends.MAX; i++) {
            assertThat(told.get(i)).isEqualTo(i + 1);
            assertThat(arrived.get(i)).isEqualTo((byte) (i + 1));
        }
        assertThat(arrived.getLast()).isEqualTo((byte) 99);
    }

    @Test
    void itIsGivenBackAsSoonAsTheReaderSaysSoAndNotBefore() {
        MemorySegment memory = buffer((byte) 4);
        send(memory, 6);
        FrameHandler reader =
                new Reader(null) {
                    @Override
                    public void onFrame(
                            Link link, Lane lane, FrameHeader header, MemorySegment payload) {
                        pair.left().poll(this, 10);
                        assertThat(told).isEmpty();
                        memory.set(ValueLayout.JAVA_BYTE, BYTES - 1, (byte) 5);
                        super.onFrame(link, lane, header, payload);
                        pair.left().poll(this, 10);
                        assertThat(told).containsExactly(6L);
                        assertThat(link.finishReading()).as("asked again").isTrue();
                    }
                };
        assertThat(pair.right().poll(reader, 10)).isEqualTo(1);
        assertThat(arrived).as("the sender's own memory").containsExactly((byte) 5);
    }

    @Test
    void aHandlerThatDoesNotSaySoGivesItBackByReturning() {
        send(buffer((byte) 4), 6);
        FrameHandler silent =
                new Reader(null) {
                    @Override
                    public void onFrame(
                            Link link, Lane lane, FrameHeader header, MemorySegment payload) {}
                };
        assertThat(pair.right().poll(silent, 10)).isEqualTo(1);
        assertThat(pair.left().poll(silent, 10)).isEqualTo(1);
        assertThat(told).containsExactly(6L);
    }

    @Test
    void aCloseWhileItIsReadMakesItNothing() {
        send(buffer((byte) 1), 7);
        send(buffer((byte) 2), 8);
        FrameHandler reader =
                new Reader(null) {
                    @Override
                    public void onFrame(
                            Link link, Lane lane, FrameHeader header, MemorySegment payload) {
                        pair.left().close("mid-read");
                        pair.left().poll(this, 10);
                        assertThat(told).as("back with their sender").containsExactly(7L, 8L);
                        super.onFrame(link, lane, header, payload);
                    }
                };
        assertThat(pair.right().poll(reader, 10)).isZero();
        assertThat(arrived).isEmpty();
        assertThat(pair.right().isClosed()).isTrue();
        assertThat(pair.right().closeCause()).contains("mid-read");
    }

    @Test
    void aCloseWhileItIsCopiedKeepsItFromBeingDelivered() {
        send(buffer((byte) 1), 7);
        FrameHandler reader =
                new Reader(Arena.ofAuto().allocate(BYTES)) {
                    @Override
                    public @Nullable MemorySegment destination(
                            Link link, Lane lane, FrameHeader header) {
                        pair.left().close("mid-read");
                        return super.destination(link, lane, header);
                    }
                };
        assertThat(pair.right().poll(reader, 10)).isZero();
        assertThat(arrived).isEmpty();
    }

    @Test
    void itIsCopiedToWhereItIsToGoAlsoOnTheHeap() {
        for (MemorySegment place :
                List.of(
                        Arena.ofAuto().allocate(BYTES),
                        MemorySegment.ofArray(new byte[BYTES]),
                        buffer((byte) 0))) {
            send(buffer((byte) 8), 1);
            assertThat(pair.right().poll(new Reader(place), 10)).isEqualTo(1);
            assertThat(place.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 8);
            pair.left().poll(new Reader(null), 10);
        }
        assertThat(arrived).containsExactly((byte) 8, (byte) 8, (byte) 8);
    }

    @Test
    @SuppressWarnings("MustBeClosedChecker") // That it is closed in the middle is the test.
    void aPlaceThatIsClosedAtThatMomentHarmsNothing() {
        Arena arena = Arena.ofShared();
        MemorySegment place = arena.allocate(BYTES);
        FrameHandler reader =
                new Reader(place) {
                    @Override
                    public @Nullable MemorySegment destination(
                            Link link, Lane lane, FrameHeader header) {
                        arena.close();
                        return place;
                    }

                    @Override
                    public void onFrame(
                            Link link, Lane lane, FrameHeader header, MemorySegment payload) {
                        arrived.add((byte) 0);
                        assertThat(payload.byteSize()).isEqualTo(BYTES);
                        assertThat(payload.scope().isAlive()).isTrue();
                    }
                };
        send(buffer((byte) 8), 1);
        assertThat(pair.right().poll(reader, 10)).isEqualTo(1);
        send(buffer((byte) 9), 2);
        assertThat(pair.right().poll(new Reader(null), 10)).isEqualTo(1);
        assertThat(arrived).containsExactly((byte) 0, (byte) 9);
    }

    private SendResult send(MemorySegment memory, long token) {
        FrameHeader header =
                new FrameHeader().reset(FrameKind.PIECE).payloadBytes(memory.byteSize());
        return pair.left().trySend(Lane.COLLECTIVE, header, memory, told::add, token);
    }

    private static MemorySegment buffer(byte value) {
        return DataBuffer.allocate(DataType.I8, BYTES).segment().fill(value);
    }
}
