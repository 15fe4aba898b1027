package io.nexar.transport.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.MemberId;
import io.nexar.RendezvousException;
import io.nexar.transport.FrameHandler;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.LinkPair;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.SendResult;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

@Timeout(20)
class LocalEndpointTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final MemberId A = new MemberId(0);
    private static final MemberId B = new MemberId(1);
    private final LocalHub hub = new LocalHub();
    private final List<Link> accepted = new ArrayList<>();

    @Test
    void aStrangerIsRefusedByTheMemberItDials() {
        LocalEndpoint a = open(A, any -> true);
        LocalEndpoint b = open(B, any -> false);
        assertRefused(a.connect(B, b.address(), SECOND), "member 0 is no member there");
        assertThat(accepted).isEmpty();
    }

    @Test
    void aMemberThatIsNotThereIsAnErrorAtOnce() {
        LocalEndpoint a = open(A, any -> true);
        PeerAddress address = new PeerAddress("local", List.of("member-1"));
        assertRefused(a.connect(B, address, SECOND), "it is not on this hub");
        assertRefused(a.connect(A, a.address(), SECOND), "this member itself");
        LocalEndpoint b = open(B, any -> true);
        assertRefused(a.connect(B, a.address(), SECOND), "member-1");
        b.close();
        assertRefused(a.connect(B, address, SECOND), "it is not on this hub");
        a.close();
        assertRefused(a.connect(B, address, SECOND), "this endpoint is closed");
    }

    @Test
    void closingAnEndpointClosesItsLinksAndFreesItsName() {
        LocalEndpoint a = open(A, any -> true);
        LocalEndpoint b = open(B, any -> true);
        assertThatThrownBy(() -> open(A, any -> true)).hasMessageContaining("member 0");
        Link link = a.connect(B, b.address(), SECOND).join();
        b.close();
        assertThat(link.isClosed()).isTrue();
        assertThat(link.closeCause()).contains("the endpoint of member 1 was closed");
        open(B, any -> true);
    }

    @Test
    void aLargePayloadIsReadWhereItLiesAndASmallOneIsCopied() throws Exception {
        try (LinkPair pair = LocalMembers.pair(A, () -> {}, B, () -> {})) {
            byte[] large = new byte[1000];
            byte[] small = new byte[LocalRing.INLINE_BYTES];
            assertThat(send(pair.left(), large)).isEqualTo(SendResult.PENDING);
            assertThat(send(pair.left(), small)).isEqualTo(SendResult.SENT);
            List<MemorySegment> seen = new ArrayList<>();
            pair.right().poll((link, lane, header, payload) -> seen.add(payload), 10);
            assertThat(seen.getFirst().heapBase().orElseThrow()).isSameAs(large);
            assertThat(seen.get(1).heapBase()).isEmpty();
        }
    }

    @Test
    void memoryThatIsBeingReadIsNotGivenBackByAClose() throws Exception {
        try (LinkPair pair = LocalMembers.pair(A, () -> {}, B, () -> {})) {
            List<Long> told = new ArrayList<>();
            FrameHeader header = new FrameHeader().reset(FrameKind.PIECE).payloadBytes(1000);
            MemorySegment payload = MemorySegment.ofArray(new byte[1000]);
            pair.left().trySend(Lane.COLLECTIVE, header, payload, told::add, 1);
            pair.left().trySend(Lane.COLLECTIVE, header, payload, told::add, 2);
            FrameHandler closeWhileReading =
                    (link, lane, ignored, lent) -> {
                        pair.left().close("mid-read");
                        pair.left().poll((l, n, h, p) -> {}, 10);
                        assertThat(told).as("the first is being read").containsExactly(2L);
                        payload.fill((byte) 1);
                        assertThat(pair.left().isClosed()).isFalse();
                    };
            assertThat(pair.right().poll(closeWhileReading, 1)).isEqualTo(1);
            pair.left().poll((l, n, h, p) -> {}, 10);
            assertThat(told).containsExactly(2L, 1L);
            assertThat(pair.left().isClosed()).isTrue();
            pair.right().poll((l, n, h, p) -> assertThat(p.toArray(BYTE)).containsOnly(0), 10);
            assertThat(pair.right().isClosed()).isTrue();
        }
    }

    private static final java.lang.foreign.ValueLayout.OfByte BYTE =
            java.lang.foreign.ValueLayout.JAVA_BYTE;

    private static SendResult send(Link link, byte[] payload) {
        FrameHeader header = new FrameHeader().reset(FrameKind.PIECE).payloadBytes(payload.length);
        return link.trySend(
                Lane.COLLECTIVE, header, MemorySegment.ofArray(payload), token -> {}, 0);
    }

    private LocalEndpoint open(MemberId self, java.util.function.Predicate<MemberId> isMember) {
        return hub.open(LocalMembers.settings(self, isMember, accepted::add, () -> {}));
    }

    private static void assertRefused(CompletableFuture<Link> dial, String reason) {
        assertThatThrownBy(dial::join)
                .hasCauseInstanceOf(RendezvousException.class)
                .hasMessageContaining(reason);
    }
}
