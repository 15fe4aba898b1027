package io.nexar.fabric;

import io.nexar.ProtocolException;
import io.nexar.wire.FrameKind;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Ending the job on all ranks by END frames, which need no seed. Each is answered by another, so
 * that whoever ended it knows when it may go away: a link that goes down takes what is not read yet
 * with it. Guarded by the progress lock.
 */
final class JobEnd {
    /** END with this sequence: the job is to end; the payload says why. */
    private static final long ORDER = 0;

    /** END with this sequence: that was heard. */
    private static final long HEARD = 1;

    private final Notices notices;
    private final Set<Peer> unheard = new HashSet<>();
    private final Completion heard = new Completion();

    JobEnd(Notices notices) {
        this.notices = notices;
    }

    /** Tells them; done when all of them have heard it or are gone. */
    Completion tell(Collection<Peer> peers, String reason) {
        unheard.addAll(peers);
        notices.tell(peers, FrameKind.END, ORDER, reason);
        finishIfAllHeard();
        return heard;
    }

    /** Takes in an END frame; true if it ends the job, false if it is an answer. */
    boolean handle(Peer from, long sequence) {
        if (sequence == ORDER) {
            notices.tell(List.of(from), FrameKind.END, HEARD, "");
            return true;
        }
        if (sequence != HEARD) {
            throw new ProtocolException(from.id().toString(), "sent END number " + sequence);
        }
        onGone(from);
        return false;
    }

    /** Nothing more comes from this one: it has heard it, or never will. */
    void onGone(Peer peer) {
        if (unheard.remove(peer)) {
            finishIfAllHeard();
        }
    }

    private void finishIfAllHeard() {
        if (unheard.isEmpty()) {
            heard.succeed();
        }
    }
}
