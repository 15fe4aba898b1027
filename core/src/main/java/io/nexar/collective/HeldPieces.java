package io.nexar.collective;

import io.nexar.memory.BufferPool;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/**
 * Pieces that came before their step was ready, or before their call has been made here: one list a
 * peer, in the order of arrival. The peer's credit bounds each list; buffers and list nodes are
 * used again.
 */
final class HeldPieces {
    private final BufferPool buffers;
    private final Piece[] lists;
    private final int[] counts;
    private int total;
    private @Nullable Piece free;

    /** A held piece; also the head of each list. */
    static final class Piece {
        private final FrameHeader header = new FrameHeader();
        private MemorySegment buffer = MemorySegment.NULL;
        private @Nullable Piece next;

        FrameHeader header() {
            return header;
        }

        /** The memory that holds the payload from its beginning on; at least as long. */
        MemorySegment buffer() {
            return buffer;
        }

        /** The piece that came next; null after the last. */
        @Nullable Piece next() {
            return next;
        }
    }

    HeldPieces(int size, BufferPool buffers) {
        this.buffers = buffers;
        this.lists = new Piece[size];
        this.counts = new int[size];
        for (int peer = 0; peer < size; peer++) {
            lists[peer] = new Piece();
        }
    }

    boolean isEmpty() {
        return total == 0;
    }

    int count(int peer) {
        return counts[peer];
    }

    /** How many of a peer's held pieces belong to this call. */
    int count(int peer, long sequence) {
        int count = 0;
        for (Piece piece = first(peer); piece != null; piece = piece.next) {
            if (piece.header.sequence() == sequence) {
                count++;
            }
        }
        return count;
    }

    /** The peer's oldest piece; null if there is none. */
    @Nullable Piece first(int peer) {
        return lists[peer].next;
    }

    /** Copies a piece and holds it. */
    void add(int peer, FrameHeader header, MemorySegment payload) {
        Piece piece = free;
        if (piece == null) {
            piece = new Piece();
        } else {
            free = piece.next;
            piece.next = null;
        }
        piece.header.copyFrom(header);
        if (header.payloadBytes() > 0) {
            piece.buffer = buffers.acquire();
            MemorySegment.copy(payload, 0, piece.buffer, 0, header.payloadBytes());
        }
        Piece last = lists[peer];
        for (Piece next = last.next; next != null; next = next.next) {
            last = next;
        }
        last.next = piece;
        counts[peer]++;
        total++;
    }

    /** Takes out the oldest piece of this message; null if none is held. */
    @Nullable Piece take(int peer, long sequence, long slice, int ordinal) {
        Piece before = lists[peer];
        for (Piece piece = before.next; piece != null; piece = piece.next) {
            FrameHeader header = piece.header;
            if (header.sequence() == sequence
                    && header.offset() == slice
                    && header.tag() == ordinal) {
                remove(peer, before, piece);
                return piece;
            }
            before = piece;
        }
        return null;
    }

    /** Gives a taken piece's memory back. */
    void recycle(Piece piece) {
        if (piece.header.payloadBytes() > 0) {
            buffers.release(piece.buffer);
            piece.buffer = MemorySegment.NULL;
        }
        piece.next = free;
        free = piece;
    }

    /** Drops a peer's pieces of this call and, if asked, of all later ones; returns how many. */
    int drop(int peer, long sequence, boolean andLater) {
        int dropped = 0;
        Piece before = lists[peer];
        Piece piece = before.next;
        while (piece != null) {
            Piece next = piece.next;
            long age = piece.header.sequence() - sequence;
            if (age == 0 || (andLater && age > 0)) {
                remove(peer, before, piece);
                recycle(piece);
                dropped++;
            } else {
                before = piece;
            }
            piece = next;
        }
        return dropped;
    }

    private void remove(int peer, Piece before, Piece piece) {
        before.next = piece.next;
        piece.next = null;
        counts[peer]--;
        total--;
    }
}
