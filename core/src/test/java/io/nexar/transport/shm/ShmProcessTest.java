package io.nexar.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.MemberId;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.SendResult;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Links between two processes, and systems that have no memory or no way to it. */
@Timeout(120)
class ShmProcessTest {
    private static final long SEED = 20_260_606;
    private final BlockingQueue<Link> accepted = new LinkedBlockingQueue<>();
    private final List<Process> processes = new ArrayList<>();
    private final SharedState before = state();
    private ShmEndpoint endpoint;

    @BeforeEach
    void open() {
        endpoint =
                ShmMembers.open(
                        ShmMembers.settings(new MemberId(0), any -> true, accepted::add, () -> {}),
                        refusal -> {});
    }

    @AfterEach
    void close() throws Exception {
        endpoint.close();
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
        }
        assertThat(state()).isEqualTo(before);
        assertThat(new File("/dev/shm").list((any, name) -> name.contains("nexar"))).isEmpty();
    }

    @Test
    void framesOfAllSizesComeBackFromAnotherProcess() throws Exception {
        Process peer = start(List.of());
        Link link = link();
        exchange(link, 2000);
        link.close("all came back");
        assertThat(lines(peer)).containsSequence("linked").last().asString().contains("all came");
    }

    /** Sends frames of random sizes and lanes, and checks what comes back. */
    private static void exchange(Link link, int frames) {
        Random random = new Random(SEED);
        int[] sizes = random.ints(frames, 0, 70_000).toArray();
        for (int i = 0; i < frames; i += 2) {
            sizes[i] %= 100;
        }
        int[] back = new int[1];
        int sent = 0;
        while (back[0] < frames) {
            if (sent < frames && sent - back[0] < 100) {
                FrameHeader header = new FrameHeader().reset(FrameKind.MESSAGE).sequence(sent);
                header.payloadBytes(sizes[sent]);
                Lane lane = Lane.of(sent % Lane.COUNT);
                if (link.trySend(lane, header, pattern(sizes[sent], sent), token -> {}, 0)
                        != SendResult.REFUSED) {
                    sent++;
                }
                link.flush();
            }
            link.poll(
                    (from, lane, header, payload) -> {
                        int number = (int) header.sequence();
                        assertThat(lane).isEqualTo(Lane.of(number % Lane.COUNT));
                        assertThat(payload.mismatch(pattern(sizes[number], number)))
                                .as("frame %d, seed %d", number, SEED)
                                .isEqualTo(-1);
                        back[0]++;
                    },
                    64);
            assertThat(link.closeCause()).isNull();
        }
    }

    @Test
    void aPeerThatIsKilledLeavesNothingAndItsLinkCanBeClosed() throws Exception {
        Process peer = start(List.of());
        Link link = link();
        FrameHeader header = new FrameHeader().reset(FrameKind.MESSAGE).payloadBytes(50_000);
        MemorySegment payload = pattern(50_000, 1);
        int[] back = new int[1];
        int sent = 0;
        while (back[0] < 100 || peer.isAlive()) {
            if (link.trySend(Lane.BULK, header, payload, token -> {}, 0) != SendResult.REFUSED) {
                sent++;
            }
            link.flush();
            link.poll((from, lane, h, p) -> back[0]++, 64);
            if (back[0] >= 100) { // one poll may bring several
                peer.destroyForcibly();
            }
        }
        link.poll((from, lane, h, p) -> back[0]++, 64);
        assertThat(back[0]).isBetween(100, sent);
        link.close("the peer is dead");
        link.poll((from, lane, h, p) -> {}, 64);
        assertThat(link.isClosed()).isTrue();
    }

    @Test
    void aSystemThatHasNoMemoryToSpareSaysSoAtOpen() throws Exception {
        assertThat(lines(start(List.of("bash", "-c", "ulimit -f 0; exec \"$@\"", "bash"))))
                .singleElement()
                .asString()
                .contains("UnsupportedOperationException", "can't reserve 4096 bytes", "too large");
    }

    // Pitfall 92: what there is no room for fails when it is reserved, with a reason.
    @Test
    void aSystemThatHasNoMemoryForALinkFailsItsDial() throws Exception {
        assertThat(lines(start(List.of("bash", "-c", "ulimit -f 100; exec \"$@\"", "bash"))))
                .singleElement()
                .asString()
                .contains("RendezvousException", "can't reserve", "too large");
        assertThat(accepted).isEmpty();
    }

    // Pitfall 92: containers have a small /dev/shm, and some have none.
    @Test
    void aSmallSharedMemoryFileSystemIsNoObstacle() throws Exception {
        assumeRoot();
        String mount = "mount -t tmpfs -o size=16m none /dev/shm && exec \"$@\"";
        Process peer = start(List.of("unshare", "-m", "bash", "-c", mount, "bash"));
        Link link = link();
        exchange(link, 500);
        link.close("it was none");
        assertThat(lines(peer)).last().asString().contains("it was none");
    }

    @Test
    void aProcessOfAnotherPidNamespaceIsNotLinkedAndGoesOn() throws Exception {
        assumeRoot();
        Process peer = start(List.of("unshare", "--pid", "--fork", "--mount-proc"));
        assertThat(lines(peer))
                .singleElement()
                .asString()
                .contains("RendezvousException", "another pid namespace");
        exchangeWithNextPeer();
    }

    private void exchangeWithNextPeer() throws Exception {
        start(List.of());
        exchange(link(), 10);
    }

    private static void assumeRoot() {
        assumeTrue(System.getProperty("user.name").equals("root"), "namespaces are root's to make");
    }

    private Link link() throws InterruptedException {
        Link link = accepted.poll(30, TimeUnit.SECONDS);
        assertThat(link).as("a link from the other process").isNotNull();
        return link;
    }

    private Process start(List<String> prefix) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:-UsePerfData",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ShmPeer.class.getName(),
                        endpoint.address().candidates().getFirst()));
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        processes.add(process);
        return process;
    }

    private static List<String> lines(Process process) throws IOException {
        return process.inputReader().readAllLines();
    }

    private static MemorySegment pattern(int bytes, int number) {
        byte[] pattern = new byte[bytes];
        new Random(SEED + number).nextBytes(pattern);
        MemorySegment heap = MemorySegment.ofArray(pattern);
        return switch (number % 3) {
            case 0 -> heap;
            case 1 ->
                    DataBuffer.allocate(DataType.I8, bytes + 1L)
                            .segment()
                            .asSlice(1)
                            .copyFrom(heap);
            default -> Arena.ofAuto().allocate(bytes + 1L).asSlice(1).copyFrom(heap);
        };
    }

    private static SharedState state() {
        try {
            return SharedState.own();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
