package io.nexar.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.ProtocolException;
import io.nexar.transport.FrameHandler;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.LinkDriver;
import io.nexar.transport.LinkPair;
import io.nexar.transport.SendResult;
import io.nexar.transport.Waker;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;
import io.nexar.wire.LaneCounts;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * The base carries on where the connection before it breaks, at any byte and in any way: no frame
 * is lost, none comes twice, and memory is free when a link has said so.
 */
@Timeout(300) // With the switch.
class ResumeTest {
    private static final int SEEDS = Boolean.getBoolean("nexar.test.full") ? 100 : 4;
    private static final long FIRST_SEED = 3800;
    private static final int FRAMES = 100;
    private static final long LOOK_NANOS = 20_000_000;
    private static final int BYTES_MAX = 100_000;

    private final Waker waker = new Waker();
    private final TcpMembers.Job job = new TcpMembers.Job("resume");
    private TcpMembers.Member one = member(true, Protection.TLS);
    private TcpMembers.Member two = member(false, Protection.TLS);

    private TcpMembers.Member member(boolean isLeft, Protection wanted) {
        TcpMembers.Wish wish = TcpMembers.Wish.plain().with(wanted).with((Runnable) waker);
        return isLeft ? CutPair.left(job, wish) : CutPair.right(job, wish);
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
    }

    private CutPair pair() throws Exception {
        return new CutPair(one, two, waker, waker);
    }

    @ParameterizedTest
    @EnumSource(value = Between.Cut.class, mode = EnumSource.Mode.EXCLUDE, names = "SILENCE")
    void everyFrameComesOnceInOrderWhereverAnEncryptedConnectionIsCut(Between.Cut how)
            throws Exception {
        cutAnywhere(how);
    }

    @ParameterizedTest
    @EnumSource(value = Between.Cut.class, mode = EnumSource.Mode.EXCLUDE, names = "SILENCE")
    void everyFrameComesOnceInOrderWhereverAPlainConnectionIsCut(Between.Cut how) throws Exception {
        close();
        one = member(true, Protection.INSECURE_PLAINTEXT);
        two = member(false, Protection.INSECURE_PLAINTEXT);
        cutAnywhere(how);
    }

    private void cutAnywhere(Between.Cut how) throws Exception {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            CutPair pair = pair().offerBoth();
            try (LinkPair links = pair.links()) {
                Random random = new Random(seed);
                // From the first header on to the last of some MiB: within one, within a payload,
                // between two, and with a lane full.
                pair.between.cutAfter(1L << random.nextInt(1, 21) | random.nextInt(1 << 9), how);
                Traffic traffic = new Traffic(links, random);
                traffic.run(FRAMES);
                if (!pair.between.isCut()) {
                    pair.between.cut(); // while nothing is under way
                }
                traffic.run(20);
                LinkDriver.drive(() -> pair.breaks.size() == 2, traffic.left, traffic.right);
                assertThat(links.left().transport()).isEqualTo("local");
                assertThat(links.left().closeCause()).isNull();
                assertThat(links.right().closeCause()).isNull();
                assertThat(pair.breaks).allMatch(cause -> cause.contains("link of member"));
            } catch (Throwable failure) {
                throw new AssertionError("seed " + seed + ", " + how + ": " + failure, failure);
            }
        }
    }

    @Test
    void aConnectionThatLetsNothingThroughIsFoundOut() throws Exception {
        lookOften();
        cutAnywhere(Between.Cut.SILENCE);
    }

    /** Links notice a silence within a moment, and are sure of it after another. */
    private void lookOften() {
        close();
        Limits limits =
                new Limits(64, TimeUnit.SECONDS.toNanos(10), TcpMembers.WINDOW_BYTES, LOOK_NANOS);
        TcpMembers.Wish wish = TcpMembers.Wish.plain().with(limits).with((Runnable) waker);
        one = CutPair.left(job, wish);
        two = CutPair.right(job, wish);
    }

    @Test
    void aPeerThatComputesOrHasNothingToSayIsNotTakenForASilentConnection() throws Exception {
        lookOften();
        CutPair pair = pair().offerBoth();
        try (LinkPair links = pair.links()) {
            LinkDriver left = new LinkDriver(links.left(), waker);
            LinkDriver right = new LinkDriver(links.right(), waker);
            LinkDriver.drive(pair::isOverTcp, left, right);
            // Small frames are not acknowledged before something else goes the other way.
            left.send(Lane.MESSAGE, header(0), MemorySegment.ofArray(new byte[9]), -1);
            pollFor(20 * LOOK_NANOS, left, right);
            left.send(Lane.MESSAGE, header(1), MemorySegment.ofArray(new byte[9]), -1);
            long pending = fill(left);
            pollFor(20 * LOOK_NANOS, left);
            assertThat(pair.isOverTcp()).isTrue();
            LinkDriver.drive(
                    () -> right.arrived().size() == pending + 2 && left.told().size() == pending,
                    left,
                    right);
            pollFor(20 * LOOK_NANOS, left, right);
            assertThat(pair.isOverTcp()).isTrue();
        }
    }

    private static void pollFor(long nanos, LinkDriver... drivers) {
        for (long end = System.nanoTime() + nanos; System.nanoTime() - end < 0; ) {
            for (LinkDriver driver : drivers) {
                driver.link().flush();
                driver.poll();
            }
        }
    }

    @Test
    void aSideThatNeverHadTheConnectionGoesOnAsWell() throws Exception {
        CutPair pair = pair();
        try (LinkPair links = pair.links()) {
            pair.left.offer(pair.leftFast); // and the right one hears of it too late
            Traffic traffic = new Traffic(links, new Random(FIRST_SEED));
            for (int i = 0; i < 40; i++) {
                traffic.ends[0].trySend(traffic.random);
                traffic.ends[1].trySend(traffic.random);
                links.left().flush();
                links.right().flush();
                traffic.left.poll();
                traffic.right.poll();
            }
            pair.between.cut();
            traffic.run(40);
            pair.right.offer(pair.rightFast);
            traffic.run(40);
            assertThat(links.right().transport()).isEqualTo("local");
            assertThat(pair.rightFast.closeCause()).contains("gone on without it");
        }
    }

    @Test
    void aBreakAloneIsNoVerdictAndTheBasesEndFreesWhatWasKept() throws Exception {
        CutPair pair = pair().offerBoth();
        try (LinkPair links = pair.links()) {
            LinkDriver left = new LinkDriver(links.left(), waker);
            LinkDriver right = new LinkDriver(links.right(), waker);
            long pending = cutWhileFull(pair, left, right);
            // The other end says nothing: it computes, or it has died.
            assertThat(left.trySend(Lane.BULK, header(0), MemorySegment.ofArray(new byte[9]), -1))
                    .isEqualTo(SendResult.REFUSED);
            assertThat(left.told()).isEmpty();
            assertThat(links.left().isClosed()).isFalse();
            assertThat(pair.breaks).isEmpty();
            pair.base.right().close("its process died");
            LinkDriver.drive(() -> links.left().isClosed(), left);
            assertThat(left.told()).hasSize((int) pending).doesNotHaveDuplicates();
            assertThat(links.left().closeCause()).contains("its process died");
        }
    }

    /** Only the left end finds out; returns how many frames it has not got back. */
    private static long cutWhileFull(CutPair pair, LinkDriver left, LinkDriver right)
            throws Exception {
        LinkDriver.drive(pair::isOverTcp, left, right);
        long pending = fill(left);
        pair.between.cut();
        LinkDriver.drive(() -> pair.left.transport().equals("local"), left);
        return pending;
    }

    private static long fill(LinkDriver sender) {
        MemorySegment large = Arena.ofAuto().allocate(BYTES_MAX);
        long pending = 0;
        while (sender.trySend(Lane.BULK, header(0), large, pending) == SendResult.PENDING) {
            pending++;
            sender.link().flush();
        }
        assertThat(pending).isPositive();
        return pending;
    }

    @Test
    void aCloseWhileTheOtherEndHasNotAnsweredFreesWhatWasKept() throws Exception {
        CutPair pair = pair().offerBoth();
        try (LinkPair links = pair.links()) {
            LinkDriver left = new LinkDriver(links.left(), waker);
            LinkDriver right = new LinkDriver(links.right(), waker);
            long pending = cutWhileFull(pair, left, right);
            links.left().close("enough");
            LinkDriver.drive(() -> links.left().isClosed(), left);
            assertThat(left.told()).hasSize((int) pending).doesNotHaveDuplicates();
            LinkDriver.drive(() -> links.right().isClosed(), right);
            assertThat(links.right().closeCause()).contains("enough");
        }
    }

    @Test
    void countsThatCantBeEndTheLink() throws Exception {
        // What was sent is one frame: neither two nor minus one of it have been handled.
        requireViolation("2 frames are acknowledged", LaneCounts.encode(new int[] {0, 0, 0, 2}));
        requireViolation("-1 frames are acknowledged", LaneCounts.encode(new int[] {0, 0, 0, -1}));
        requireViolation("ends too early", LaneCounts.encode(new int[] {0, 0, 0}));
        requireViolation("bytes too many", LaneCounts.encode(new int[5]));
        MemorySegment right = LaneCounts.encode(new int[] {0, 0, 0, 1});
        requireViolation("resumed twice", right, right);
    }

    @Test
    void anAnswerThatNobodyAskedForEndsTheLink() throws Exception {
        CutPair pair = pair().offerBoth();
        try (LinkPair links = pair.links()) {
            LinkDriver left = new LinkDriver(links.left(), waker);
            MemorySegment counts = LaneCounts.encode(new int[Lane.COUNT]);
            FrameHeader header = new FrameHeader().reset(FrameKind.HANDLED);
            header.payloadBytes(counts.byteSize());
            pair.base.right().trySend(Lane.CONTROL, header, counts, token -> {}, 0);
            pair.base.right().flush();
            assertThatThrownBy(() -> LinkDriver.drive(() -> false, left))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("nobody has asked");
            LinkDriver.drive(() -> links.left().isClosed(), left);
        }
    }

    private void requireViolation(String problem, MemorySegment... resumes) throws Exception {
        CutPair pair = pair().offerBoth();
        try (LinkPair links = pair.links()) {
            LinkDriver left = new LinkDriver(links.left(), waker);
            LinkDriver right = new LinkDriver(links.right(), waker);
            LinkDriver.drive(pair::isOverTcp, left, right);
            left.send(Lane.BULK, header(0), MemorySegment.ofArray(new byte[9]), -1);
            LinkDriver.drive(() -> right.arrived().size() == 1, left, right);
            Link rogue = pair.base.right();
            for (MemorySegment counts : resumes) {
                FrameHeader header = new FrameHeader().reset(FrameKind.RESUME);
                header.payloadBytes(counts.byteSize());
                rogue.trySend(Lane.CONTROL, header, counts, token -> {}, 0);
            }
            rogue.flush();
            assertThatThrownBy(() -> LinkDriver.drive(() -> false, left))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining(problem);
            LinkDriver.drive(() -> links.left().isClosed(), left);
        }
    }

    /** Frames of all sizes on all lanes, both ways, by ends that now and then don't poll. */
    private final class Traffic {
        private final Random random;
        private final End[] ends;
        private final LinkDriver left;
        private final LinkDriver right;

        Traffic(LinkPair links, Random random) {
            this.random = random;
            ends = new End[] {new End(0, links.left(), waker), new End(1, links.right(), waker)};
            left = ends[0].driver;
            right = ends[1].driver;
        }

        void run(int frames) {
            int[] left = {frames, frames};
            while (left[0] + left[1] > 0) {
                int from = random.nextInt(2);
                for (int i = random.nextInt(8); i > 0 && left[from] > 0; i--) {
                    left[from] -= ends[from].trySend(random) ? 1 : 0;
                }
                if (random.nextInt(4) > 0) {
                    ends[from].driver.link().flush();
                }
                ends[random.nextInt(2)].driver.poll();
            }
            LinkDriver.drive(
                    () -> ends[0].isDone(ends[1]) && ends[1].isDone(ends[0]),
                    this.left,
                    this.right);
        }
    }

    /** One end: sends, spoils memory as soon as it may, and checks what comes. */
    private static final class End implements FrameHandler {
        private final int side;
        private final LinkDriver driver;
        private final int[] sent = new int[Lane.COUNT];
        private final int[] arrived = new int[Lane.COUNT];
        private final Map<Long, MemorySegment> lent = new HashMap<>();
        private final Map<Long, MemorySegment> places = new HashMap<>();
        private int tokensSeen;
        private long nextToken;

        End(int side, Link link, Waker waker) {
            this.side = side;
            this.driver = new LinkDriver(link, waker);
            driver.handler(this);
        }

        boolean trySend(Random random) {
            spoilWhatIsFree();
            Lane lane = Lane.of(random.nextInt(Lane.COUNT));
            int number = sent[lane.ordinal()];
            MemorySegment payload = content(side, lane, number);
            long token = nextToken++;
            switch (driver.trySend(lane, header(number), payload, token)) {
                case REFUSED -> {
                    return false;
                }
                case SENT -> payload.fill((byte) 0xEE);
                case PENDING -> lent.put(token, payload);
            }
            sent[lane.ordinal()]++;
            return true;
        }

        private void spoilWhatIsFree() {
            for (; tokensSeen < driver.told().size(); tokensSeen++) {
                MemorySegment free = lent.remove(driver.told().get(tokensSeen));
                assertThat(free).as("told once").isNotNull();
                free.fill((byte) 0xEE);
            }
        }

        boolean isDone(End other) {
            spoilWhatIsFree();
            return lent.isEmpty() && java.util.Arrays.equals(arrived, other.sent);
        }

        @Override
        public void onFrame(Link link, Lane lane, FrameHeader header, MemorySegment payload) {
            int number = arrived[lane.ordinal()]++;
            assertThat(header.sequence()).as("order on %s", lane).isEqualTo(number);
            assertThat(payload.mismatch(content(1 - side, lane, number)))
                    .as("first different byte of %s on %s", header, lane)
                    .isEqualTo(-1);
        }

        @Override
        public @Nullable MemorySegment destination(Link link, Lane lane, FrameHeader header) {
            return header.sequence() % 3 == 0
                    ? null
                    : places.computeIfAbsent(
                            header.sequence() * Lane.COUNT + lane.ordinal(),
                            any -> Arena.ofAuto().allocate(header.payloadBytes(), 8));
        }
    }

    /** Different for each frame; by turns on the heap and where a link may lend it. */
    private static MemorySegment content(int side, Lane lane, int number) {
        Random random = new Random((number * 4L + lane.ordinal()) * 2 + side);
        byte[] bytes =
                new byte[random.nextInt(3) > 0 ? random.nextInt(300) : random.nextInt(BYTES_MAX)];
        random.nextBytes(bytes);
        MemorySegment heap = MemorySegment.ofArray(bytes);
        return random.nextInt(3) == 0
                ? heap
                : Arena.ofAuto()
                        .allocate(Math.max(1, bytes.length))
                        .asSlice(0, bytes.length)
                        .copyFrom(heap);
    }

    private static FrameHeader header(int number) {
        return new FrameHeader().reset(FrameKind.MESSAGE).sequence(number);
    }
}
