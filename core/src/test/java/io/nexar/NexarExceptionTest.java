package io.nexar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

class NexarExceptionTest {

    private static final OperationContext COLLECTIVE =
            new OperationContext("allReduce", 41, "world", 2, 4, 3);
    private static final OperationContext RECEIVE =
            new OperationContext("receive", OperationContext.NO_SEQUENCE, "world", 2, 4, 3);

    @Test
    void aLostPeerIsNamedWithWhatWhereAndWhatNext() {
        PeerLostException lost =
                new PeerLostException(COLLECTIVE, 3, "process exited", Duration.ofMillis(1_200));
        assertThat(lost)
                .hasMessage(
                        "allReduce #41 on world (rank 2 of 4, epoch 3): rank 3 lost 1.2 s ago"
                                + " (process exited); call shrink() or close()");
        assertThat(lost.rank()).isEqualTo(3);
        assertThat(lost.scope()).isEqualTo(Scope.COMMUNICATOR);
        assertThat(lost.where()).isEqualTo(COLLECTIVE);
        assertThat(lost.ago()).isEqualTo(Duration.ofMillis(1_200));
    }

    @Test
    void aLostPeerOfAReceiveLeavesTheCommunicatorUsable() {
        PeerLostException lost = new PeerLostException(RECEIVE, 3, "reset", Duration.ZERO);
        assertThat(lost)
                .hasMessage(
                        "receive on world (rank 2 of 4, epoch 3): rank 3 lost 0 ms ago (reset)");
        assertThat(lost.scope()).isEqualTo(Scope.PEER);
    }

    @Test
    void aMismatchNamesBothCalls() {
        MismatchException mismatch =
                new MismatchException(
                        COLLECTIVE,
                        List.of(
                                new CallDescription(2, "reduce", 10, DataType.F32, "SUM", 0, 41),
                                new CallDescription(3, "reduce", 12, DataType.F32, "SUM", 1, 41),
                                new CallDescription(
                                        1, "barrier", 0, null, null, CallDescription.NO_ROOT, 41)));
        assertThat(mismatch.getMessage())
                .contains("rank 2 calls reduce #41 of 10 F32 with SUM, root 0")
                .contains("rank 3 calls reduce #41 of 12 F32 with SUM, root 1")
                .contains("rank 1 calls barrier #41;");
        assertThat(mismatch.calls()).extracting(CallDescription::rank).containsExactly(2, 3, 1);
        assertThat(mismatch.scope()).isEqualTo(Scope.COMMUNICATOR);
    }

    @Test
    void aDeadlineNamesWhoIsMissing() {
        DeadlineException late =
                new DeadlineException(COLLECTIVE, "a piece", Duration.ofMinutes(30), List.of(1, 3));
        assertThat(late.getMessage())
                .contains("a piece did not come within 30 min, waiting for rank 1, rank 3; call");
        assertThat(late.waitingFor()).containsExactly(1, 3);
        DeadlineException receive =
                new DeadlineException(RECEIVE, "a message", Duration.ofMillis(250), List.of());
        assertThat(receive.getMessage()).endsWith("a message did not come within 250 ms");
        assertThat(receive.scope()).isEqualTo(Scope.OPERATION);
    }

    @Test
    void aTruncationHasBothSizes() {
        TruncationException cut = new TruncationException(RECEIVE, new Status(1, 7, 100), 96);
        assertThat(cut.messageBytes()).isEqualTo(100);
        assertThat(cut.bufferBytes()).isEqualTo(96);
        assertThat(cut.getMessage())
                .contains("from rank 1 with tag 7 has 100 bytes, the buffer 96");
    }

    @Test
    void aRendezvousNamesTheMissingRanks() {
        assertThat(new RendezvousException("the deadline of 5 min is over", List.of(2, 3)))
                .hasMessage(
                        "could not join: the deadline of 5 min is over; missing: rank 2, rank 3");
    }

    static List<NexarException> oneOfEach() {
        return List.of(
                new ClosedException(
                        null, "communicator world", "revoked by rank 3", Scope.COMMUNICATOR),
                ConfigurationException.unknown("nexar.sed", "code", "nexar.seed"),
                new DeadlineException(null, "a message", Duration.ofSeconds(1), List.of(1)),
                new DeviceException(null, "cuda", "no driver", null),
                new EpochChangedException(null, 1, 2),
                new InterruptedOperationException(null),
                new MismatchException(null, List.of()),
                new PeerLeftException(null, 1, "closed the communicator"),
                new PeerLostException(null, 1, "process exited", Duration.ofSeconds(1)),
                new ProtocolException("rank 1", "kind 99"),
                new RemoteCallException(null, 1, "java.lang.ArithmeticException", "/ by zero"),
                new RendezvousException("the token is wrong", List.of()),
                new TruncationException(null, new Status(1, 2, 3), 2));
    }

    @Test
    void theTreeIsTheOneThatIsPromised() {
        assertThat(oneOfEach())
                .extracting(Object::getClass)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.asList(NexarException.class.getPermittedSubclasses()).stream()
                                .<Class<? extends Object>>map(type -> type)
                                .toList());
    }

    @ParameterizedTest
    @MethodSource("oneOfEach")
    void aLaterCallGetsTheSameFactsWithTheFirstAsCause(NexarException first) {
        NexarException later = first.at(COLLECTIVE);
        assertThat(later).isInstanceOf(first.getClass()).hasCause(first);
        assertThat(later.where()).isEqualTo(COLLECTIVE);
        assertThat(later.getMessage()).startsWith(COLLECTIVE + ": ").contains(first.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 ms",
        "999, 999 ms",
        "1000, 1 s",
        "1050, 1 s",
        "1200, 1.2 s",
        "90000, 90 s",
        "120000, 2 min",
        "1800000, 30 min",
        "125000, 2 min 5 s"
    })
    void durationsReadEasily(long millis, String text) {
        assertThat(NexarException.spell(Duration.ofMillis(millis))).isEqualTo(text);
    }

    @Test
    void failuresOfSeveralRanksAreAllThere() {
        Exception first = new IllegalStateException("boom");
        Exception second = new IllegalArgumentException("bang");
        RankFailuresException both = new RankFailuresException(2, Map.of(2, first, 0, second));
        assertThat(both)
                .hasCause(first)
                .hasMessageContainingAll("rank 0: ", "bang", "rank 2: ", "boom");
        assertThat(both.getSuppressed()).containsExactly(second);
        assertThat(both.failures()).containsOnlyKeys(0, 2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RankFailuresException(1, Map.of(2, first)));
    }
}
