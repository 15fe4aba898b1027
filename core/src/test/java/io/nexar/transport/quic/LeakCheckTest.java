package io.nexar.transport.quic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;

import org.junit.jupiter.api.Test;

class LeakCheckTest {
    @Test
    void aBufferThatIsLostIsNoticed() {
        LeakCheck check = new LeakCheck();
        check.start();
        ByteBufAllocator.DEFAULT.directBuffer(100).writeLong(1);
        assertThat(check.stop()).isNotEmpty();
    }
}
