package io.nexar.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.ClosedException;
import io.nexar.PeerLeftException;
import io.nexar.transport.Lane;
import io.nexar.transport.SendResult;
import io.nexar.wire.CommunicatorPath;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Channels that two ranks open, use and close each at its own time, pass by pass. */
class ChannelLifeTest {
    /** Three messages of 60 bytes on credit; everything above 64 bytes is announced. */
    private static final FabricSettings TINY = new FabricSettings(3 * 124, 64, 192, 128);

    private static final int CHANNELS = 12;
    private static final int STEPS = 600;
    private static final int MESSAGE_BYTES_MAX = 400;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void whateverTheOrderEveryCallEndsAndNothingIsLeft(long randomSeed) throws Exception {
        Random random = new Random(randomSeed);
        try (FabricPair pair = new FabricPair(TINY).openBoth()) {
            pair.settle();
            int before = pair.fabrics[0].known() + pair.fabrics[1].known();
            List<User> users = List.of(new User(pair, 0, random), new User(pair, 1, random));
            for (int step = 0; step < STEPS; step++) {
                users.get(random.nextInt(2)).doSomething();
            }
            users.forEach(User::openAndCloseAll);
            pair.settle();
            users.forEach(user -> user.requireAllOver("seed " + randomSeed));
            assertThat(pair.channels[0].failureOf(1)).as("seed %d", randomSeed).isNull();
            assertThat(pair.channels[1].failureOf(0)).as("seed %d", randomSeed).isNull();
            // The world may have been opened on the wire meanwhile, by each for the other.
            assertThat(pair.fabrics[0].known() + pair.fabrics[1].known())
                    .as("seed %d", randomSeed)
                    .isLessThanOrEqualTo(before + 2);
        }
    }

    // Pitfall 97 and flaw 9: a million communicators leave nothing, one after the other.
    @Test
    void channelsThatWereClosedCostNothing() throws Exception {
        int rounds = Boolean.getBoolean("nexar.test.full") ? 1_000_000 : 70_000;
        try (FabricPair pair = new FabricPair(TINY).openBoth()) {
            for (int i = 0; i < rounds; i++) {
                Channel left = pair.open(0, path(i));
                Channel right = pair.open(1, path(i));
                left.messages().send(1, 1, MemorySegment.ofArray(new byte[8]));
                pair.fabrics[0].doWork();
                pair.fabrics[1].doWork();
                left.close();
                right.close();
                pair.fabrics[0].doWork();
                pair.fabrics[1].doWork();
            }
            pair.settle();
            assertThat(pair.fabrics[0].known()).isLessThanOrEqualTo(2);
            assertThat(pair.fabrics[1].known()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void aCloseIsHeardBehindWhatEveryLaneCarried() throws Exception {
        try (FabricPair pair = new FabricPair(TINY).openBoth()) {
            Channel left = pair.open(0, path(0));
            Channel right = pair.open(1, path(0));
            left.messages().send(1, 1, message(0, 0, 60));
            SendOperation large = left.messages().send(1, 2, message(0, 1, 5000));
            MemorySegment target = MemorySegment.ofArray(new byte[5000]);
            ReceiveOperation receive = right.messages().receive(0, 2, target);
            pair.settleUntil(receive::isDone);
            ReceiveOperation tooMuch = right.messages().receive(0, 3, target);
            ReceiveOperation fromAnybody = right.messages().receive(-1, 4, target);
            assertThat(large.isDone()).isTrue();
            left.close();
            pair.settle();
            for (ReceiveOperation hopeless : List.of(tooMuch, fromAnybody)) {
                assertThat(hopeless.failure())
                        .isInstanceOf(PeerLeftException.class)
                        .hasMessageContaining("rank 0")
                        .hasMessageContaining("closed the communicator");
            }
            ReceiveOperation early = right.messages().receive(0, 1, target);
            assertThat(early.failure()).isNull();
            assertThat(early.isDone()).isTrue();
            assertThat(right.messages().send(0, 1, message(0, 0, 8)).failure())
                    .isInstanceOf(PeerLeftException.class);
            assertThat(left.messages().send(1, 1, message(0, 0, 8)).failure())
                    .isInstanceOf(ClosedException.class);
            assertThat(pair.lost).containsExactly("1 lost 0");
        }
    }

    @Test
    void whatComesForAClosedChannelIsDroppedUntilItsSenderHasClosedItToo() throws Exception {
        try (FabricPair pair = new FabricPair(TINY).openBoth()) {
            int before = pair.fabrics[1].known();
            Channel right = pair.open(1, path(0));
            right.close();
            pair.settle();
            Channel left = pair.open(0, path(0)); // which hears at once that rank 1 has left it
            assertThat(left.messages().send(1, 1, message(0, 0, 8)).failure())
                    .isInstanceOf(PeerLeftException.class);
            pair.settle();
            assertThat(pair.fabrics[1].known()).isGreaterThan(before);
            left.close();
            pair.settle();
            assertThat(pair.fabrics[1].known()).isEqualTo(before);
            assertThat(pair.channels[1].failureOf(0)).isNull();
        }
    }

    @Test
    void aChannelThatIsMadeAfterAPeerHasLeftTheJobKnowsThat() throws Exception {
        try (FabricPair pair = new FabricPair(TINY).openBoth()) {
            Channel left = pair.open(0, path(0));
            left.messages().send(1, 1, message(0, 0, 60));
            Completion parted = pair.fabrics[0].sayGoodbye();
            pair.settleUntil(parted::isDone);
            Channel right = pair.open(1, path(0));
            MemorySegment target = MemorySegment.ofArray(new byte[60]);
            ReceiveOperation early = right.messages().receive(0, 1, target);
            assertThat(early.isDone()).isTrue();
            assertThat(target.mismatch(message(0, 0, 60))).isEqualTo(-1);
            assertThat(right.messages().receive(0, 1, target).failure())
                    .isInstanceOf(PeerLeftException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 5 | 16, 0xff})
    void aCloseThatNamesOtherLanesThanItsOwnCutsThePeerOff(int lanes) throws Exception {
        try (FabricPair pair = new FabricPair(TINY).openBoth()) {
            sendRaw(pair, FrameKind.OPEN, 0, path(9).encode());
            sendRaw(pair, FrameKind.CLOSE, lanes, PeerPort.NOTHING);
            pair.fabrics[1].doWork();
            assertThat(pair.channels[1].failureOf(0)).hasMessageContaining("lanes");
            assertThat(pair.links().left().closeCause()).contains("lanes");
        }
    }

    @Test
    void aPeerCannotFillTheMemoryWithCommunicatorsThatNobodyMakes() throws Exception {
        try (FabricPair pair = new FabricPair(TINY).openBoth()) {
            pair.settle();
            for (int i = 0; i < 3000; i++) {
                sendRaw(pair, FrameKind.OPEN, 0, path(i).encode());
                sendRaw(pair, FrameKind.CLOSE, 1, PeerPort.NOTHING);
                pair.fabrics[1].doWork();
            }
            assertThat(pair.channels[1].failureOf(0)).isNull();
            assertThat(pair.fabrics[1].known()).isLessThan(1100);
            for (int i = 0; i < 1100; i++) {
                FrameHeader open = new FrameHeader().reset(FrameKind.OPEN).channel(1000 + i);
                MemorySegment path = path(5000 + i).encode();
                pair.links()
                        .left()
                        .trySend(
                                Lane.CONTROL, open.payloadBytes(path.byteSize()), path, _ -> {}, 0);
                pair.fabrics[1].doWork();
            }
            assertThat(pair.channels[1].failureOf(0)).hasMessageContaining("not made here");
        }
    }

    private static void sendRaw(FabricPair pair, FrameKind kind, int flags, MemorySegment payload) {
        FrameHeader header =
                new FrameHeader()
                        .reset(kind)
                        .channel(77)
                        .flags(flags)
                        .payloadBytes(payload.byteSize());
        assertThat(pair.links().left().trySend(Lane.CONTROL, header, payload, _ -> {}, 0))
                .isNotEqualTo(SendResult.REFUSED);
        pair.links().left().flush();
    }

    private static CommunicatorPath path(int number) {
        return new CommunicatorPath(0, List.of(new CommunicatorPath.Branch(number, 0)));
    }

    private static MemorySegment message(int channel, int number, int bytes) {
        byte[] content = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            content[i] = (byte) (i < 2 ? number >> 8 * i : channel * 57 + number * 31 + i * 7);
        }
        return MemorySegment.ofArray(content);
    }

    /** One rank's doings with all channels, and what must have come of them. */
    private static final class User {
        private final FabricPair pair;
        private final int rank;
        private final Random random;
        private final List<Integer> unopened =
                new ArrayList<>(IntStream.range(0, CHANNELS).boxed().toList());
        private final List<Use> open = new ArrayList<>();
        private final List<Use> all = new ArrayList<>();

        private static final class Use {
            final int number;
            final Channel channel;
            final List<SendOperation> sends = new ArrayList<>();
            final List<ReceiveOperation> receives = new ArrayList<>();
            final List<MemorySegment> targets = new ArrayList<>();

            Use(int number, Channel channel) {
                this.number = number;
                this.channel = channel;
            }

            MemorySegment received(int receive) {
                return targets.get(receive).asSlice(0, receives.get(receive).status().bytes());
            }
        }

        User(FabricPair pair, int rank, Random random) {
            this.pair = pair;
            this.rank = rank;
            this.random = random;
            Collections.shuffle(unopened, random);
        }

        void doSomething() {
            int choice = random.nextInt(20);
            if (choice == 0 && !unopened.isEmpty()) {
                open();
            } else if (choice == 1 && !open.isEmpty()) {
                open.remove(random.nextInt(open.size())).channel.close();
            } else if (choice < 8 && !open.isEmpty()) {
                Use use = open.get(random.nextInt(open.size()));
                int bytes = 8 + random.nextInt(MESSAGE_BYTES_MAX - 8);
                use.sends.add(
                        use.channel
                                .messages()
                                .send(1 - rank, 1, content(rank, use, use.sends.size(), bytes)));
            } else if (choice < 14 && !open.isEmpty()) {
                Use use = open.get(random.nextInt(open.size()));
                MemorySegment target = MemorySegment.ofArray(new byte[MESSAGE_BYTES_MAX]);
                use.targets.add(target);
                use.receives.add(
                        use.channel
                                .messages()
                                .receive(random.nextBoolean() ? -1 : 1 - rank, 1, target));
            } else {
                pair.fabrics[rank].doWork();
            }
        }

        private void open() {
            int number = unopened.removeLast();
            Use use = new Use(number, pair.open(rank, path(number)));
            open.add(use);
            all.add(use);
        }

        void openAndCloseAll() {
            while (!unopened.isEmpty()) {
                open();
            }
            Collections.shuffle(open, random);
            open.forEach(use -> use.channel.close());
        }

        /**
         * Messages come whole, in order, and none of another channel. A long one that its sender
         * gave up by closing is left out.
         */
        void requireAllOver(String seed) {
            for (Use use : all) {
                assertThat(use.sends).as(seed).allMatch(Completion::isDone);
                assertThat(use.receives).as(seed).allMatch(Completion::isDone);
                int next = 0;
                for (int i = 0; i < use.receives.size(); i++) {
                    if (use.receives.get(i).failure() == null) {
                        next = 1 + indexOf(use, use.received(i), next, seed);
                    }
                }
            }
        }

        private int indexOf(Use use, MemorySegment received, int first, String seed) {
            for (int i = first; i < STEPS; i++) {
                if (content(1 - rank, use, i, received.byteSize()).mismatch(received) < 0) {
                    return i;
                }
            }
            throw new AssertionError(
                    "%s, channel %d: a message that is none of those after %d"
                            .formatted(seed, use.number, first - 1));
        }

        private static MemorySegment content(int sender, Use use, int number, long bytes) {
            return message(2 * use.number + sender, number, (int) bytes);
        }
    }
}
