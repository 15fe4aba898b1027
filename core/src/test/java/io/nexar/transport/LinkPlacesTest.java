package io.nexar.transport;

import static io.nexar.transport.LinkDriver.drive;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What every transport's links promise of payloads that are told their place. */
abstract class LinkPlacesTest extends LinkFixture {
    protected static final int[] SIZES = {0, 1, 40, 255, 256, 257, 64 * 1024, 256 * 1024};

    @Test
    void aPayloadThatIsToldItsPlaceIsBroughtThereWholeOrShown() {
        Places places = new Places();
        right.handler(places);
        int frames = 200;
        for (int i = 0; i < frames; i++) {
            Lane lane = Lane.of(i / SIZES.length % Lane.COUNT);
            sendWhileBothPoll(lane, header(i), pattern(SIZES[i % SIZES.length], i));
        }
        drive(() -> places.arrived == frames && left.told().size() == pending, left, right);
    }

    /** Wants every other frame at a place of its own, on the heap or off it. */
    private static final class Places implements FrameHandler {
        private final Map<Long, MemorySegment> told = new HashMap<>();
        private int arrived;

        @Override
        public @Nullable MemorySegment destination(Link link, Lane lane, FrameHeader header) {
            return header.sequence() % 4 < 2
                    ? null
                    : told.computeIfAbsent(
                            header.sequence(),
                            any -> pattern(header.payloadBytes(), 1_000_000 + number(header)));
        }

        private static int number(FrameHeader header) {
            return (int) header.sequence();
        }

        @Override
        public void onFrame(Link link, Lane lane, FrameHeader header, MemorySegment payload) {
            arrived++;
            int number = number(header);
            assertThat(payload.mismatch(pattern(SIZES[number % SIZES.length], number)))
                    .as("first different byte of %s", header)
                    .isEqualTo(-1);
            MemorySegment place = told.get(header.sequence());
            if (place != null) {
                assertThat(payload).as("the place that was told").isEqualTo(place);
            }
        }
    }

    @Test
    void aPlaceThatVanishesIsNotWrittenToAndTheNextFramesArrive() {
        int frames = 60;
        int[] arrived = new int[1];
        Set<Long> asked = new HashSet<>();
        right.handler(
                new FrameHandler() {
                    @Override
                    public @Nullable MemorySegment destination(
                            Link link, Lane lane, FrameHeader header) {
                        boolean isFirst = asked.add(header.sequence());
                        return isFirst
                                ? MemorySegment.ofArray(new byte[header.payloadBytes()])
                                : null;
                    }

                    @Override
                    public void onFrame(
                            Link link, Lane lane, FrameHeader header, MemorySegment payload) {
                        assertThat(header.sequence()).isEqualTo(arrived[0]++);
                        assertThat(payload.byteSize()).isEqualTo(header.payloadBytes());
                    }
                });
        for (int i = 0; i < frames; i++) {
            sendWhileBothPoll(Lane.BULK, header(i), pattern(SIZES[i % SIZES.length], i));
        }
        drive(() -> arrived[0] == frames && left.told().size() == pending, left, right);
    }

    @Test
    void aPlaceThatMovesBetweenTwoPollsTakesAlongWhatItHadAndGetsTheRest() {
        int frames = 60;
        MovingPlaces places = new MovingPlaces();
        right.handler(places);
        int[] sent = new int[1];
        drive(
                () -> {
                    places.move();
                    int next = sent[0];
                    MemorySegment payload = pattern(SIZES[next % SIZES.length], next);
                    if (next < frames && trySend(Lane.BULK, header(next), payload)) {
                        sent[0]++;
                    }
                    return places.arrived == frames && left.told().size() == pending;
                },
                left,
                right);
    }

    private boolean trySend(Lane lane, FrameHeader header, MemorySegment payload) {
        SendResult result = left.trySend(lane, header, payload, header.sequence());
        pending += result == SendResult.PENDING ? 1 : 0;
        return result != SendResult.REFUSED;
    }

    /** A place for each frame, off the heap, all of which move whenever they are told to. */
    private static final class MovingPlaces implements FrameHandler {
        private final Map<Long, MemorySegment> places = new HashMap<>();
        private int arrived;

        void move() {
            places.replaceAll((number, place) -> copyOf(place));
        }

        private static MemorySegment copyOf(MemorySegment place) {
            MemorySegment moved = Arena.ofAuto().allocate(place.byteSize()).copyFrom(place);
            place.fill((byte) 0xEE);
            return moved;
        }

        @Override
        public MemorySegment destination(Link link, Lane lane, FrameHeader header) {
            return places.computeIfAbsent(
                    header.sequence(), any -> Arena.ofAuto().allocate(header.payloadBytes()));
        }

        @Override
        public void onFrame(Link link, Lane lane, FrameHeader header, MemorySegment payload) {
            int number = arrived++;
            assertThat(header.sequence()).isEqualTo(number);
            assertThat(payload.mismatch(pattern(SIZES[number % SIZES.length], number)))
                    .as("first different byte of %s", header)
                    .isEqualTo(-1);
            places.remove(header.sequence());
        }
    }
}
