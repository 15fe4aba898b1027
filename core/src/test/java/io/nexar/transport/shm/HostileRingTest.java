package io.nexar.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.MemberId;
import io.nexar.ProtocolException;
import io.nexar.transport.FrameHandler;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.LinkPair;
import io.nexar.transport.SendResult;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/** A peer that writes anything into the memory that it shares: at worst its own link ends. */
@Timeout(60)
class HostileRingTest {
    private static final long SEED = 20_260_404;
    private static final long RINGS_AT = 64 << 10;

    /** No more than this fits into all rings of a direction, empty frame by empty frame. */
    private static final int FRAMES_MAX = (704 << 10) / RingRecord.LINE;

    private final MemorySegment payload =
            MemorySegment.ofArray(new byte[FrameHeader.PAYLOAD_BYTES_MAX]);

    /** What of a link's memory is turned into something else, one at a time. */
    private enum Target {
        RECORDS,
        SIDES,
        ANYWHERE
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void whatEverIsWrittenIntoSharedMemoryEndsNothingButTheLink(int target) throws Exception {
        for (int round = 0; round < 60; round++) {
            long seed = SEED + 1000L * target + round;
            try (LinkPair pair = pair()) {
                corrupt(pair, Target.values()[target], new Random(seed));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e, e);
            }
        }
    }

    private void corrupt(LinkPair pair, Target target, Random random) {
        ShmLink left = (ShmLink) pair.left();
        ShmLink right = (ShmLink) pair.right();
        MemorySegment all = left.memory().all();
        boolean isBroken = false;
        int delivered = 0;
        for (int turn = 0; turn < 100 && !isBroken; turn++) {
            sendSome(left, random);
            sendSome(right, random);
            if (!left.isClosed() && random.nextInt(3) == 0) {
                write(all, target, random);
            }
            Counter counter = new Counter(random.nextBoolean());
            isBroken = poll(right, counter) | poll(left, counter);
            delivered += counter.frames;
            right.flush();
            left.flush();
            assertThat(right.queuedBytes()).isNotNegative();
            assertThat(right.isReady() || !right.isReady()).isTrue();
        }
        assertThat(delivered).isLessThanOrEqualTo(100 * 4 * FRAMES_MAX);
        left.close("over");
        poll(right, new Counter(false));
        assertThat(left.closeCause()).isNotNull();
    }

    private void sendSome(Link link, Random random) {
        for (int i = random.nextInt(6); i > 0; i--) {
            int bytes =
                    switch (random.nextInt(4)) {
                        case 0 -> random.nextInt(17);
                        case 1 -> random.nextInt(5000);
                        case 2 -> random.nextInt(65_537);
                        default -> random.nextInt(FrameHeader.PAYLOAD_BYTES_MAX + 1);
                    };
            FrameHeader header = new FrameHeader().reset(FrameKind.MESSAGE).payloadBytes(bytes);
            SendResult result =
                    link.trySend(
                            Lane.of(random.nextInt(Lane.COUNT)),
                            header,
                            payload.asSlice(0, bytes),
                            token -> {},
                            0);
            assertThat(result).isNotNull();
        }
    }

    private static void write(MemorySegment all, Target target, Random random) {
        long at =
                switch (target) {
                    case RECORDS ->
                            RINGS_AT
                                    + (long) RingRecord.LINE * random.nextInt(200)
                                    + 4L * random.nextInt(12);
                    case SIDES -> 4096L * (1 + random.nextInt(2)) + 4L * random.nextInt(70);
                    case ANYWHERE -> 4L * random.nextInt((int) (all.byteSize() / 4));
                };
        int was = all.get(ValueLayout.JAVA_INT, at);
        int value =
                switch (random.nextInt(5)) {
                    case 0 -> random.nextInt();
                    case 1 -> was ^ 1 << random.nextInt(32);
                    case 2 -> was + 64 * (random.nextInt(5) - 2);
                    case 3 -> -1;
                    default -> 0;
                };
        all.set(ValueLayout.JAVA_INT, at, value);
    }

    /** Counts what it gets and reads all of it; may want it somewhere. */
    private static final class Counter implements FrameHandler {
        private final boolean hasPlace;
        private int frames;

        Counter(boolean hasPlace) {
            this.hasPlace = hasPlace;
        }

        @Override
        public void onFrame(Link link, Lane lane, FrameHeader header, MemorySegment payload) {
            frames++;
            assertThat(payload.toArray(ValueLayout.JAVA_BYTE)).hasSize(header.payloadBytes());
        }

        @Override
        public @Nullable MemorySegment destination(Link link, Lane lane, FrameHeader header) {
            return hasPlace ? MemorySegment.ofArray(new byte[header.payloadBytes()]) : null;
        }
    }

    private static boolean poll(Link link, Counter counter) {
        try {
            int count = link.poll(counter, 1 << 20);
            assertThat(count).isLessThanOrEqualTo(FRAMES_MAX);
            return false;
        } catch (ProtocolException e) {
            link.poll(counter, 0); // it tells of what was lent
            assertThat(link.isClosed()).isTrue();
            assertThat(link.closeCause()).isNotNull();
            return true;
        }
    }

    @Test
    void aHeadThatRunsAheadOrBackEndsTheLinkOfItsSender() throws Exception {
        for (long head : new long[] {-64, 1 << 20, Long.MIN_VALUE, Long.MAX_VALUE}) {
            try (LinkPair pair = pair()) {
                ShmLink left = (ShmLink) pair.left();
                left.memory().side(1).set(ValueLayout.JAVA_LONG, LinkMemory.HEADS_AT, head);
                FrameHeader header = new FrameHeader().reset(FrameKind.MESSAGE);
                int taken = 0;
                while (left.trySend(Lane.CONTROL, header, MemorySegment.NULL, token -> {}, 0)
                        == SendResult.SENT) {
                    taken++;
                }
                assertThat(taken).isLessThanOrEqualTo(1024);
                assertThat(left.closeCause()).contains("head of a ring");
            }
        }
    }

    private static LinkPair pair() throws Exception {
        return ShmMembers.pair(new MemberId(0), () -> {}, new MemberId(1), () -> {});
    }
}
