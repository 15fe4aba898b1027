package io.nexar.wire;

import io.nexar.CallDescription;
import io.nexar.ClosedException;
import io.nexar.DeadlineException;
import io.nexar.InterruptedOperationException;
import io.nexar.MismatchException;
import io.nexar.NexarException;
import io.nexar.PeerLeftException;
import io.nexar.PeerLostException;
import io.nexar.ProtocolException;
import io.nexar.Scope;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Why a rank gave its collectives up, as an ABORT frame says it: the flags are the kind of reason,
 * the tag is the rank that gave up first, the payload has the facts. So the ranks that a failure
 * did not reach end with the same reason, and whoever passes it on passes it on as it came.
 */
public final class AbortReason {
    /** A reason is a sentence or two. */
    private static final int TEXT_BYTES_MAX = 2048;

    /** Two ranks' calls; a few more would fit. */
    private static final int CALLS_MAX = 4;

    /** Ranks named as missing; whoever waits for more has lost more than a rank. */
    private static final int WAITING_FOR_MAX = 64;

    /** As the rank that gave up first: the sender, which may not know its number here. */
    private static final int SENDER = -1;

    private static final int BYTES_MAX =
            Math.max(CALLS_MAX * CallText.BYTES_MAX, TEXT_BYTES_MAX + 4 * WAITING_FOR_MAX) + 16;

    /** The code of a kind is its place here: append. */
    private enum Kind {
        OTHER,
        PEER_LOST,
        PEER_LEFT,
        MISMATCH,
        DEADLINE,
        PROTOCOL
    }

    private static final Kind[] KINDS = Kind.values();

    private final Kind kind;
    private final int origin;
    private final MemorySegment payload;
    private final RuntimeException failure;

    private AbortReason(Kind kind, int origin, MemorySegment payload, RuntimeException failure) {
        this.kind = kind;
        this.origin = origin;
        this.payload = payload;
        this.failure = failure;
    }

    /**
     * This rank's own reason. Null for a process that ends as a whole: that is told otherwise, and
     * is more than the end of a collective.
     */
    public static @Nullable AbortReason of(RuntimeException reason, int rank) {
        if (reason instanceof ClosedException closed && closed.scope() == Scope.PROCESS) {
            return null;
        }
        PayloadWriter to = new PayloadWriter(BYTES_MAX);
        Kind kind = write(reason, rank, to);
        return new AbortReason(kind, rank, to.payload(), reason);
    }

    /** A reason in words, of a rank that does not know what numbers the receivers' ranks have. */
    public static AbortReason saying(String text) {
        PayloadWriter to = new PayloadWriter(BYTES_MAX).text(text, TEXT_BYTES_MAX);
        return new AbortReason(Kind.OTHER, SENDER, to.payload(), new IllegalStateException(text));
    }

    private static Kind write(RuntimeException reason, int rank, PayloadWriter to) {
        return switch (reason) {
            case PeerLostException lost -> {
                to.i32(lost.rank()).text(lost.reason(), TEXT_BYTES_MAX);
                yield Kind.PEER_LOST;
            }
            case PeerLeftException left -> {
                to.i32(left.rank()).text(left.reason(), TEXT_BYTES_MAX);
                yield Kind.PEER_LEFT;
            }
            case ClosedException closed -> {
                to.i32(rank).text("closed the communicator", TEXT_BYTES_MAX);
                yield Kind.PEER_LEFT;
            }
            case MismatchException mismatch -> {
                writeCalls(mismatch.calls(), to);
                yield Kind.MISMATCH;
            }
            case DeadlineException deadline -> {
                writeDeadline(deadline, to);
                yield Kind.DEADLINE;
            }
            case ProtocolException protocol -> {
                to.optionalText(protocol.peer(), TEXT_BYTES_MAX / 2)
                        .text(protocol.problem(), TEXT_BYTES_MAX / 2);
                yield Kind.PROTOCOL;
            }
            case InterruptedOperationException interrupted -> {
                to.text("its waiting thread was interrupted", TEXT_BYTES_MAX);
                yield Kind.OTHER;
            }
            default -> {
                to.text(reason.toString(), TEXT_BYTES_MAX);
                yield Kind.OTHER;
            }
        };
    }

    private static void writeCalls(List<CallDescription> calls, PayloadWriter to) {
        int count = Math.min(calls.size(), CALLS_MAX);
        to.u8(count);
        for (CallDescription call : calls.subList(0, count)) {
            CallText.write(to, call);
        }
    }

    private static void writeDeadline(DeadlineException deadline, PayloadWriter to) {
        int ranks = Math.min(deadline.waitingFor().size(), WAITING_FOR_MAX);
        to.text(deadline.what(), TEXT_BYTES_MAX).i64(deadline.timeout().toMillis()).u8(ranks);
        for (int rank : deadline.waitingFor().subList(0, ranks)) {
            to.i32(rank);
        }
    }

    /** Fills the header, but for the channel, and returns the payload. */
    public MemorySegment encode(FrameHeader header) {
        header.reset(FrameKind.ABORT)
                .flags(kind.ordinal())
                .tag(origin)
                .payloadBytes(payload.byteSize());
        return payload;
    }

    /**
     * Reads what a peer says.
     *
     * @param peer who sent it
     * @param place who reads it
     */
    public static AbortReason decode(
            int peer, Place place, FrameHeader header, MemorySegment payload) {
        PayloadReader from = new PayloadReader("rank " + peer, "its reason to give up", payload);
        int origin = header.tag() == SENDER ? peer : header.tag();
        if (header.flags() >= KINDS.length
                || origin < 0
                || origin >= place.size()
                || payload.byteSize() > BYTES_MAX) {
            throw from.broken("is of kind %d, of rank %d".formatted(header.flags(), origin));
        }
        Kind kind = KINDS[header.flags()];
        NexarException failure = read(kind, origin, place, from);
        from.end();
        byte[] copy = payload.toArray(ValueLayout.JAVA_BYTE);
        return new AbortReason(kind, origin, MemorySegment.ofArray(copy), failure);
    }

    /** The rank that reads, of how many. */
    public record Place(int rank, int size) {}

    private static NexarException read(Kind kind, int origin, Place place, PayloadReader from) {
        return switch (kind) {
            case PEER_LOST -> {
                int about = from.i32(0, place.size());
                String text = from.text(TEXT_BYTES_MAX);
                yield about == place.rank()
                        ? gaveUp(origin, "it has lost this rank: " + text)
                        : new PeerLostException(null, about, text, Duration.ZERO);
            }
            case PEER_LEFT -> {
                int about = from.i32(0, place.size());
                yield new PeerLeftException(null, about, from.text(TEXT_BYTES_MAX));
            }
            case MISMATCH -> new MismatchException(null, readCalls(place.size(), from));
            case DEADLINE -> readDeadline(origin, place.size(), from);
            case PROTOCOL -> {
                String peer = from.optionalText(TEXT_BYTES_MAX);
                String problem = from.text(TEXT_BYTES_MAX);
                yield new ProtocolException(null, peer, problem, null);
            }
            case OTHER -> gaveUp(origin, from.text(TEXT_BYTES_MAX));
        };
    }

    private static ClosedException gaveUp(int origin, String text) {
        return new ClosedException(
                null,
                "the communicator",
                "rank " + origin + " gave up: " + text,
                Scope.COMMUNICATOR);
    }

    private static List<CallDescription> readCalls(int size, PayloadReader from) {
        int count = from.u8(CALLS_MAX);
        List<CallDescription> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            calls.add(CallText.read(from, size));
        }
        return calls;
    }

    private static DeadlineException readDeadline(int origin, int size, PayloadReader from) {
        String what = from.text(TEXT_BYTES_MAX);
        long millis = from.i64();
        int count = from.u8(WAITING_FOR_MAX);
        List<Integer> ranks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ranks.add(from.i32(0, size));
        }
        if (millis < 0) {
            throw from.broken("waited for %d ms".formatted(millis));
        }
        return new DeadlineException(
                null, "rank " + origin + " gave up: " + what, Duration.ofMillis(millis), ranks);
    }

    /** What the calls that this reason ends get. */
    public RuntimeException failure() {
        return failure;
    }
}
