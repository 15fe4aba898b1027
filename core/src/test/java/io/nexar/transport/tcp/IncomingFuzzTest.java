package io.nexar.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.MemberId;
import io.nexar.ProtocolException;
import io.nexar.transport.FrameHandler;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.SendListener;
import io.nexar.transport.SendResult;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Bytes of a peer, sound ones cut anywhere and unsound ones, on their way to being frames. */
@Timeout(60)
class IncomingFuzzTest {
    private static final int SEEDS = Boolean.getBoolean("nexar.test.full") ? 20_000 : 300;

    @Test
    void framesThatAreCutAnywhereArriveWhole() throws IOException {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            List<byte[]> payloads = new ArrayList<>();
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int i = random.nextInt(1, 12); i > 0; i--) {
                byte[] payload = new byte[random.nextInt(random.nextBoolean() ? 100 : 70_000)];
                random.nextBytes(payload);
                payloads.add(payload);
                bytes.write(frame(i % Lane.COUNT, payload));
                if (random.nextInt(3) == 0) {
                    bytes.write(packet(Packet.ACK, random.nextInt(Lane.COUNT), 0));
                }
            }
            assertThat(read(bytes.toByteArray(), random))
                    .as("seed %d", seed)
                    .containsExactlyElementsOf(payloads);
        }
    }

    @Test
    void bytesOfAnyKindEndInFramesOrInAProtocolException() throws IOException {
        int refused = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            byte[] bytes = frame(1, new byte[random.nextInt(3000)]);
            if (random.nextBoolean()) {
                bytes = new byte[random.nextInt(5000)];
                random.nextBytes(bytes);
            }
            for (int i = random.nextInt(4); i > 0 && bytes.length > 0; i--) {
                bytes[random.nextInt(Math.min(60, bytes.length))] = (byte) random.nextInt(256);
            }
            try {
                read(bytes, random);
            } catch (ProtocolException sound) {
                assertThat(sound.getMessage()).as("seed %d", seed).isNotBlank();
                refused++;
            }
        }
        assertThat(refused).isGreaterThan(SEEDS / 4);
    }

    @Test
    void anAcknowledgementOfWhatWasNeverSentIsRefused() {
        Outgoing outgoing =
                new Outgoing(new Cut(new byte[0], new Random(1)), new Handled(1000), 1000);
        FrameHeader header = new FrameHeader().reset(FrameKind.MESSAGE);
        outgoing.trySend(0, header, MemorySegment.NULL, token -> {}, 1);
        for (int value : new int[] {1, 2, -1, Integer.MIN_VALUE}) {
            assertThat(catching(() -> outgoing.acknowledge(Lane.CONTROL, value)))
                    .as("%d frames, while none is written", value)
                    .isInstanceOf(ProtocolException.class);
        }
        assertThat(outgoing.acknowledge(Lane.CONTROL, 0)).isZero();
    }

    private static @Nullable Throwable catching(Runnable task) {
        try {
            task.run();
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }

    private static List<byte[]> read(byte[] bytes, Random random) throws IOException {
        Incoming incoming = new Incoming(new Cut(bytes, random), new Handled(1 << 20));
        Places places = new Places(random);
        List<byte[]> payloads = new ArrayList<>();
        while (true) {
            switch (incoming.next(places, NO_LINK)) {
                case FRAME -> {
                    assertThat(incoming.payload().byteSize())
                            .isEqualTo(incoming.header().payloadBytes())
                            .isLessThanOrEqualTo(FrameHeader.PAYLOAD_BYTES_MAX);
                    payloads.add(incoming.payload().toArray(ValueLayout.JAVA_BYTE));
                    incoming.passed();
                }
                case ACK -> assertThat(incoming.lane()).isLessThan(Lane.COUNT);
                case CLOSE -> assertThat(incoming.closeReason()).isNotNull();
                case NOTHING -> {
                    if (incoming.bring() < 0) {
                        return payloads;
                    }
                    incoming.begin(places, NO_LINK);
                }
            }
        }
    }

    private static byte[] frame(int lane, byte[] payload) {
        byte[] bytes = new byte[Packet.FRAME_BYTES + payload.length];
        MemorySegment view = MemorySegment.ofArray(bytes);
        Packet.encode(view, 0, Packet.FRAME, lane);
        new FrameHeader()
                .reset(FrameKind.DATA)
                .payloadBytes(payload.length)
                .encode(view, Packet.BYTES);
        System.arraycopy(payload, 0, bytes, Packet.FRAME_BYTES, payload.length);
        return bytes;
    }

    private static byte[] packet(int type, int lane, int value) {
        byte[] bytes = new byte[Packet.BYTES];
        MemorySegment view = MemorySegment.ofArray(bytes);
        Packet.encode(view, 0, type, lane);
        Packet.value(view, 0, value);
        return bytes;
    }

    /** Names a place for some payloads, and keeps to it for as long as they come. */
    private static final class Places implements FrameHandler {
        private final Random random;
        private @Nullable MemorySegment place;

        Places(Random random) {
            this.random = random;
        }

        @Override
        public void onFrame(Link link, Lane lane, FrameHeader header, MemorySegment payload) {}

        @Override
        public @Nullable MemorySegment destination(Link link, Lane lane, FrameHeader header) {
            if (place == null || place.byteSize() != header.payloadBytes()) {
                place =
                        switch (random.nextInt(3)) {
                            case 0 -> null;
                            case 1 -> MemorySegment.ofArray(new byte[header.payloadBytes()]);
                            default -> Arena.ofAuto().allocate(header.payloadBytes());
                        };
            }
            return place;
        }
    }

    /** A connection that brings these bytes in pieces of random size. */
    private static final class Cut implements Wire {
        private final byte[] bytes;
        private final Random random;
        private int at;

        Cut(byte[] bytes, Random random) {
            this.bytes = bytes;
            this.random = random;
        }

        @Override
        public ByteBuffer allocate(int size) {
            return random.nextBoolean()
                    ? ByteBuffer.allocate(size)
                    : ByteBuffer.allocateDirect(size);
        }

        @Override
        public void beginReading() {}

        @Override
        public int read(@Nullable ByteBuffer target, ByteBuffer plain) {
            if (at == bytes.length) {
                return -1;
            }
            int size = Math.min(bytes.length - at, 1 + random.nextInt(SEAL_BYTES_MAX));
            int direct = target == null ? 0 : Math.min(size, target.remaining());
            if (target != null) {
                target.put(bytes, at, direct);
            }
            plain.put(bytes, at + direct, size - direct);
            at += size;
            return size;
        }

        @Override
        public boolean hasRoom() {
            return true;
        }

        @Override
        public void seal(ByteBuffer source) {
            source.position(source.limit());
        }

        @Override
        public int partBytesMax() {
            return SEAL_BYTES_MAX;
        }

        @Override
        public void sealPart(ByteBuffer part) {
            seal(part);
        }

        @Override
        public void detach() {}

        @Override
        public boolean write() {
            return true;
        }

        @Override
        public void dispose() {}
    }

    private static final Link NO_LINK =
            new Link() {
                @Override
                public MemberId peer() {
                    return new MemberId(1);
                }

                @Override
                public String transport() {
                    return "none";
                }

                @Override
                public SendResult trySend(
                        Lane lane,
                        FrameHeader header,
                        MemorySegment payload,
                        SendListener listener,
                        long token) {
                    return SendResult.REFUSED;
                }

                @Override
                public void flush() {}

                @Override
                public int poll(FrameHandler handler, int frameLimit) {
                    return 0;
                }

                @Override
                public long queuedBytes() {
                    return 0;
                }

                @Override
                public boolean isReady() {
                    return false;
                }

                @Override
                public boolean isClosed() {
                    return false;
                }

                @Override
                public @Nullable String closeCause() {
                    return null;
                }

                @Override
                public void close(String reason) {}
            };
}
