package io.nexar.transport.quic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.nexar.ProtocolException;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

@ExtendWith(LeakCheck.class)
class FrameReaderTest {
    private final ByteBufAllocator allocator = ByteBufAllocator.DEFAULT;
    private final IncomingLane lane = new IncomingLane();
    private final Map<Long, MemorySegment> places = new HashMap<>();
    private final FrameReader reader = reader(() -> {});

    @Test
    void framesComeOutWhereverTheBytesAreCut() {
        Random random = new Random(7);
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        List<byte[]> payloads = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            byte[] payload = new byte[i % 3 == 0 ? 0 : random.nextInt(300)];
            random.nextBytes(payload);
            payloads.add(payload);
            stream.writeBytes(frame(i, payload));
        }
        byte[] bytes = stream.toByteArray();
        int received = 0;
        for (int at = 0; at < bytes.length; ) {
            int piece = Math.min(1 + random.nextInt(100), bytes.length - at);
            arrive(bytes, at, piece);
            at += piece;
            while (reader.next()) {
                assertThat(reader.header().sequence()).isEqualTo(received);
                assertThat(reader.payload().toArray(ValueLayout.JAVA_BYTE))
                        .isEqualTo(payloads.get(received++));
                reader.pass();
            }
        }
        assertThat(received).isEqualTo(payloads.size());
        assertThat(reader.hasLeftOver()).isFalse();
    }

    @Test
    void halfAFrameIsFreedWithTheReader() {
        byte[] frame = frame(1, new byte[1000]);
        arrive(frame, 0, 500);
        assertThat(reader.next()).isFalse();
        arrive(frame, 500, 100);
        reader.dispose();
        lane.dispose();
        arrive(frame, 600, 100); // what still comes is freed at once
        assertThat(reader.next()).isFalse();
    }

    @Test
    void aLengthAboveTheBoundIsRefusedBeforeMemoryIsTaken() {
        byte[] frame = frame(1, new byte[0]);
        MemorySegment.ofArray(frame)
                .set(ValueLayout.JAVA_INT_UNALIGNED, 0, FrameHeader.PAYLOAD_BYTES_MAX + 1);
        arrive(frame, 0, frame.length);
        assertThatThrownBy(reader::next)
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining(String.valueOf(FrameHeader.PAYLOAD_BYTES_MAX + 1));
        reader.dispose();
    }

    @Test
    void readingStopsAtTheBoundAndGoesOnAtHalfOfIt() {
        int[] resumed = {0};
        FrameReader counting = reader(() -> resumed[0]++);
        byte[] frame = frame(1, new byte[64 * 1024 - FrameHeader.BYTES]);
        int buffers = 0;
        boolean isFull = false;
        while (!isFull) {
            isFull = lane.isFullAfter(allocator.directBuffer(frame.length).writeBytes(frame));
            buffers++;
        }
        assertThat(buffers).isEqualTo((int) (IncomingLane.QUEUED_BYTES_MAX / frame.length));
        for (int i = 0; i < buffers; i++) {
            assertThat(counting.next()).isTrue();
            counting.pass();
            assertThat(resumed[0]).isEqualTo(i + 1 >= buffers / 2 ? 1 : 0);
        }
        counting.dispose();
    }

    @Test
    void aPayloadInPartsGoesToItsPlaceAndFollowsItWhereItMoves() {
        byte[] frame = frame(3, pattern(1000));
        MemorySegment first = MemorySegment.ofArray(new byte[1000]);
        places.put(3L, first);
        arrive(frame, 0, 500);
        reader.begin();
        assertThat(reader.next()).isFalse();
        int had = 500 - FrameHeader.BYTES;
        assertThat(first.asSlice(0, had).mismatch(MemorySegment.ofArray(pattern(1000))))
                .isEqualTo(had);
        MemorySegment second = MemorySegment.ofArray(new byte[1000]).copyFrom(first);
        byte[] before = first.toArray(ValueLayout.JAVA_BYTE);
        places.put(3L, second);
        arrive(frame, 500, frame.length - 500);
        reader.begin();
        assertThat(reader.next()).isTrue();
        assertThat(reader.payload()).isEqualTo(second);
        assertThat(second.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(pattern(1000));
        assertThat(first.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
        reader.pass();
    }

    @Test
    void aPlaceThatVanishesIsNotWrittenAndTheNextFrameIsWhole() {
        MemorySegment place = MemorySegment.ofArray(new byte[1000]);
        places.put(1L, place);
        arriveInPart();
        byte[] before = place.toArray(ValueLayout.JAVA_BYTE);
        places.remove(1L);
        requireTheRestAndTheNextFrame();
        assertThat(place.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(before);
    }

    @Test
    void aPlaceThatIsClosedLosesItsFrameOnly() {
        try (Arena arena = Arena.ofShared()) {
            places.put(1L, arena.allocate(1000));
            arriveInPart();
        }
        requireTheRestAndTheNextFrame();
        assertThat(Thread.interrupted()).isFalse();
    }

    private void arriveInPart() {
        arrive(frame(1, pattern(1000)), 0, 400);
        reader.begin();
        assertThat(reader.next()).isFalse();
    }

    private void requireTheRestAndTheNextFrame() {
        byte[] lost = frame(1, pattern(1000));
        byte[] next = frame(2, pattern(800));
        arrive(lost, 400, lost.length - 400);
        arrive(next, 0, next.length);
        reader.begin();
        assertThat(reader.next()).isTrue();
        assertThat(reader.payload().byteSize()).isEqualTo(1000);
        reader.pass();
        assertThat(reader.next()).isTrue();
        assertThat(reader.payload().toArray(ValueLayout.JAVA_BYTE)).isEqualTo(pattern(800));
        reader.pass();
    }

    @Test
    void aPlaceOfTheWrongSizeIsRefused() {
        places.put(1L, MemorySegment.ofArray(new byte[999]));
        arrive(frame(1, pattern(1000)), 0, 500);
        assertThatThrownBy(reader::next)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("999")
                .hasMessageContaining("1000");
        reader.dispose();
    }

    private FrameReader reader(Runnable resume) {
        return new FrameReader(
                new FrameReader.Source(
                        lane, allocator, header -> places.get(header.sequence()), resume));
    }

    private static byte[] pattern(int bytes) {
        byte[] pattern = new byte[bytes];
        new Random(bytes).nextBytes(pattern);
        return pattern;
    }

    private void arrive(byte[] bytes, int from, int count) {
        ByteBuf buffer = allocator.directBuffer(count).writeBytes(bytes, from, count);
        assertThat(lane.isFullAfter(buffer)).isFalse();
    }

    private static byte[] frame(int number, byte[] payload) {
        byte[] frame = new byte[FrameHeader.BYTES + payload.length];
        new FrameHeader()
                .reset(FrameKind.MESSAGE)
                .sequence(number)
                .payloadBytes(payload.length)
                .encode(MemorySegment.ofArray(frame), 0);
        System.arraycopy(payload, 0, frame, FrameHeader.BYTES, payload.length);
        return frame;
    }
}
