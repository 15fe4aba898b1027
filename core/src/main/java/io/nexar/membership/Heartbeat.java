package io.nexar.membership;

import io.nexar.MemberId;
import io.nexar.ProtocolException;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What detectors say to each other: {@code u8 kind | u64 member | u64 nanoseconds}, little-endian,
 * each kind as far as it goes.
 */
public sealed interface Heartbeat {

    /** The sender lives. */
    record Beat() implements Heartbeat {}

    /** When did you last hear that member? */
    record Ask(MemberId about) implements Heartbeat {}

    /** That long ago. */
    record Answer(MemberId about, long silentNanos) implements Heartbeat {}

    int BEAT = 1;
    int ASK = 2;
    int ANSWER = 3;

    /** As bytes. */
    default byte[] encode() {
        ByteBuffer bytes = ByteBuffer.allocate(1 + 8 + 8).order(ByteOrder.LITTLE_ENDIAN);
        switch (this) {
            case Beat _ -> bytes.put((byte) BEAT);
            case Ask ask -> bytes.put((byte) ASK).putLong(ask.about().id());
            case Answer answer ->
                    bytes.put((byte) ANSWER)
                            .putLong(answer.about().id())
                            .putLong(answer.silentNanos());
        }
        byte[] result = new byte[bytes.position()];
        bytes.flip().get(result);
        return result;
    }

    /**
     * From bytes that came from {@code peer}.
     *
     * @throws ProtocolException if they are none
     */
    static Heartbeat decode(byte[] payload, MemberId peer) {
        ByteBuffer bytes = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
        int kind = payload.length == 0 ? 0 : bytes.get();
        int expected =
                switch (kind) {
                    case BEAT -> 1;
                    case ASK -> 1 + 8;
                    case ANSWER -> 1 + 8 + 8;
                    default -> -1;
                };
        if (payload.length != expected) {
            throw new ProtocolException(
                    peer.toString(),
                    "a heartbeat of kind " + kind + " with " + payload.length + " bytes");
        }
        return switch (kind) {
            case BEAT -> new Beat();
            case ASK -> new Ask(member(bytes, peer));
            default -> new Answer(member(bytes, peer), notNegative(bytes.getLong(), peer));
        };
    }

    private static MemberId member(ByteBuffer bytes, MemberId peer) {
        return new MemberId(notNegative(bytes.getLong(), peer));
    }

    private static long notNegative(long value, MemberId peer) {
        if (value < 0) {
            throw new ProtocolException(peer.toString(), "a heartbeat with " + value + " in it");
        }
        return value;
    }
}
