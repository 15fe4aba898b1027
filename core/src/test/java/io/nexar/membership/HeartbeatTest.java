package io.nexar.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.MemberId;
import io.nexar.ProtocolException;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

class HeartbeatTest {

    private static final MemberId PEER = new MemberId(3);

    @Test
    void eachKindComesBackAsItWas() {
        for (Heartbeat sent :
                List.of(
                        new Heartbeat.Beat(),
                        new Heartbeat.Ask(new MemberId(7)),
                        new Heartbeat.Answer(new MemberId(1L << 40), 123_456_789_012L))) {
            assertThat(Heartbeat.decode(sent.encode(), PEER)).isEqualTo(sent);
        }
    }

    @Test
    void whatIsNoHeartbeatIsRefusedByName() {
        assertThatThrownBy(() -> Heartbeat.decode(new byte[0], PEER))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("member 3");
        byte[] negative = new Heartbeat.Ask(new MemberId(1)).encode();
        negative[8] = (byte) 0x80;
        assertThatThrownBy(() -> Heartbeat.decode(negative, PEER))
                .isInstanceOf(ProtocolException.class);
        Random random = new Random(5);
        for (int i = 0; i < 20_000; i++) {
            byte[] noise = new byte[random.nextInt(20)];
            random.nextBytes(noise);
            assertThatCode(
                            () -> {
                                try {
                                    Heartbeat.decode(noise, PEER);
                                } catch (ProtocolException expected) {
                                    assertThat(expected.getMessage()).contains("member 3");
                                }
                            })
                    .doesNotThrowAnyException();
        }
    }
}
