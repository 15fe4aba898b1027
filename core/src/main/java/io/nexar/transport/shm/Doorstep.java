package io.nexar.transport.shm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A page of memory in front of an endpoint, which its peers map too:
 *
 * <pre>
 *    0 u64 magic | 8 u32 version | 16 token | 32 u64 member
 *  256 i32 bell: a word that a waiting progress thread sleeps on
 *  320 i32 whether one sleeps, or is about to
 *  384 i32 door: a word that the endpoint's own thread sleeps on
 * 1024 64 slots for visitors, u64 each: pid << 32 | descriptor + 1, or 0
 * </pre>
 *
 * <p>A visitor leaves in one slot, by one compare-and-set, which memory of its own it means to
 * share; all that it has to say lies there. So a visitor that dies leaves nothing half done.
 * Thread-safe.
 */
final class Doorstep {
    static final int BYTES = 4096;

    private static final long MAGIC = 0x504F_4F44_5241_584EL; // "NXARDOOP", in little-endian order
    private static final int VERSION_AT = 8;
    private static final int TOKEN_AT = 16;
    private static final int MEMBER_AT = 32;
    private static final int BELL_AT = 256;
    private static final int SLEEPS_AT = 320;
    private static final int DOOR_AT = 384;
    private static final int SLOTS_AT = 1024;

    /** As many as may dial in one turn of the endpoint's thread; more wait a moment. */
    private static final int SLOTS = 64;

    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final MemorySegment page;
    private final long address;

    private Doorstep(MemorySegment page) {
        this.page = page;
        this.address = page.address();
    }

    static Doorstep make(SharedMemory memory, Arena arena, Token token, long member) {
        Doorstep doorstep = new Doorstep(memory.map(arena));
        MemorySegment page = doorstep.page;
        page.set(ValueLayout.JAVA_INT, VERSION_AT, LinkMemory.VERSION);
        token.write(page, TOKEN_AT);
        page.set(ValueLayout.JAVA_LONG, MEMBER_AT, member);
        LONG.setRelease(page, 0L, MAGIC); // pairs with the acquire in visit
        return doorstep;
    }

    /** Maps a peer's, until the arena closes. */
    static Doorstep visit(ShmAddress where, Arena arena) {
        try (SharedMemory memory = SharedMemory.open(where.pid(), where.descriptor(), BYTES)) {
            MemorySegment page = memory.map(arena);
            int version = page.get(ValueLayout.JAVA_INT, VERSION_AT);
            if ((long) LONG.getAcquire(page, 0L) != MAGIC || version != LinkMemory.VERSION) {
                throw new ShmException(
                        "process "
                                + where.pid()
                                + " has no doorstep of version "
                                + LinkMemory.VERSION
                                + " there");
            }
            if (!Token.read(page, TOKEN_AT).equals(where.token())) {
                throw new ShmException(
                        "process "
                                + where.pid()
                                + " has another token: the endpoint"
                                + " of this address is gone");
            }
            return new Doorstep(page);
        }
    }

    long member() {
        return page.get(ValueLayout.JAVA_LONG, MEMBER_AT);
    }

    // ---- the bell: for who waits for frames ----

    /** Says that somebody is about to sleep; what rings from now on changes the bell. */
    int prepareSleep() {
        int ticket = (int) INT.getAcquire(page, (long) BELL_AT);
        INT.setVolatile(page, (long) SLEEPS_AT, 1);
        VarHandle.fullFence(); // pairs with the one in ring: it sees the sleeper, or we its frame
        return ticket;
    }

    void endSleep() {
        INT.setOpaque(page, (long) SLEEPS_AT, 0);
    }

    boolean hasRung(int ticket) {
        return (int) INT.getAcquire(page, (long) BELL_AT) != ticket;
    }

    void sleep(int ticket, MemorySegment timespec) {
        Libc.futexWait(address + BELL_AT, ticket, timespec.address());
    }

    /** Wakes who sleeps, if somebody does. What it is to find was written before. */
    void ring() {
        VarHandle.fullFence(); // pairs with the one in prepareSleep
        if ((int) INT.getOpaque(page, (long) SLEEPS_AT) != 0
                && (int) INT.getAndSet(page, (long) SLEEPS_AT, 0) != 0) {
            INT.getAndAdd(page, (long) BELL_AT, 1);
            Libc.futexWake(address + BELL_AT);
        }
    }

    // ---- the door: for the endpoint's thread ----

    int doorTicket() {
        return (int) INT.getAcquire(page, (long) DOOR_AT);
    }

    void awaitKnock(int ticket, MemorySegment timespec) {
        Libc.futexWait(address + DOOR_AT, ticket, timespec.address());
    }

    void knock() {
        INT.getAndAdd(page, (long) DOOR_AT, 1);
        Libc.futexWake(address + DOOR_AT);
    }

    /** Leaves word of memory to share; false if all slots are taken right now. */
    boolean tryLeave(int pid, int descriptor) {
        long word = word(pid, descriptor);
        for (int slot = 0; slot < SLOTS; slot++) {
            if (LONG.compareAndSet(page, slotAt(slot), 0L, word)) {
                knock();
                return true;
            }
        }
        return false;
    }

    /** Takes that word back, if nobody has read it yet. */
    void takeBack(int pid, int descriptor) {
        long word = word(pid, descriptor);
        for (int slot = 0; slot < SLOTS; slot++) {
            if (LONG.compareAndSet(page, slotAt(slot), word, 0L)) {
                return;
            }
        }
    }

    /** Takes what visitors have left: each is told by its pid and descriptor. */
    void receive(Visitors visitors) {
        for (int slot = 0; slot < SLOTS; slot++) {
            if ((long) LONG.getOpaque(page, slotAt(slot)) != 0) {
                long word = (long) LONG.getAndSet(page, slotAt(slot), 0L);
                visitors.onVisitor((int) (word >>> 32), (int) word - 1);
            }
        }
    }

    /** Hears of visitors; the numbers may be anything. */
    interface Visitors {
        void onVisitor(int pid, int descriptor);
    }

    private static long slotAt(int slot) {
        return SLOTS_AT + (long) slot * Long.BYTES;
    }

    private static long word(int pid, int descriptor) {
        return (long) pid << 32 | (descriptor + 1);
    }
}
