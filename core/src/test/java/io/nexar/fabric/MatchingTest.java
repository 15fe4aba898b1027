package io.nexar.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.ClosedException;
import io.nexar.PeerLeftException;
import io.nexar.PeerLostException;
import io.nexar.Scope;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/** Probes and messages that are taken out of matching, pass by pass. */
class MatchingTest {
    /** Four small messages of 60 bytes on credit; everything above 64 bytes is announced. */
    private static final FabricSettings TINY = new FabricSettings(4 * 124, 64, 2 * 192, 128);

    /** Nothing waits for credit. */
    private static final FabricSettings ROOMY = new FabricSettings(1 << 20, 64, 2 * 192, 128);

    private static final int SMALL = 60;
    private static final int LARGE = 5000;

    /** More than a link takes at once. */
    private static final int HUGE = 50_000;

    private FabricPair pair;
    private Mailbox left;
    private Mailbox right;

    @BeforeEach
    void open() throws Exception {
        open(TINY);
    }

    private void open(FabricSettings settings) throws Exception {
        pair = new FabricPair(settings).openBoth();
        left = pair.channels[0].messages();
        right = pair.channels[1].messages();
    }

    @AfterEach
    void close() throws Exception {
        pair.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, SMALL, LARGE})
    void aProbeTellsOfAMessageAndLeavesItThere(int bytes) {
        ProbeOperation early = right.probe(-1, 7, false);
        pair.settle();
        assertThat(right.tryProbe(0, 7, false)).isNull();
        left.send(1, 7, message(bytes, 3));
        pair.settle();
        ProbeOperation late = right.probe(0, -1, false);
        for (ProbeOperation probe : List.of(early, late)) {
            assertThat(probe.isDone()).isTrue();
            assertThat(probe.status().bytes()).isEqualTo(bytes);
            assertThat(probe.status().tag()).isEqualTo(7);
        }
        requireReceived(right.receive(0, 7, target(bytes)), bytes, 3);
    }

    @Test
    void aReceiveThatWaitsComesBeforeAProbe() {
        ReceiveOperation receive = right.receive(0, 1, target(SMALL));
        ProbeOperation probe = right.probe(0, 1, false);
        left.send(1, 1, message(SMALL, 1));
        pair.settle();
        assertThat(receive.isDone()).isTrue();
        assertThat(probe.isDone()).as("the message is gone").isFalse();
        left.send(1, 1, message(SMALL, 2));
        pair.settle();
        assertThat(probe.isDone()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, SMALL, LARGE})
    void whatIsTakenOutOfMatchingNobodyElseGets(int bytes) {
        ProbeOperation taker = right.probe(0, 1, true);
        ReceiveOperation receive = right.receive(0, 1, target(bytes));
        left.send(1, 1, message(bytes, 1));
        left.send(1, 1, message(bytes, 2));
        pair.settle();
        requireReceived(receive, bytes, 2);
        assertThat(right.tryProbe(-1, -1, false)).isNull();
        requireReceived(right.receive(taker, target(bytes)), bytes, 1);
    }

    @Test
    void messagesThatAreTakenAndNeverReceivedHoldNoCredit() {
        for (int i = 0; i < 50; i++) {
            SendOperation send = left.send(1, 1, message(SMALL, i));
            pair.settle();
            assertThat(send.isDone()).as("message %d", i).isTrue();
            assertThat(right.tryProbe(0, 1, true)).isNotNull();
            pair.settle();
        }
        assertThat(pair.channels[1].isIdle()).isTrue();
        pair.channels[1].close();
        pair.settle();
        assertThat(left.send(1, 1, message(SMALL, 0)).failure())
                .isInstanceOf(PeerLeftException.class);
    }

    @Test
    void aLargeMessageThatIsTakenEndsWithWhoeverSendsIt() {
        left.send(1, 1, message(LARGE, 1));
        pair.settle();
        ProbeOperation taker = right.probe(0, 1, true);
        pair.links().left().close("its process was killed");
        pair.settle();
        assertThat(right.receive(taker, target(LARGE)).failure())
                .isInstanceOf(PeerLostException.class)
                .hasMessageContaining("its process was killed");
    }

    @Test
    void aSmallMessageThatIsTakenOutlivesItsSender() {
        left.send(1, 1, message(SMALL, 1));
        pair.settle();
        ProbeOperation taker = right.probe(0, 1, true);
        pair.links().left().close("its process was killed");
        pair.settle();
        requireReceived(right.receive(taker, target(SMALL)), SMALL, 1);
    }

    @Test
    void aMessageThatIsTakenAndThenTakenBackSaysSo() {
        SendOperation send = left.send(1, 1, message(LARGE, 1));
        pair.settle();
        ProbeOperation taker = right.probe(0, 1, true);
        assertThat(left.cancel(send)).isTrue();
        pair.settle();
        assertThat(right.receive(taker, target(LARGE)).failure())
                .isInstanceOfSatisfying(
                        ClosedException.class,
                        e -> assertThat(e.scope()).isEqualTo(Scope.OPERATION))
                .hasMessageContaining("5000 bytes from rank 0 with tag 1")
                .hasMessageContaining("took it back");
    }

    @Test
    void aMessageThatIsTakenCanBeReceivedAgainAfterAReceiveThatGaveUp() {
        left.send(1, 1, message(HUGE, 1));
        pair.settle();
        ProbeOperation taker = right.probe(0, 1, true);
        MemorySegment abandoned = target(HUGE);
        ReceiveOperation hasty = right.receive(taker, abandoned);
        passes(2);
        assertThat(hasty.isDone()).isFalse();
        right.giveUp(hasty, new IllegalStateException("gave up"));
        assertThat(right.tryProbe(-1, -1, false)).as("it stays out of matching").isNull();
        ReceiveOperation again = right.receive(taker, target(HUGE));
        pair.settle();
        requireReceived(again, HUGE, 1);
    }

    @Test
    void aWithdrawalThatCrossesAReceiveThatGaveUpLeavesNothingBehind() {
        SendOperation send = left.send(1, 1, message(LARGE, 1));
        pair.settle();
        ReceiveOperation hasty = right.receive(0, 1, target(LARGE));
        right.giveUp(hasty, new IllegalStateException("gave up"));
        assertThat(left.cancel(send)).isTrue();
        pair.settle();
        assertThat(right.tryProbe(-1, -1, false)).isNull();
        left.send(1, 1, message(SMALL, 2));
        requireReceived(right.receive(0, 1, target(SMALL)), SMALL, 2);
    }

    @Test
    void probesEndWithThePeerAndWithTheChannel() {
        ProbeOperation probe = right.probe(0, 1, false);
        ProbeOperation taker = right.probe(-1, 1, true);
        pair.settle();
        pair.channels[0].close();
        pair.settle();
        assertThat(probe.failure()).isInstanceOf(PeerLeftException.class);
        assertThat(taker.failure()).isInstanceOf(PeerLeftException.class);
        assertThat(right.tryProbe(0, 1, false)).isNotNull();
        assertThat(right.probe(0, 1, true).failure()).isInstanceOf(PeerLeftException.class);
        ProbeOperation toItself = right.probe(1, 1, false);
        pair.channels[1].close();
        assertThat(toItself.failure()).isInstanceOf(ClosedException.class);
    }

    @Test
    void aProbeThatGaveUpIsForgotten() {
        ProbeOperation probe = right.probe(0, 1, true);
        right.giveUp(probe, new IllegalStateException("gave up"));
        assertThat(right.isAwaited()).isFalse();
        left.send(1, 1, message(SMALL, 1));
        pair.settle();
        requireReceived(right.receive(0, 1, target(SMALL)), SMALL, 1);
    }

    /**
     * Random sends, receives, matches, probes and cancels, also to oneself, against two lists: what
     * has come and nobody has asked for, and who waits for what. Everything settles after each
     * step, so that the lists say exactly what must happen.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void whoAsksGetsTheFirstMessageThatMatches(long randomSeed) throws Exception {
        pair.close();
        open(ROOMY);
        Random random = new Random(randomSeed);
        List<Sent> unexpected = new ArrayList<>();
        List<Asked> asked = new ArrayList<>();
        for (int step = 0; step < 300; step++) {
            String where = "seed %d, step %d".formatted(randomSeed, step);
            switch (random.nextInt(5)) {
                case 0, 1 -> {
                    Sent sent = send(random, step);
                    Asked taker = takeFirst(asked, ask -> matches(ask.waiting, sent));
                    if (taker == null) {
                        unexpected.add(sent);
                    } else {
                        requireGot(where, taker, sent);
                    }
                }
                case 2, 3 -> {
                    Asked wait = ask(random);
                    Sent sent = takeFirst(unexpected, message -> matches(wait.waiting, message));
                    if (sent == null) {
                        assertThat(wait.waiting.isDone()).as(where).isFalse();
                        asked.add(wait);
                    } else {
                        requireGot(where, wait, sent);
                    }
                }
                default -> cancelOne(random, where, unexpected, asked);
            }
        }
        assertThat(unexpected.size() + asked.size()).isPositive();
    }

    private record Sent(int source, int tag, int bytes, int number, SendOperation send) {}

    private record Asked(MessageWait waiting, MemorySegment target) {}

    private Sent send(Random random, int number) {
        int source = random.nextInt(2);
        int tag = random.nextInt(3);
        int bytes = random.nextInt(4) == 0 ? random.nextInt(LARGE) : random.nextInt(SMALL);
        Mailbox from = source == 0 ? left : right;
        SendOperation send = from.send(1, tag, message(bytes, number));
        pair.settle();
        return new Sent(source, tag, bytes, number, send);
    }

    private Asked ask(Random random) {
        int source = random.nextInt(3) - 1;
        int tag = random.nextInt(4) - 1;
        MemorySegment target = target(LARGE);
        MessageWait wait =
                random.nextBoolean()
                        ? right.receive(source, tag, target)
                        : right.probe(source, tag, true);
        pair.settle();
        return new Asked(wait, target);
    }

    private void requireGot(String where, Asked asked, Sent sent) {
        assertThat(asked.waiting.isDone()).as(where).isTrue();
        assertThat(asked.waiting.status().source()).as(where).isEqualTo(sent.source);
        assertThat(asked.waiting.status().tag()).as(where).isEqualTo(sent.tag);
        MemorySegment target = asked.target;
        if (asked.waiting instanceof ProbeOperation taker) {
            ReceiveOperation receive = right.receive(taker, target);
            pair.settle();
            assertThat(receive.isDone()).as(where).isTrue();
        }
        assertThat(target.asSlice(0, sent.bytes).mismatch(message(sent.bytes, sent.number)))
                .as(where)
                .isEqualTo(-1);
        assertThat(sent.send.isDone()).as(where).isTrue();
    }

    /** Takes back the newest of either kind, if it can be. */
    private void cancelOne(Random random, String where, List<Sent> unexpected, List<Asked> asked) {
        if (random.nextBoolean() && !asked.isEmpty()) {
            assertThat(right.cancel(asked.removeLast().waiting)).as(where).isTrue();
        } else if (!unexpected.isEmpty()) {
            Sent sent = unexpected.getLast();
            boolean wasOver = sent.send.isDone();
            boolean cancelled = (sent.source == 0 ? left : right).cancel(sent.send);
            assertThat(cancelled).as(where).isEqualTo(!wasOver);
            if (cancelled) {
                unexpected.removeLast();
            }
            pair.settle();
        }
    }

    private static boolean matches(MessageWait wait, Sent sent) {
        return (wait.source() == -1 || wait.source() == sent.source)
                && (wait.tag() == -1 || wait.tag() == sent.tag);
    }

    private static <T> @Nullable T takeFirst(List<T> list, Predicate<T> wanted) {
        for (Iterator<T> all = list.iterator(); all.hasNext(); ) {
            T candidate = all.next();
            if (wanted.test(candidate)) {
                all.remove();
                return candidate;
            }
        }
        return null;
    }

    private void passes(int count) {
        for (int i = 0; i < count; i++) {
            pair.fabrics[0].doWork();
            pair.fabrics[1].doWork();
        }
    }

    private void requireReceived(ReceiveOperation receive, int bytes, int first) {
        pair.settleUntil(receive::isDone);
        assertThat(receive.failure()).isNull();
        assertThat(receive.status().bytes()).isEqualTo(bytes);
        MemorySegment got = MemorySegment.ofArray(new byte[bytes]);
        receive.target.read(0, got);
        assertThat(got.mismatch(message(bytes, first))).isEqualTo(-1);
    }

    private static MemorySegment target(int bytes) {
        return MemorySegment.ofArray(new byte[bytes]);
    }

    private static MemorySegment message(int bytes, int first) {
        byte[] content = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            content[i] = (byte) (first * 31 + i * 7 + (i >> 8));
        }
        return MemorySegment.ofArray(content);
    }
}
