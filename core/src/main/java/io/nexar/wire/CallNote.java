package io.nexar.wire;

import io.nexar.CallDescription;
import io.nexar.ProtocolException;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;

/**
 * What a CALL frame says: which collective its sender is in on a communicator, or was in.
 *
 * @param state of the call on the sender
 * @param purpose why it is told
 * @param sequence of the call; of the next one where the sender is in none
 * @param fingerprint of the call; 0 where there is none
 * @param forNanos how long the sender has been in it, to about a quarter of a second
 * @param call what was called; null where the sender is in no call
 */
public record CallNote(
        State state,
        Purpose purpose,
        long sequence,
        long fingerprint,
        long forNanos,
        @Nullable CallDescription call) {

    /** What the sender does. */
    public enum State {
        /** It is in no collective. */
        IDLE,
        /** It is in this one. */
        IN_CALL,
        /** This one is over there. */
        PAST
    }

    /** What the receiver is to do. */
    public enum Purpose {
        /** Compare, and answer with what it is in. */
        QUESTION,
        /** Compare. */
        ANSWER,
        /** Its own call of this sequence is another one, as its pieces show: abort. */
        EVIDENCE
    }

    private static final int STATE_MASK = 3;
    private static final int PURPOSE_SHIFT = 2;
    private static final State[] STATES = State.values();
    private static final Purpose[] PURPOSES = Purpose.values();

    /** Fills the header, but for the channel, and returns the payload. */
    public MemorySegment encode(FrameHeader header) {
        PayloadWriter text = new PayloadWriter(CallText.BYTES_MAX);
        if (call != null) {
            CallText.write(text, call);
        }
        MemorySegment payload = text.payload();
        header.reset(FrameKind.CALL)
                .flags(state.ordinal() | purpose.ordinal() << PURPOSE_SHIFT)
                .sequence(sequence)
                .extra(fingerprint)
                .offset(forNanos)
                .payloadBytes(payload.byteSize());
        return payload;
    }

    /**
     * Reads what a peer says.
     *
     * @param size ranks of the communicator
     */
    public static CallNote decode(int peer, int size, FrameHeader header, MemorySegment payload) {
        PayloadReader reader = new PayloadReader("rank " + peer, "what it calls", payload);
        int state = header.flags() & STATE_MASK;
        int purpose = header.flags() >> PURPOSE_SHIFT;
        if (state >= STATES.length || purpose >= PURPOSES.length || header.offset() < 0) {
            throw reader.broken(
                    "has flags %d and %d ns".formatted(header.flags(), header.offset()));
        }
        CallDescription call = null;
        if (STATES[state] != State.IDLE) {
            call = CallText.read(reader, size);
            requireOwn(peer, header, call);
        } else if (PURPOSES[purpose] == Purpose.EVIDENCE) {
            throw reader.broken("is evidence without a call");
        }
        reader.end();
        return new CallNote(
                STATES[state],
                PURPOSES[purpose],
                header.sequence(),
                header.extra(),
                header.offset(),
                call);
    }

    private static void requireOwn(int peer, FrameHeader header, CallDescription call) {
        if (call.rank() != peer || call.sequence() != header.sequence()) {
            throw new ProtocolException(
                    "rank " + peer,
                    "tells of #%s what is: %s"
                            .formatted(Long.toUnsignedString(header.sequence()), call));
        }
    }

    /** The same, with how long the call has lasted. */
    public CallNote lasting(long nanos) {
        return new CallNote(state, purpose, sequence, fingerprint, nanos, call);
    }

    /** The same for another purpose. */
    public CallNote withPurpose(Purpose newPurpose) {
        return new CallNote(state, newPurpose, sequence, fingerprint, forNanos, call);
    }
}
