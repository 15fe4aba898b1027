package io.nexar.collective;

import io.nexar.fabric.PieceLane;
import io.nexar.memory.BufferPool;
import io.nexar.transport.SendResult;
import io.nexar.wire.CallNote;
import io.nexar.wire.FrameHeader;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * Ranks with real engines in one thread, and between them a network that does everything that a
 * real one may do, in an order drawn from one random seed: pieces arrive late but in the order of
 * their pair; sends are refused, or taken by reference and read later; credit comes back late.
 * Delivered memory is misaligned, on or off the heap, and scribbled over when the engine returns.
 */
final class SimulatedFabric {
    /** One send in so many is refused for no reason. */
    private static final int REFUSALS = 5;

    /** What happened on the network, for tests about order. */
    record Event(String what, int from, int to, long sequence, long slice, int ordinal) {}

    private static final class Frame {
        final FrameHeader header = new FrameHeader();
        MemorySegment payload = MemorySegment.NULL;
        byte[] bytes = {};
        boolean isTransmitted;
        long token = -1;
    }

    /** What one rank tells another about its call; overtakes pieces, or is overtaken. */
    private record Note(int from, int to, CallNote note) {}

    /** A rank's collectives have failed. */
    private record Abort(int from, int to, RuntimeException reason) {}

    /** One direction of a pair. */
    private static final class Path {
        final int from;
        final int to;
        final Queue<Frame> flying = new ArrayDeque<>();
        int credit;
        int unreleased;
        int returning;
        boolean isCut;
        int busyIndex = -1;

        Path(int from, int to) {
            this.from = from;
            this.to = to;
        }
    }

    private final int size;
    private final EngineSettings settings;
    private final Random random;
    private final Path[][] paths;
    private final List<Note> notes = new ArrayList<>();
    private final List<Abort> aborts = new ArrayList<>();
    private long nowNanos;
    private final List<Queue<Long>> sent = new ArrayList<>();
    private final CollectiveEngine[] engines;
    private final BufferPool[] pools;
    private final List<Event> trace = new ArrayList<>();
    private final MemorySegment heap;
    private final MemorySegment offHeap;
    private final Path[] busy;
    private int busyCount;
    private boolean mayRefuse = true;
    private boolean mayPend = true;
    private boolean isTraced;

    SimulatedFabric(int size, EngineSettings settings, long seed, long firstSequence) {
        this.size = size;
        this.settings = settings;
        this.random = new Random(seed);
        this.paths = new Path[size][size];
        this.busy = new Path[size * size];
        this.engines = new CollectiveEngine[size];
        this.pools = new BufferPool[size];
        this.heap = MemorySegment.ofArray(new byte[settings.pieceBytes() + 8]);
        this.offHeap = Arena.ofAuto().allocate(settings.pieceBytes() + 8);
        for (int rank = 0; rank < size; rank++) {
            sent.add(new ArrayDeque<>());
            for (int peer = 0; peer < size; peer++) {
                paths[rank][peer] = new Path(rank, peer);
                paths[rank][peer].credit = settings.creditPieces();
            }
        }
        for (int rank = 0; rank < size; rank++) {
            pools[rank] = new BufferPool(Arena.ofAuto(), settings.pieceBytes());
            engines[rank] =
                    new CollectiveEngine(new Lane(rank), settings, pools[rank], firstSequence);
        }
    }

    CollectiveEngine engine(int rank) {
        return engines[rank];
    }

    /** How many pieces this rank holds copies of. */
    long heldPieces(int rank) {
        return pools[rank].inUse();
    }

    int credit(int from, int to) {
        return paths[from][to].credit;
    }

    /** Counts a piece that a test delivers by itself. */
    void countArrived(int from, int to) {
        paths[from][to].unreleased++;
    }

    SimulatedFabric withoutRefusals() {
        mayRefuse = false;
        return this;
    }

    SimulatedFabric withoutPending() {
        mayPend = false;
        return this;
    }

    List<Event> traced() {
        isTraced = true;
        return trace;
    }

    /** Nothing that this rank sends or has sent arrives any more, and all others learn of it. */
    void lose(int rank, RuntimeException failure) {
        for (int peer = 0; peer < size; peer++) {
            paths[rank][peer].isCut = true;
            paths[peer][rank].isCut = true;
            paths[rank][peer].flying.clear();
            for (Frame frame : paths[peer][rank].flying) {
                if (frame.token >= 0 && !frame.isTransmitted) {
                    sent.get(peer).add(frame.token);
                }
            }
            paths[peer][rank].flying.clear();
            if (peer != rank) {
                engines[peer].onPeerLost(rank, failure);
            }
        }
    }

    /** Lets things happen until the condition holds; a standstill before that is an error. */
    void runUntil(BooleanSupplier done) {
        int idle = 0;
        while (!done.getAsBoolean()) {
            idle = step() ? 0 : idle + 1;
            if (idle > 20 * size && isStandstill()) {
                if (done.getAsBoolean()) {
                    return;
                }
                throw new AssertionError("nothing can move any more, and the calls are not over");
            }
        }
    }

    /** Lets things happen until nothing moves. */
    void runUntilQuiet() {
        int idle = 0;
        while (idle <= 20 * size || !isStandstill()) {
            idle = step() ? 0 : idle + 1;
        }
    }

    /** Lets one thing happen; true if anything did. */
    boolean step() {
        if (!aborts.isEmpty() && random.nextInt(4) == 0) {
            return abortNext();
        }
        if (!notes.isEmpty() && random.nextInt(4) == 0) {
            return tellNext();
        }
        if (busyCount == 0 || random.nextInt(3) == 0) {
            int rank = random.nextInt(size);
            return random.nextBoolean() ? completeSend(rank) : engines[rank].advance() > 0;
        }
        Path path = busy[random.nextInt(busyCount)];
        boolean happened =
                switch (random.nextInt(3)) {
                    case 0 -> transmit(path);
                    case 1 -> deliver(path);
                    default -> returnCredit(path);
                };
        updateBusy(path);
        return happened;
    }

    /** Lets this much time pass for all ranks, and everything happen that comes of it. */
    void passTime(long nanos) {
        nowNanos += nanos;
        for (CollectiveEngine engine : engines) {
            engine.sample(nowNanos);
        }
    }

    /** Notes of one pair arrive in order. */
    private boolean tellNext() {
        Note chosen = notes.get(random.nextInt(notes.size()));
        for (Note note : notes) {
            if (note.from() == chosen.from() && note.to() == chosen.to()) {
                notes.remove(note);
                if (!paths[note.from()][note.to()].isCut) {
                    engines[note.to()].onCall(note.from(), note.note());
                }
                return true;
            }
        }
        return false;
    }

    /** Each rank that breaks tells all others why, as a communicator does. */
    SimulatedFabric withAborts() {
        for (int rank = 0; rank < size; rank++) {
            int origin = rank;
            engines[rank].onBreak(reason -> {
                for (int peer = 0; peer < size; peer++) {
                    if (peer != origin) {
                        aborts.add(new Abort(origin, peer, reason));
                    }
                }
            });
        }
        return this;
    }

    private boolean abortNext() {
        Abort abort = aborts.remove(random.nextInt(aborts.size()));
        if (!paths[abort.from()][abort.to()].isCut) {
            engines[abort.to()].fail(abort.reason());
        }
        return true;
    }

    /**
     * Keeps the paths on which something can happen together, so that steps seldom find nothing.
     */
    private void updateBusy(Path path) {
        boolean isBusy = !path.flying.isEmpty() || path.returning > 0;
        if (isBusy && path.busyIndex < 0) {
            path.busyIndex = busyCount;
            busy[busyCount++] = path;
        } else if (!isBusy && path.busyIndex >= 0) {
            Path last = busy[--busyCount];
            busy[path.busyIndex] = last;
            last.busyIndex = path.busyIndex;
            path.busyIndex = -1;
        }
    }

    private boolean isStandstill() {
        boolean couldRefuse = mayRefuse;
        mayRefuse = false;
        boolean moved = !notes.isEmpty() || !aborts.isEmpty();
        for (int rank = 0; rank < size; rank++) {
            moved |= engines[rank].advance() > 0 || !sent.get(rank).isEmpty();
            for (Path path : paths[rank]) {
                moved |= !path.flying.isEmpty() || path.returning > 0;
            }
        }
        mayRefuse = couldRefuse;
        return !moved;
    }

    private boolean completeSend(int rank) {
        Long token = sent.get(rank).poll();
        if (token != null) {
            engines[rank].onSent(token);
        }
        return token != null;
    }

    /** Reads a payload that was taken by reference: only now. */
    private boolean transmit(Path path) {
        for (Frame frame : path.flying) {
            if (!frame.isTransmitted) {
                frame.bytes = frame.payload.toArray(ValueLayout.JAVA_BYTE);
                frame.isTransmitted = true;
                sent.get(path.from).add(frame.token);
                return true;
            }
        }
        return false;
    }

    private boolean deliver(Path path) {
        Frame frame = path.flying.peek();
        if (frame == null || !frame.isTransmitted) {
            return false;
        }
        path.flying.remove();
        path.unreleased++;
        note("arrived", path.from, path.to, frame.header);
        MemorySegment place = random.nextBoolean() ? heap : offHeap;
        MemorySegment payload = place.asSlice(random.nextInt(8), frame.bytes.length);
        MemorySegment.copy(MemorySegment.ofArray(frame.bytes), 0, payload, 0, frame.bytes.length);
        engines[path.to].onPiece(path.from, frame.header, payload.asReadOnly());
        payload.fill((byte) 0xEE);
        return true;
    }

    private static boolean returnCredit(Path path) {
        boolean happened = path.returning > 0;
        path.credit += path.returning;
        path.returning = 0;
        return happened;
    }

    private void note(String what, int from, int to, FrameHeader header) {
        if (isTraced) {
            trace.add(new Event(what, from, to, header.sequence(), header.offset(), header.tag()));
        }
    }

    private final class Lane implements PieceLane {
        private final int rank;

        Lane(int rank) {
            this.rank = rank;
        }

        @Override
        public int rank() {
            return rank;
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        public int credit(int peer) {
            return paths[rank][peer].credit;
        }

        @Override
        public SendResult trySend(int peer, FrameHeader header, MemorySegment payload, long token) {
            Path path = paths[rank][peer];
            if (path.credit <= 0) {
                throw new AssertionError("rank " + rank + " sends to " + peer + " without credit");
            }
            if (header.payloadBytes() != payload.byteSize()
                    || payload.byteSize() > settings.pieceBytes()) {
                throw new AssertionError("payload of " + payload.byteSize() + " bytes: " + header);
            }
            if (path.isCut || (mayRefuse && random.nextInt(REFUSALS) == 0)) {
                return SendResult.REFUSED;
            }
            path.credit--;
            Frame frame = new Frame();
            frame.header.copyFrom(header);
            frame.isTransmitted = !mayPend || random.nextBoolean();
            if (frame.isTransmitted) {
                frame.bytes = payload.toArray(ValueLayout.JAVA_BYTE);
            } else {
                frame.payload = payload;
                frame.token = token;
            }
            path.flying.add(frame);
            updateBusy(path);
            note("sent", rank, peer, header);
            return frame.isTransmitted ? SendResult.SENT : SendResult.PENDING;
        }

        @Override
        public void tell(int peer, CallNote note) {
            notes.add(new Note(rank, peer, note));
        }

        @Override
        public void release(int peer, int pieces) {
            Path path = paths[peer][rank];
            path.unreleased -= pieces;
            path.returning += pieces;
            updateBusy(path);
            if (path.unreleased < 0) {
                throw new AssertionError("rank " + rank + " releases more than came from " + peer);
            }
        }
    }
}
