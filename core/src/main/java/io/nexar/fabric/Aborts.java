package io.nexar.fabric;

import io.nexar.PeerLostException;
import io.nexar.wire.AbortReason;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * Passes on why the collectives of one channel have failed: to the other ranks what failed here,
 * and to the engine here what failed there. A reason that came from another rank is passed on as it
 * came. Guarded by the progress lock.
 */
final class Aborts {
    private final Channel channel;
    private Consumer<RuntimeException> handler = reason -> {};
    private @Nullable AbortReason heard;

    Aborts(Channel channel) {
        this.channel = channel;
    }

    void onAbort(Consumer<RuntimeException> newHandler) {
        handler = newHandler;
    }

    /** Tells every other rank. */
    void tell(RuntimeException reason) {
        AbortReason known = heard;
        AbortReason told =
                known != null && known.failure().equals(reason)
                        ? known
                        : AbortReason.of(reason, channel.rank());
        if (told != null) {
            channel.ports().forEach(port -> port.notices().add(told));
        }
    }

    /** Another rank's collective has failed; the first reason counts. */
    void hear(int peer, FrameHeader header, MemorySegment payload) {
        var place = new AbortReason.Place(channel.rank(), channel.size());
        AbortReason reason = AbortReason.decode(peer, place, header, payload);
        if (heard == null) {
            heard = reason;
        }
        // Of a lost rank this one may know more: since when, and the cause.
        RuntimeException own =
                reason.failure() instanceof PeerLostException lost
                        ? channel.failureOf(lost.rank())
                        : null;
        handler.accept(own == null ? reason.failure() : own);
    }
}
