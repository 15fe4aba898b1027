package io.nexar.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.transport.FrameHandler;
import io.nexar.transport.Link;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** More bytes on one stream than an int counts. The memory is only described, never touched. */
@Timeout(60)
class StreamSizesTest {
    /** The last frame is half a frame: a local link reads a short one. */
    private static final long BYTES = (6L << 30) + FrameHeader.PAYLOAD_BYTES_MAX / 2;

    private static final long CREDIT_BYTES = 1L << 33;
    private static final long SOURCE = 1L << 44;
    private static final long TARGET = 1L << 45;

    private long nextOffset;

    @Test
    void sixGibibytesFlowThroughAWindowOfEightWithoutACountThatWraps() throws Exception {
        // Pitfall 11: a stream of more than 2^32 bytes, windows of 2^33.
        FabricSettings settings =
                new FabricSettings(
                        CREDIT_BYTES,
                        4096,
                        8L * (FrameHeader.PAYLOAD_BYTES_MAX + FabricSettings.MESSAGE_COST_BYTES),
                        FrameHeader.PAYLOAD_BYTES_MAX);
        try (FabricPair pair = new FabricPair(settings, this::inPlace)) {
            pair.openBoth();
            MemorySegment target = described(TARGET);
            ReceiveOperation receive = pair.channels[1].messages().receive(0, 7, target);
            SendOperation send = pair.channels[0].messages().send(1, 7, described(SOURCE));
            pair.settleUntil(() -> receive.isDone() && send.isDone());
            assertThat(receive.failure()).isNull();
            assertThat(send.failure()).isNull();
            assertThat(nextOffset).isEqualTo(BYTES);
        }
    }

    private static MemorySegment described(long address) {
        return MemorySegment.ofAddress(address).reinterpret(BYTES);
    }

    /** A link that says of each payload that it lies in its place already. */
    private Link inPlace(Link inner) {
        return (Link)
                Proxy.newProxyInstance(
                        Link.class.getClassLoader(),
                        new Class<?>[] {Link.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("poll")) {
                                return poll(inner, (Link) proxy, (FrameHandler) arguments[0]);
                            }
                            try {
                                return method.invoke(inner, arguments);
                            } catch (InvocationTargetException thrown) {
                                throw thrown.getCause();
                            }
                        });
    }

    private int poll(Link inner, Link self, FrameHandler handler) {
        return inner.poll(
                (from, lane, header, payload) -> {
                    if (header.kind() != FrameKind.DATA) {
                        handler.onFrame(self, lane, header, payload);
                        return;
                    }
                    assertThat(header.offset()).isEqualTo(nextOffset);
                    assertThat(payload.address()).isEqualTo(SOURCE + nextOffset);
                    MemorySegment place = handler.destination(self, lane, header);
                    assertThat(place).isNotNull();
                    assertThat(place.address()).isEqualTo(TARGET + nextOffset);
                    assertThat(place.byteSize()).isEqualTo(payload.byteSize());
                    nextOffset += payload.byteSize();
                    handler.onFrame(self, lane, header, place);
                },
                64);
    }
}
