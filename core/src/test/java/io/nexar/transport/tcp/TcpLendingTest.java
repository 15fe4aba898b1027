package io.nexar.transport.tcp;

import static io.nexar.transport.LinkDriver.drive;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.transport.Lane;
import io.nexar.transport.LinkDriver;
import io.nexar.transport.LinkPair;
import io.nexar.transport.SendResult;
import io.nexar.transport.Waker;
import io.nexar.transport.tcp.TcpMembers.Wish;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** When a sender has the memory back that it has lent. */
@Timeout(60)
@SuppressWarnings("NullAway.Init") // Each test opens its links first.
class TcpLendingTest {
    private static final Limits ROOMY = new Limits(16, 10_000_000_000L, 2 * 1024 * 1024);

    private final Waker waker = new Waker();
    private LinkPair pair;
    private LinkDriver left;
    private LinkDriver right;

    private void open(Protection protection) throws Exception {
        Wish wish = Wish.plain().with(protection).with(ROOMY).with((Runnable) waker);
        pair = TcpMembers.pair(wish, wish);
        left = new LinkDriver(pair.left(), waker);
        right = new LinkDriver(pair.right(), waker);
    }

    @AfterEach
    void close() throws Exception {
        pair.close();
    }

    @ParameterizedTest
    @EnumSource(Protection.class)
    void whoHasNothingElseToDoHasItsMemoryBackBeforeThePeerTakesIt(Protection protection)
            throws Exception {
        open(protection);
        List<MemorySegment> sent = new ArrayList<>();
        for (Lane lane : List.of(Lane.MESSAGE, Lane.COLLECTIVE, Lane.BULK)) {
            for (int i = 0; i < 3; i++) {
                int number = sent.size();
                MemorySegment memory = lendable(64 * 1024, number);
                sent.add(MemorySegment.ofArray(memory.toArray(ValueLayout.JAVA_BYTE)));
                assertThat(left.send(lane, header(number), memory, number))
                        .isEqualTo(SendResult.PENDING);
                left.link().flush();
                drive(() -> left.told().size() == number + 1, left);
                memory.fill((byte) 0x55);
            }
        }
        drive(() -> right.arrived().size() == sent.size(), left, right);
        for (LinkDriver.Arrived frame : right.arrived()) {
            MemorySegment expected = sent.get((int) frame.header().sequence());
            assertThat(MemorySegment.ofArray(frame.payload()).mismatch(expected)).isEqualTo(-1);
        }
    }

    @Test
    void partsOfMuchAreFreeOnceThePeerHasThemHoweverSlowItIs() throws Exception {
        open(Protection.TLS);
        right.handler((link, lane, header, payload) -> spinFor(5_000_000)); // is watched meanwhile
        for (int i = 0; i < 5; i++) {
            left.send(Lane.BULK, header(i), lendable(64 * 1024, i), i);
            left.link().flush();
        }
        for (int polls = 0; polls < 100; polls++) {
            left.poll();
        }
        assertThat(left.told()).as("copies of much").isEmpty();
        drive(() -> left.told().size() == 5, left, right);
    }

    private static void spinFor(long nanos) {
        for (long end = System.nanoTime() + nanos; System.nanoTime() - end < 0; ) {
            Thread.onSpinWait();
        }
    }

    private static FrameHeader header(int number) {
        return new FrameHeader().reset(FrameKind.DATA).sequence(number);
    }

    private static MemorySegment lendable(int bytes, int seed) {
        byte[] content = new byte[bytes];
        new Random(seed).nextBytes(content);
        return Arena.ofAuto().allocate(bytes, 64).copyFrom(MemorySegment.ofArray(content));
    }
}
