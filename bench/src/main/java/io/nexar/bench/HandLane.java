package io.nexar.bench;

import io.nexar.collective.CollectiveEngine;
import io.nexar.collective.EngineSettings;
import io.nexar.fabric.PieceLane;
import io.nexar.transport.SendResult;
import io.nexar.wire.CallNote;
import io.nexar.wire.FrameHeader;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Keeps the pieces that one of two engines sends until they are handed to the other. */
final class HandLane implements PieceLane {
    private final int rank;
    private final int credit;
    private final FrameHeader[] headers;
    private final MemorySegment[] payloads;
    private int count;

    HandLane(int rank, EngineSettings settings) {
        this.rank = rank;
        this.credit = settings.creditPieces();
        headers = new FrameHeader[credit];
        payloads = new MemorySegment[credit];
        for (int i = 0; i < credit; i++) {
            headers[i] = new FrameHeader();
            payloads[i] = Arena.ofAuto().allocate(settings.pieceBytes(), 64);
        }
    }

    void deliver(CollectiveEngine other) {
        for (int i = 0; i < count; i++) {
            long bytes = headers[i].payloadBytes();
            other.onPiece(rank, headers[i], payloads[i].asSlice(0, bytes));
        }
        count = 0;
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return 2;
    }

    /** What is handed over is consumed at once. */
    @Override
    public int credit(int peer) {
        return credit - count;
    }

    @Override
    public SendResult trySend(int peer, FrameHeader header, MemorySegment payload, long token) {
        if (count == credit) {
            return SendResult.REFUSED;
        }
        headers[count].copyFrom(header);
        MemorySegment.copy(payload, 0, payloads[count], 0, payload.byteSize());
        count++;
        return SendResult.SENT;
    }

    @Override
    public void release(int peer, int pieces) {}

    @Override
    public void tell(int peer, CallNote note) {
        throw new IllegalStateException("told rank " + peer + " " + note);
    }
}
