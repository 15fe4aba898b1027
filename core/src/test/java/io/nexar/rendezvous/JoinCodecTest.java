package io.nexar.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.MemberId;
import io.nexar.ProtocolException;
import io.nexar.transport.PeerAddress;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

class JoinCodecTest {

    private static final long RANDOM_SEED = 20_250_817;

    private static final List<PeerAddress> ADDRESSES =
            List.of(
                    new PeerAddress("quic", List.of("10.0.0.7:4711", "[fd00::7]:4711")),
                    new PeerAddress("tcp", List.of("10.0.0.7:4712")));

    private static final JoinMessage.Hello HELLO =
            new JoinMessage.Hello(
                    "job-1",
                    "c2VjcmV0",
                    Map.of("nexar.check", "full", "nexar.transport", "quic"),
                    3,
                    4,
                    "0123456789abcdef",
                    4711,
                    new byte[] {1, 2, 3});

    private static List<JoinMessage> messages() {
        return List.of(
                HELLO,
                new JoinMessage.Welcome(7, 4, 99, new byte[] {4, 5}, new byte[] {6}),
                new JoinMessage.Refused("the token is wrong"),
                new JoinMessage.Ready("pid:[4026531836]/17", ADDRESSES),
                new JoinMessage.RosterPart(
                        2,
                        16,
                        List.of(new Roster.Entry(new MemberId(9), "host-ä", "x/4", ADDRESSES))),
                new JoinMessage.Linked(),
                new JoinMessage.LinkFailed(-1, "no route"),
                new JoinMessage.Go(),
                new JoinMessage.Failed("too few", List.of(1, 3)),
                new JoinMessage.Departed(5, 2, true, "done"),
                new JoinMessage.Goodbye("done"),
                new JoinMessage.Abort(2, "loss is NaN"),
                new JoinMessage.Ask(6),
                new JoinMessage.Ping(),
                new JoinMessage.Pong(),
                new JoinMessage.Answers(6),
                new JoinMessage.Lost(6, "silent for 8.1 s"),
                new JoinMessage.Expelled("silent for 8.1 s"),
                new JoinMessage.Observation.Observe("job-1", "c2VjcmV0"),
                new JoinMessage.Observation.Observed(SeedPhase.RUNNING, 4, 5, 6, "why"),
                new JoinMessage.Observation.Look(512),
                new JoinMessage.Observation.Rows(
                        List.of(
                                new MemberRow(
                                        7,
                                        3,
                                        MemberRow.Standing.LOST,
                                        "host-ä",
                                        "10.0.0.7:4711",
                                        99,
                                        12,
                                        "killed"))),
                new JoinMessage.Observation.Ask(8, ReportCodec.REPORT_BYTES_MAX),
                new JoinMessage.Observation.Report(8, new byte[] {1, 2, 3}),
                new JoinMessage.Observation.Answer(7, new byte[] {4, 5}),
                new JoinMessage.Observation.Looked(-1));
    }

    /** How many kinds there are, those of a family of messages counted one by one. */
    private static int kinds(Class<?> type) {
        Class<?>[] subclasses = type.getPermittedSubclasses();
        return subclasses == null
                ? 1
                : Arrays.stream(subclasses).mapToInt(JoinCodecTest::kinds).sum();
    }

    private static JoinMessage decode(byte[] bytes) {
        return JoinCodec.decode(bytes, "the test");
    }

    @Test
    void everyMessageComesBackAsItWas() {
        for (JoinMessage message : messages()) {
            assertThat(decode(JoinCodec.encode(message)))
                    .usingRecursiveComparison()
                    .isEqualTo(message);
        }
        assertThat(messages()).hasSize(kinds(JoinMessage.class));
    }

    @Test
    void everyCutOrLengthenedMessageIsRefused() {
        for (JoinMessage message : messages()) {
            byte[] bytes = JoinCodec.encode(message);
            for (int length = 0; length < bytes.length; length++) {
                byte[] cut = Arrays.copyOf(bytes, length);
                assertThatThrownBy(() -> decode(cut)).isInstanceOf(ProtocolException.class);
            }
            byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
            assertThatThrownBy(() -> decode(longer)).hasMessageContaining("behind the end");
        }
    }

    @Test
    void alteredBytesNeverEndInAnythingButAProtocolException() {
        Random random = new Random(RANDOM_SEED);
        for (int round = 0; round < 5_000; round++) {
            byte[] bytes = JoinCodec.encode(messages().get(random.nextInt(messages().size())));
            for (int change = random.nextInt(4); change >= 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                decode(bytes);
            } catch (ProtocolException e) {
                assertThat(e.problem()).isNotEmpty();
            }
        }
    }

    @Test
    void anotherVersionIsNamedOnBothSidesAndItsRefusalCanBeRead() {
        byte[] hello = JoinCodec.encode(HELLO);
        ByteBuffer.wrap(hello).order(ByteOrder.LITTLE_ENDIAN).putShort(4, (short) 9);
        assertThatThrownBy(() -> decode(hello))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("version 9")
                .hasMessageContaining("here is 1");
        byte[] refusal = JoinCodec.encode(new JoinMessage.Refused("we speak version 9"));
        ByteBuffer.wrap(refusal).order(ByteOrder.LITTLE_ENDIAN).putShort(4, (short) 9);
        assertThat(decode(refusal)).isEqualTo(new JoinMessage.Refused("we speak version 9"));
    }

    @Test
    void serializedJavaObjectsAreGarbageBeforeAnyClassIsLooked() throws IOException {
        // Pitfall 83: a join request went through Java serialization before any login.
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(new HashMap<>(Map.of("a", new ArrayList<>(List.of(1, 2)))));
        }
        assertThatThrownBy(() -> decode(bytes.toByteArray()))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("instead of NXRJ");
    }

    @Test
    void aReasonThatIsTooLongIsCutBetweenCharacters() {
        String reason = "ä".repeat(JoinBounds.REASON_BYTES_MAX);
        JoinMessage back = decode(JoinCodec.encode(new JoinMessage.Refused("x" + reason)));
        assertThat(back)
                .isEqualTo(
                        new JoinMessage.Refused(
                                "x" + "ä".repeat(JoinBounds.REASON_BYTES_MAX / 2 - 1)));
    }

    @Test
    void fieldsAboveTheirBoundsAreRefusedOnBothSides() {
        List<PeerAddress> tooMany =
                List.of(new PeerAddress("quic", Collections.nCopies(9, "10.0.0.1:1")));
        assertThatThrownBy(() -> JoinCodec.encode(new JoinMessage.Ready("", tooMany)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("9 candidates are above 8");
        byte[] ready = JoinCodec.encode(new JoinMessage.Ready("", List.of()));
        ByteBuffer.wrap(ready).order(ByteOrder.LITTLE_ENDIAN).putShort(10, (short) 5000);
        assertThatThrownBy(() -> decode(ready)).hasMessageContaining("5000 transports are above");
    }

    @Test
    void theTokenDoesNotStandInText() {
        assertThat(HELLO.toString()).doesNotContain("c2VjcmV0");
        assertThat(new JoinMessage.Observation.Observe("job-1", "c2VjcmV0").toString())
                .doesNotContain("c2VjcmV0");
    }
}
