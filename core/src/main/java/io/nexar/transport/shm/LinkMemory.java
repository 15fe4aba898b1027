package io.nexar.transport.shm;

import io.nexar.transport.Lane;
import io.nexar.wire.Utf8;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The memory of one link, made by the dialler:
 *
 * <pre>
 *     0 the dialler's letter: u64 magic | 8 u32 version | 16 token of the acceptor
 *       32 u64 dialler | 40 u64 acceptor | 48 u32 pid, 52 u32 descriptor, 56 token of the
 *       dialler's own doorstep
 *   128 i32 answer | 132 u32 bytes of its reason | 136 the reason
 *  4096 what the dialler writes beside its rings, 8192 what the acceptor does:
 *         0 4 u64 tails | 32 u32 whether it has closed
 *       128 4 u64 heads | 256 4 u32 starved
 *       320 u64 address of a word in its own memory, 328 u64 that word
 *       336 u32 whether it can read the other's: 1 anywhere, 2 in its area
 *       344 u64 address of its area, 352 u64 bytes of that, 360 u32 descriptor
 *       512 u32 bytes of the reason of the close | 516 the reason
 * 65536 the rings, lane by lane: first those that the dialler sends on, then the acceptor's
 * </pre>
 *
 * <p>Each ring is mapped twice in a row, so that whatever begins in it lies in one piece. Numbers
 * here that the peer may write are read once and checked by whoever reads them.
 */
final class LinkMemory {
    /** Rises with every change of these layouts. */
    static final int VERSION = 2;

    static final int WAITING = 0;
    static final int ACCEPTED = 1;
    static final int REFUSED = 2;
    static final int ABANDONED = 3;

    static final int TAILS_AT = 0;
    static final int CLOSED_AT = 32;
    static final int HEADS_AT = 128;
    static final int STARVED_AT = 256;

    private static final int PROBE_AT = 320;
    private static final int READS_AT = 336;
    private static final int AREA_AT = 344;
    private static final int READS_ANYWHERE = 1;
    private static final int READS_AREA = 2;
    private static final int REASON_AT = 512;

    /** Bounds the reason that a peer can make us hold. */
    private static final int REASON_BYTES_MAX = 1000;

    /**
     * Powers of two. Credits and notices are small; 128 KiB hold a burst of small messages; 256 KiB
     * of pieces keep both ends of a pipeline busy and still lie in the second-level cache.
     */
    private static final int[] RING_BYTES = {64 << 10, 128 << 10, 256 << 10, 256 << 10};

    private static final long MAGIC = 0x4B4E_494C_5241_584EL; // "NXARLINK", in little-endian order
    private static final int VERSION_AT = 8;
    private static final int ACCEPTOR_TOKEN_AT = 16;
    private static final int DIALLER_AT = 32;
    private static final int ACCEPTOR_AT = 40;
    private static final int PID_AT = 48;
    private static final int DESCRIPTOR_AT = 52;
    private static final int DIALLER_TOKEN_AT = 56;
    private static final int ANSWER_AT = 128;
    private static final int ANSWER_REASON_AT = 132;
    private static final int SIDES_AT = 4096;
    private static final int SIDE_BYTES = 4096;

    /** No system that this runs on has larger pages, and rings begin on pages. */
    private static final int RINGS_AT = 64 << 10;

    private static final int DIRECTION_BYTES = before(Lane.COUNT);

    static final long BYTES = RINGS_AT + 2L * DIRECTION_BYTES;

    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final Pattern CONTROL_CHARACTER = Pattern.compile("\\p{Cntrl}");

    private final MemorySegment all;

    private LinkMemory(MemorySegment all) {
        this.all = all;
    }

    /** What a dialler says of itself and of whom it means. */
    record Letter(long dialler, long acceptor, Token acceptorToken, ShmAddress doorstep) {}

    static LinkMemory map(SharedMemory memory, Arena arena) {
        List<SharedMemory.Window> windows = new ArrayList<>();
        windows.add(new SharedMemory.Window(0, 0, RINGS_AT));
        for (int side = 0; side < 2; side++) {
            for (int lane = 0; lane < Lane.COUNT; lane++) {
                long offset = RINGS_AT + (long) side * DIRECTION_BYTES + before(lane);
                long at = ringAt(side, lane);
                int bytes = RING_BYTES[lane];
                windows.add(new SharedMemory.Window(at, offset, bytes));
                windows.add(new SharedMemory.Window(at + bytes, offset, bytes));
            }
        }
        long addressBytes = RINGS_AT + 4L * DIRECTION_BYTES;
        return new LinkMemory(
                memory.map(arena, addressBytes, windows.toArray(SharedMemory.Window[]::new)));
    }

    /** Maps what a visitor has left word of; the numbers may be anything. */
    static LinkMemory visit(int pid, int descriptor, Arena arena) {
        try (SharedMemory memory = SharedMemory.open(pid, descriptor, BYTES)) {
            return map(memory, arena);
        }
    }

    MemorySegment all() {
        return all;
    }

    void write(Letter letter) {
        all.set(ValueLayout.JAVA_INT, VERSION_AT, VERSION);
        letter.acceptorToken.write(all, ACCEPTOR_TOKEN_AT);
        all.set(ValueLayout.JAVA_LONG, DIALLER_AT, letter.dialler);
        all.set(ValueLayout.JAVA_LONG, ACCEPTOR_AT, letter.acceptor);
        all.set(ValueLayout.JAVA_INT, PID_AT, letter.doorstep.pid());
        all.set(ValueLayout.JAVA_INT, DESCRIPTOR_AT, letter.doorstep.descriptor());
        letter.doorstep.token().write(all, DIALLER_TOKEN_AT);
        LONG.setRelease(all, 0L, MAGIC); // pairs with the acquire in read
    }

    /** Reads the letter, whose writer must be of this host. */
    Letter read(ShmAddress.Host host) {
        if ((long) LONG.getAcquire(all, 0L) != MAGIC
                || all.get(ValueLayout.JAVA_INT, VERSION_AT) != VERSION) {
            throw new ShmException("it is not the memory of a link of version " + VERSION);
        }
        ShmAddress doorstep =
                new ShmAddress(
                        host,
                        all.get(ValueLayout.JAVA_INT, PID_AT),
                        all.get(ValueLayout.JAVA_INT, DESCRIPTOR_AT),
                        Token.read(all, DIALLER_TOKEN_AT));
        return new Letter(
                all.get(ValueLayout.JAVA_LONG, DIALLER_AT),
                all.get(ValueLayout.JAVA_LONG, ACCEPTOR_AT),
                Token.read(all, ACCEPTOR_TOKEN_AT),
                doorstep);
    }

    int answer() {
        return (int) INT.getAcquire(all, (long) ANSWER_AT);
    }

    /** Answers the dial unless it is over; the reason is for a refusal. */
    boolean tryAnswer(int answer, String reason) {
        writeText(ANSWER_REASON_AT, reason);
        return INT.compareAndSet(all, (long) ANSWER_AT, WAITING, answer);
    }

    String answerReason() {
        return readText(ANSWER_REASON_AT);
    }

    /**
     * One lane in one direction.
     *
     * @param ring twice in a row
     * @param mine what this end writes beside the rings
     * @param theirs what the peer writes there
     */
    record LaneMemory(MemorySegment ring, MemorySegment mine, MemorySegment theirs, Lane lane) {}

    /** The lane that this side sends on. */
    LaneMemory outgoing(int side, Lane lane) {
        return new LaneMemory(ring(side, lane.ordinal()), side(side), side(1 - side), lane);
    }

    /** The lane that this side gets frames on. */
    LaneMemory incoming(int side, Lane lane) {
        return new LaneMemory(ring(1 - side, lane.ordinal()), side(side), side(1 - side), lane);
    }

    /** What one end writes beside its rings: side 0 is the dialler's. */
    MemorySegment side(int side) {
        return all.asSlice(sideAt(side), SIDE_BYTES);
    }

    private MemorySegment ring(int side, int lane) {
        return all.asSlice(ringAt(side, lane), 2L * RING_BYTES[lane]);
    }

    /** Tells the peer a word of this process's memory, before it is told of the link. */
    void writeProbe(int side, MemorySegment word) {
        all.set(ValueLayout.JAVA_LONG, sideAt(side) + PROBE_AT, word.address());
        all.set(
                ValueLayout.JAVA_LONG,
                sideAt(side) + PROBE_AT + 8,
                word.get(ValueLayout.JAVA_LONG, 0));
    }

    /** Tells the peer where this process's area is, also before it is told of the link. */
    void writeArea(int side, SharedArea.Place place) {
        long at = sideAt(side) + AREA_AT;
        all.set(ValueLayout.JAVA_LONG, at, place.address());
        all.set(ValueLayout.JAVA_LONG, at + 8, place.bytes());
        all.set(ValueLayout.JAVA_INT, at + 16, place.descriptor());
    }

    /** What a side says of its area. */
    SharedArea.Place area(int side) {
        long at = sideAt(side) + AREA_AT;
        return new SharedArea.Place(
                all.get(ValueLayout.JAVA_LONG, at),
                all.get(ValueLayout.JAVA_LONG, at + 8),
                all.get(ValueLayout.JAVA_INT, at + 16));
    }

    /** Tries to read the peer's word where it lies, and tells the peer what it can read. */
    void probe(int side, PeerMemory peer) {
        long address = all.get(ValueLayout.JAVA_LONG, sideAt(1 - side) + PROBE_AT);
        long value = all.get(ValueLayout.JAVA_LONG, sideAt(1 - side) + PROBE_AT + 8);
        int reads = peer.hasWord(address, value) ? READS_ANYWHERE : 0;
        reads |= peer.hasArea() ? READS_AREA : 0;
        INT.setRelease(all, sideAt(side) + READS_AT, reads);
    }

    /** Whether the peer has told that it can read all of this side's memory. */
    boolean canPeerRead(int side) {
        return (peerReads(side) & READS_ANYWHERE) != 0;
    }

    /** Whether it has told that it can read this side's area. */
    boolean canPeerReadArea(int side) {
        return (peerReads(side) & READS_AREA) != 0;
    }

    private int peerReads(int side) {
        return (int) INT.getOpaque(all, sideAt(1 - side) + READS_AT);
    }

    void writeClose(int side, String reason) {
        writeText(sideAt(side) + REASON_AT, reason);
        INT.setRelease(all, sideAt(side) + CLOSED_AT, 1);
    }

    String closeReason(int side) {
        return readText(sideAt(side) + REASON_AT);
    }

    private void writeText(long at, String text) {
        byte[] bytes = Utf8.cut(text, REASON_BYTES_MAX);
        MemorySegment.copy(bytes, 0, all, ValueLayout.JAVA_BYTE, at + 4, bytes.length);
        INT.setRelease(all, at, bytes.length);
    }

    /** Of what a peer could do to a terminal or a log, nothing is left. */
    private String readText(long at) {
        int length = (int) INT.getAcquire(all, at);
        byte[] bytes = new byte[Math.clamp(length, 0, REASON_BYTES_MAX)];
        MemorySegment.copy(all, ValueLayout.JAVA_BYTE, at + 4, bytes, 0, bytes.length);
        String text = new String(bytes, StandardCharsets.UTF_8);
        return CONTROL_CHARACTER.matcher(text).replaceAll(" ");
    }

    private static long ringAt(int side, int lane) {
        return RINGS_AT + 2L * ((long) side * DIRECTION_BYTES + before(lane));
    }

    private static long sideAt(int side) {
        return SIDES_AT + (long) side * SIDE_BYTES;
    }

    private static int before(int lane) {
        int bytes = 0;
        for (int i = 0; i < lane; i++) {
            bytes += RING_BYTES[i];
        }
        return bytes;
    }
}
