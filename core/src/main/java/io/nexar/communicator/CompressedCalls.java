package io.nexar.communicator;

import io.nexar.CompressionReport;
import io.nexar.CompressionState;
import io.nexar.CompressionState.Method;
import io.nexar.DataBuffer;
import io.nexar.ReduceOp;
import io.nexar.compress.Compressors;
import io.nexar.spi.Compressor;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The compressed allReduces of one view. Each is one allGather of its own name, started as any
 * other collective and finished by {@link CompressedCall}. Used by one thread at a time; calls that
 * are over come back from whoever drove the rank.
 */
final class CompressedCalls {
    static final String NAME = "allReduceCompressed";

    private final CommunicatorCore core;
    private final Collectives collectives;

    /** Those that have ended well, with their memory; a transport may still read from others. */
    private final ConcurrentLinkedQueue<CompressedCall> idle = new ConcurrentLinkedQueue<>();

    CompressedCalls(CommunicatorCore core, Collectives collectives) {
        this.core = core;
        this.collectives = collectives;
    }

    /**
     * Compresses, in the calling thread, and starts the exchange.
     *
     * @param isBlocking whether the calling thread stays until the call is over
     */
    Pending<CompressionReport> start(
            DataBuffer buffer, ReduceOp op, CompressionState state, boolean isBlocking) {
        CompressedCall.requireCompressible(buffer, op);
        Objects.requireNonNull(state, "state").claim();
        try {
            CompressedCall known = idle.poll();
            CompressedCall call = known == null ? new CompressedCall(core) : known;
            call.fill(buffer, op, residual(buffer, state), compressor(state));
            CollectiveSpec spec = collectives.spec().allGather(call.forms());
            spec.calledAs(NAME).about(call.topic()).within(call);
            PendingCollective<CompressionReport> pending =
                    collectives.start(spec, call.outcome(), isBlocking);
            pending.completion().onDone(() -> end(call, pending, state));
            return pending;
        } catch (RuntimeException | Error e) {
            state.release();
            throw e;
        }
    }

    private Compressor compressor(CompressionState state) {
        return Compressors.of(method(state), nextSequence());
    }

    /** Where what is left out is kept; null if all arrives. */
    private @Nullable MemorySegment residual(DataBuffer buffer, CompressionState state) {
        return method(state) instanceof Method.None
                ? null
                : state.residual(buffer.count()).segment();
    }

    private Method method(CompressionState state) {
        return state.method() instanceof Method.Configured
                ? core.settings().compression()
                : state.method();
    }

    private void end(CompressedCall call, Pending<?> pending, CompressionState state) {
        state.release();
        if (pending.completion().failure() == null) {
            idle.add(call);
        }
    }

    /** The number of the call to come, which is the same on all ranks. */
    private long nextSequence() {
        core.progress().lock();
        try {
            return core.engine().nextSequence();
        } finally {
            core.progress().unlock();
        }
    }
}
