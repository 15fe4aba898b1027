package io.nexar.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.MemberId;
import io.nexar.ProtocolException;
import io.nexar.transport.FrameHandler;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.LinkPair;
import io.nexar.transport.SendResult;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Payloads that are read where they lie, in the memory of the other process. */
@Timeout(60)
class ShmLendTest {
    private static final int BYTES = 64 * 1024;
    private final List<Long> told = new ArrayList<>();
    private final List<byte[]> arrived = new ArrayList<>();
    private LinkPair pair;

    @BeforeEach
    void open() throws Exception {
        pair = ShmMembers.pair(new MemberId(0), () -> {}, new MemberId(1), () -> {});
    }

    @AfterEach
    void close() throws Exception {
        pair.close();
    }

    @Test
    void whatIsLentIsReadOnceAndThenGivenBack() {
        MemorySegment memory = kept((byte) 7);
        assertThat(send(pair.left(), memory, 5)).isEqualTo(SendResult.PENDING);
        pair.left().poll(this::keep, 10);
        assertThat(told).as("before it is read").isEmpty();
        assertThat(pair.right().poll(this::keep, 10)).isEqualTo(1);
        assertThat(pair.left().isReady()).isTrue();
        assertThat(pair.left().poll(this::keep, 10)).isEqualTo(1);
        assertThat(told).containsExactly(5L);
        assertThat(pair.left().isReady()).isFalse();
        assertThat(arrived.getFirst()).hasSize(BYTES).containsOnly(7);
    }

    @Test
    void onlyMemoryThatNobodyCanFreeIsLent() {
        try (Arena arena = Arena.ofShared()) {
            MemorySegment memory = arena.allocate(BYTES);
            assertThat(send(pair.left(), memory, 1)).isEqualTo(SendResult.SENT);
        }
        assertThat(send(pair.right(), MemorySegment.ofArray(new byte[BYTES]), 2))
                .isEqualTo(SendResult.SENT);
        assertThat(pair.right().poll(this::keep, 10)).isEqualTo(1);
        assertThat(arrived.getFirst()).containsOnly(0);
    }

    @Test
    void memoryThatIsClosedBeforeItIsSentSendsNothing() {
        MemorySegment memory;
        try (Arena arena = Arena.ofShared()) {
            memory = arena.allocate(BYTES);
        }
        assertThatThrownBy(() -> send(pair.left(), memory, 1))
                .isInstanceOf(IllegalStateException.class);
        send(pair.left(), kept((byte) 3), 2);
        while (arrived.isEmpty()) {
            pair.right().poll(this::keep, 10);
        }
        assertThat(arrived).hasSize(1);
        assertThat(arrived.getFirst()).containsOnly(3);
    }

    @Test
    void behindOthersItIsCopiedSoThatBothSidesWork() {
        assertThat(send(pair.left(), kept((byte) 1), 1)).isEqualTo(SendResult.PENDING);
        assertThat(send(pair.left(), kept((byte) 2), 2)).isEqualTo(SendResult.SENT);
        pair.right().poll(this::keep, 10);
        pair.right().poll(this::keep, 10);
        assertThat(arrived.get(1)).containsOnly(2);
    }

    @Test
    void memoryThatIsGivenBackByACloseIsNotDelivered() {
        MemorySegment memory = kept((byte) 1);
        send(pair.left(), memory, 9);
        pair.left().close("in a hurry");
        assertThat(pair.left().isClosed()).as("not before it is told").isFalse();
        pair.left().poll(this::keep, 10);
        assertThat(told).containsExactly(9L);
        assertThat(pair.left().isClosed()).isTrue();
        memory.fill((byte) 2);
        pair.right().poll(this::keep, 10);
        assertThat(arrived).isEmpty();
        assertThat(pair.right().isClosed()).isTrue();
        assertThat(pair.right().closeCause()).contains("in a hurry");
    }

    @Test
    void aCloseWhileItIsReadKeepsItFromBeingDelivered() {
        send(pair.left(), kept((byte) 1), 9);
        FrameHandler closeWhenAsked =
                new FrameHandler() {
                    @Override
                    public MemorySegment destination(Link link, Lane lane, FrameHeader header) {
                        pair.left().close("mid-read");
                        return kept((byte) 0);
                    }

                    @Override
                    public void onFrame(
                            Link link, Lane lane, FrameHeader header, MemorySegment payload) {
                        throw new AssertionError("its sender has it back");
                    }
                };
        assertThat(pair.right().poll(closeWhenAsked, 10)).isZero();
        assertThat(pair.right().isClosed()).isTrue();
    }

    @Test
    void anAddressThatLeadsNowhereEndsTheLink() {
        for (long address : new long[] {8, -1, Long.MIN_VALUE}) {
            send(pair.left(), kept((byte) 1), 1);
            MemorySegment all = ((ShmLink) pair.left()).memory().all();
            assertThat(hasTurned(all, address)).as("the record was found").isTrue();
            assertThatThrownBy(() -> pair.right().poll(this::keep, 10))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("can't be read");
            assertThat(pair.right().isClosed()).isTrue();
            reopen();
        }
    }

    /** Turns the address that the first record with one holds into another. */
    private static boolean hasTurned(MemorySegment all, long address) {
        for (long at = 64 << 10; at < all.byteSize(); at += RingRecord.LINE) {
            long word = all.get(ValueLayout.JAVA_LONG, at);
            if (word == RingRecord.word(0, RingRecord.LENT)) {
                all.set(ValueLayout.JAVA_LONG, at + RingRecord.ADDRESS_AT, address);
                return true;
            }
        }
        return false;
    }

    private void reopen() {
        try {
            close();
            open();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void keep(Link link, Lane lane, FrameHeader header, MemorySegment payload) {
        arrived.add(payload.toArray(ValueLayout.JAVA_BYTE));
    }

    private SendResult send(Link link, MemorySegment memory, long token) {
        FrameHeader header =
                new FrameHeader().reset(FrameKind.DATA).payloadBytes(memory.byteSize());
        return link.trySend(Lane.BULK, header, memory, told::add, token);
    }

    private static MemorySegment kept(byte value) {
        return Arena.ofAuto().allocate(BYTES, 64).fill(value);
    }
}
