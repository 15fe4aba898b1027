package io.nexar.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.DataBuffer;
import io.nexar.DataType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** The memory of this process that peers on its host may map. */
@Timeout(60)
class SharedAreaTest {
    private static final int PID = (int) ProcessHandle.current().pid();
    private final SharedArea area = Objects.requireNonNull(SharedArea.own());

    @Test
    void buffersOfSomeSizeLieInItAndAreZero() {
        for (long bytes : new long[] {5000, 65_536, 10_000_001}) {
            MemorySegment memory = DataBuffer.allocate(DataType.I8, bytes).segment();
            assertThat(area.contains(memory)).isTrue();
            assertThat(memory.byteSize()).isEqualTo(bytes);
            assertThat(memory.address() % 64).isZero();
            assertThat(PeerMemory.isKept(memory)).isTrue();
            assertThat(memory.mismatch(Arena.ofAuto().allocate(bytes))).isEqualTo(-1);
            memory.fill((byte) 7); // lest the next who gets it finds zeros by luck
        }
    }

    @Test
    void smallOnesAndWhatIsLongerThanTheAreaAreTheJvms() {
        assertThat(area.contains(DataBuffer.allocate(DataType.I8, 4096).segment())).isFalse();
        assertThat(DataBuffer.allocate(DataType.I8, 0).byteSize()).isZero();
        assertThat(area.tryAllocate(area.place().bytes() + 1)).isNull();
        assertThat(area.tryAllocate(Long.MAX_VALUE)).isNull();
    }

    @Test
    void whatNobodyViewsAnyMoreGoesBackToTheSystem() throws Exception {
        long bytes = 64 << 20;
        long before = sharedKib();
        long address = touched(bytes);
        while (sharedKib() - before > bytes >> 11) {
            System.gc();
            Thread.yield();
        }
        // The same place again, or another one: it must be clean.
        MemorySegment next = DataBuffer.allocate(DataType.I8, bytes).segment();
        assertThat(next.mismatch(MemorySegment.ofArray(new byte[(int) bytes])))
                .as("at %x, after %x", next.address(), address)
                .isEqualTo(-1);
    }

    private static long touched(long bytes) throws IOException {
        long before = sharedKib();
        MemorySegment memory = DataBuffer.allocate(DataType.I8, bytes).segment();
        memory.fill((byte) 1);
        assertThat(sharedKib() - before).as("KiB").isGreaterThan(bytes >> 11);
        return memory.address();
    }

    @Test
    void anotherProcessSeesInItWhatIsWrittenThere() {
        MemorySegment memory = DataBuffer.allocate(DataType.I8, 8192).segment();
        try (Arena arena = Arena.ofShared()) {
            PeerMemory peer = new PeerMemory(PID, area.place(), arena);
            MemorySegment shown = Objects.requireNonNull(peer.show(memory.address(), 8192));
            memory.fill((byte) 3);
            assertThat(shown.mismatch(memory)).isEqualTo(-1);
            assertThat(shown.isReadOnly()).isTrue();
        }
    }

    @Test
    void whatLiesOutsideOfItIsNotShown() {
        SharedArea.Place place = area.place();
        long end = place.address() + place.bytes();
        try (Arena arena = Arena.ofShared()) {
            PeerMemory peer = new PeerMemory(PID, place, arena);
            assertThat(peer.show(place.address(), 1)).isNotNull();
            assertThat(peer.show(end - 10, 10)).isNotNull();
            assertThat(peer.show(end - 10, 11)).isNull();
            assertThat(peer.show(place.address() - 1, 1)).isNull();
            assertThat(peer.show(place.address() + Long.MIN_VALUE, 1)).isNull();
            assertThat(peer.show(0, 1)).isNull();
            assertThat(peer.show(-1, 1)).isNull();
        }
    }

    @Test
    void aPeerThatLiesAboutItsAreaHasNone() {
        SharedArea.Place place = area.place();
        SharedMemory link = SharedMemory.make(4096);
        assertHasNone(SharedArea.Place.NONE);
        assertHasNone(new SharedArea.Place(place.address(), place.bytes(), 0));
        assertHasNone(new SharedArea.Place(place.address(), place.bytes(), -1));
        assertHasNone(new SharedArea.Place(place.address(), place.bytes(), 1 << 30));
        assertHasNone(new SharedArea.Place(place.address(), 4096, link.descriptor()));
        for (long bytes : new long[] {1, place.bytes() - 4096, -1, Long.MAX_VALUE}) {
            assertHasNone(new SharedArea.Place(place.address(), bytes, place.descriptor()));
        }
        link.close();
    }

    private static void assertHasNone(SharedArea.Place place) {
        try (Arena arena = Arena.ofShared()) {
            PeerMemory peer = new PeerMemory(PID, place, arena);
            assertThat(peer.hasArea()).as(place.toString()).isFalse();
            assertThat(peer.show(place.address(), 0)).isNull();
        }
    }

    private static long sharedKib() throws IOException {
        String line =
                Files.readAllLines(Path.of("/proc/self/status")).stream()
                        .filter(text -> text.startsWith("RssShmem:"))
                        .findFirst()
                        .orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", ""));
    }
}
