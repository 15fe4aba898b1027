package io.nexar.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.CallDescription;
import io.nexar.ClosedException;
import io.nexar.DataType;
import io.nexar.DeadlineException;
import io.nexar.InterruptedOperationException;
import io.nexar.MismatchException;
import io.nexar.PeerLeftException;
import io.nexar.PeerLostException;
import io.nexar.ProtocolException;
import io.nexar.Scope;
import io.nexar.wire.CallNote.Purpose;
import io.nexar.wire.CallNote.State;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;

/** The reasons of ABORT frames and the calls of CALL frames: there and back, and nothing else. */
@Timeout(60)
class CallFramesTest {
    private static final AbortReason.Place PLACE = new AbortReason.Place(1, 4);
    private static final CallDescription CALL =
            new CallDescription(
                    3,
                    "reduce",
                    1_000,
                    DataType.F32,
                    "SUM",
                    2,
                    41,
                    "com.example.Main.run(Main.java:7)",
                    "3 for rank 1, 5 from it");
    private static final CallDescription BARRIER =
            new CallDescription(0, "barrier", 0, null, null, CallDescription.NO_ROOT, 41);

    private static AbortReason own(RuntimeException reason) {
        return Objects.requireNonNull(AbortReason.of(reason, 3));
    }

    /** What rank 1 makes of a reason of rank 3. */
    private static RuntimeException heard(RuntimeException reason) {
        FrameHeader header = new FrameHeader();
        MemorySegment payload = own(reason).encode(header);
        AbortReason heard = AbortReason.decode(3, PLACE, header, payload);
        // Whoever passes it on passes it on as it came.
        FrameHeader again = new FrameHeader();
        assertThat(heard.encode(again).mismatch(payload)).isEqualTo(-1);
        assertThat(again).isEqualTo(header);
        return heard.failure();
    }

    @Test
    void anotherRanksReasonKeepsItsClassAndItsFacts() {
        PeerLostException lost =
                (PeerLostException) heard(new PeerLostException(null, 2, "killed", Duration.ZERO));
        assertThat(lost.rank()).isEqualTo(2);
        assertThat(lost.reason()).isEqualTo("killed");
        PeerLeftException left = (PeerLeftException) heard(new PeerLeftException(null, 0, "bye"));
        assertThat(left.rank()).isZero();
        MismatchException mismatch =
                (MismatchException) heard(new MismatchException(null, List.of(CALL, BARRIER)));
        assertThat(mismatch.calls()).containsExactly(CALL, BARRIER);
        DeadlineException deadline =
                (DeadlineException)
                        heard(
                                new DeadlineException(
                                        null, "its part", Duration.ofSeconds(5), List.of(2)));
        assertThat(deadline.waitingFor()).containsExactly(2);
        assertThat(deadline.timeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(deadline).hasMessageContaining("rank 3").hasMessageContaining("rank 2");
        ProtocolException protocol =
                (ProtocolException) heard(new ProtocolException("rank 2", "sent too much"));
        assertThat(protocol.peer()).isEqualTo("rank 2");
        assertThat(protocol.problem()).isEqualTo("sent too much");
    }

    @Test
    void whatIsAnotherRanksOwnAffairSaysWhoGaveUp() {
        assertThat(heard(new InterruptedOperationException(null)))
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining("rank 3 gave up")
                .hasMessageContaining("interrupted");
        assertThat(heard(new IllegalStateException("the memory was closed")))
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining("rank 3 gave up")
                .hasMessageContaining("the memory was closed");
        assertThat(heard(new ClosedException(null, "world", "closed", Scope.COMMUNICATOR)))
                .isInstanceOf(PeerLeftException.class)
                .hasMessageContaining("rank 3");
        assertThat(heard(new PeerLostException(null, 1, "silent", Duration.ZERO)))
                .as("said of the rank that reads it")
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining("rank 3 gave up: it has lost this rank: silent");
    }

    @Test
    void theEndOfAWholeProcessIsNoAbort() {
        RuntimeException end = new ClosedException(null, "the job", "aborted", Scope.PROCESS);
        assertThat(AbortReason.of(end, 3)).isNull();
    }

    @Test
    void aReasonLongerThanAFrameIsCutBetweenCharacters() {
        assertThat(heard(new IllegalStateException("ä€".repeat(5_000))).getMessage())
                .contains("ä€ä€")
                .doesNotContain("\uFFFD");
    }

    @Test
    void aCallNoteComesBackAsItWas() {
        CallNote note = new CallNote(State.PAST, Purpose.EVIDENCE, 41, -7, 5_000, CALL);
        FrameHeader header = new FrameHeader();
        MemorySegment payload = note.encode(header);
        assertThat(CallNote.decode(3, 4, header, payload)).isEqualTo(note);
        CallNote idle = new CallNote(State.IDLE, Purpose.QUESTION, 42, 0, 0, null);
        payload = idle.encode(header);
        assertThat(CallNote.decode(3, 4, header, payload)).isEqualTo(idle);
    }

    @Test
    void aNoteInAnothersNameIsRefused() {
        FrameHeader header = new FrameHeader();
        MemorySegment payload =
                new CallNote(State.IN_CALL, Purpose.ANSWER, 41, 1, 0, CALL).encode(header);
        assertThatThrownBy(() -> CallNote.decode(2, 4, header, payload))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("rank 2");
        assertThatThrownBy(() -> CallNote.decode(3, 3, header, payload))
                .as("a rank outside of the communicator")
                .isInstanceOf(ProtocolException.class);
        header.sequence(40);
        assertThatThrownBy(() -> CallNote.decode(3, 4, header, payload))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void textsThatWouldSteerATerminalAreTamed() {
        assertThat(heard(new IllegalStateException("a\u001b[31mb\nc")).getMessage())
                .contains("a [31mb c");
    }

    @Test
    void whateverTheBytesAreThereIsAValueOrAnErrorThatNamesThePeer() {
        for (int seed = 0; seed < 50_000; seed++) {
            Random random = new Random(seed);
            FrameHeader header = new FrameHeader();
            MemorySegment sound =
                    random.nextBoolean()
                            ? new CallNote(State.IN_CALL, Purpose.QUESTION, 41, 3, 1, CALL)
                                    .encode(header)
                            : own(new MismatchException(null, List.of(CALL))).encode(header);
            byte[] bytes = sound.toArray(ValueLayout.JAVA_BYTE);
            for (int i = random.nextInt(4); i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            int length = random.nextInt(3) == 0 ? random.nextInt(bytes.length + 3) : bytes.length;
            header.flags(random.nextInt(20)).tag(random.nextInt(8) - 2);
            read(seed, random, header, MemorySegment.ofArray(Arrays.copyOf(bytes, length)));
        }
    }

    private static void read(long seed, Random random, FrameHeader header, MemorySegment payload) {
        try {
            if (random.nextBoolean()) {
                CallNote.decode(3, 4, header, payload);
            } else {
                AbortReason.decode(3, PLACE, header, payload);
            }
        } catch (ProtocolException expected) {
            assertThat(expected.peer()).as("seed %d", seed).isEqualTo("rank 3");
        } catch (RuntimeException other) {
            throw new AssertionError("seed " + seed, other);
        }
    }
}
