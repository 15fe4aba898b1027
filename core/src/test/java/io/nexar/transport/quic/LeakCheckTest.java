package io.nexar.transport.quic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

class LeakCheckTest {
    @Test
    void aBufferThatIsLostIsNoticed() {
        LeakCheck check = new LeakCheck();
        check.start();
        lose();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (check.findLost().isEmpty() && System.nanoTime() < deadline) {
            Thread.onSpinWait(); // looked again at once: the collector decides when
        }
        assertThat(check.stop()).isNotEmpty();
    }

    private static void lose() {
        ByteBufAllocator.DEFAULT.directBuffer(100).writeLong(1);
    }
}
