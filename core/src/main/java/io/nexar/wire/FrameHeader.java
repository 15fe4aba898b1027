package io.nexar.wire;

import io.nexar.ProtocolException;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The 40 bytes in front of every payload, little-endian:
 *
 * <pre>
 *  0 u32 payloadBytes | 4 u8 kind | 5 u8 flags | 6 u16 fragment
 *  8 u32 channel      | 12 u32 tag
 * 16 u64 sequence     | 24 u64 offset         | 32 u64 extra
 * </pre>
 *
 * <p>A mutable flyweight, owned by one thread at a time: a record for each frame would allocate on
 * the path of every small collective. User tags and collective sequences are different fields, so
 * that they cannot meet.
 */
public final class FrameHeader {
    /**
     * Rises whenever two versions could not talk to each other; compared before a rank is given.
     */
    public static final int PROTOCOL_VERSION = 1;

    public static final int BYTES = 40;

    /** Bounds what a peer can make us stage for one frame; four default pieces. */
    public static final int PAYLOAD_BYTES_MAX = 256 * 1024;

    private static final ValueLayout.OfLong U64 =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private FrameKind kind = FrameKind.HEARTBEAT;
    private int payloadBytes;
    private int flags;
    private int fragment;
    private int channel;
    private int tag;
    private long sequence;
    private long offset;
    private long extra;

    /** Makes this the header of an otherwise empty frame of this kind. */
    public FrameHeader reset(FrameKind newKind) {
        kind = newKind;
        payloadBytes = 0;
        flags = 0;
        fragment = 0;
        channel = 0;
        tag = 0;
        sequence = 0;
        offset = 0;
        extra = 0;
        return this;
    }

    public FrameHeader copyFrom(FrameHeader other) {
        kind = other.kind;
        payloadBytes = other.payloadBytes;
        flags = other.flags;
        fragment = other.fragment;
        channel = other.channel;
        tag = other.tag;
        sequence = other.sequence;
        offset = other.offset;
        extra = other.extra;
        return this;
    }

    /** In whole words: each access to memory is checked. */
    public void encode(MemorySegment target, long at) {
        long first =
                payloadBytes
                        | (long) kind.code() << 32
                        | (long) (flags & 0xFF) << 40
                        | (long) fragment << 48;
        target.set(U64, at, first);
        target.set(U64, at + 8, Integer.toUnsignedLong(channel) | (long) tag << 32);
        target.set(U64, at + 16, sequence);
        target.set(U64, at + 24, offset);
        target.set(U64, at + 32, extra);
    }

    /** Reads a header; an unknown kind or an impossible length is a {@link ProtocolException}. */
    public FrameHeader decode(MemorySegment source, long at) {
        long first = source.get(U64, at);
        int bytes = (int) first;
        if (bytes < 0 || bytes > PAYLOAD_BYTES_MAX) {
            throw new ProtocolException(
                    "a frame claims "
                            + Integer.toUnsignedString(bytes)
                            + " payload bytes; at most "
                            + PAYLOAD_BYTES_MAX
                            + " are allowed");
        }
        kind = FrameKind.of((int) (first >>> 32) & 0xFF);
        payloadBytes = bytes;
        flags = (int) (first >>> 40) & 0xFF;
        fragment = (int) (first >>> 48);
        long second = source.get(U64, at + 8);
        channel = (int) second;
        tag = (int) (second >>> 32);
        sequence = source.get(U64, at + 16);
        offset = source.get(U64, at + 24);
        extra = source.get(U64, at + 32);
        return this;
    }

    public FrameKind kind() {
        return kind;
    }

    public int payloadBytes() {
        return payloadBytes;
    }

    /** Refuses a payload of another length than this header says. */
    public void requireLengthOf(MemorySegment payload) {
        if (payload.byteSize() != payloadBytes()) {
            throw new IllegalArgumentException(
                    "payload of " + payload.byteSize() + " bytes under the header " + this);
        }
    }

    public FrameHeader payloadBytes(long value) {
        if (value < 0 || value > PAYLOAD_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "payload of " + value + " bytes; a frame takes 0 to " + PAYLOAD_BYTES_MAX);
        }
        payloadBytes = (int) value;
        return this;
    }

    public int flags() {
        return flags;
    }

    public FrameHeader flags(int value) {
        flags = value;
        return this;
    }

    /** 0 to 65,535. */
    public int fragment() {
        return fragment;
    }

    public FrameHeader fragment(int value) {
        if (value < 0 || value > 0xFFFF) {
            throw new IllegalArgumentException("fragment " + value + "; 0 to 65535 fit");
        }
        fragment = value;
        return this;
    }

    /** The sender's number of a communicator, bound by an OPEN frame. */
    public int channel() {
        return channel;
    }

    public FrameHeader channel(int value) {
        channel = value;
        return this;
    }

    /** A message's tag, or a piece's ordinal. */
    public int tag() {
        return tag;
    }

    public FrameHeader tag(int value) {
        tag = value;
        return this;
    }

    /** Sequence of a collective, or number of a message. */
    public long sequence() {
        return sequence;
    }

    public FrameHeader sequence(long value) {
        sequence = value;
        return this;
    }

    /** A piece's slice, or the place of DATA in its message. */
    public long offset() {
        return offset;
    }

    public FrameHeader offset(long value) {
        offset = value;
        return this;
    }

    /** A collective's fingerprint, an announced length, or an amount of credit. */
    public long extra() {
        return extra;
    }

    public FrameHeader extra(long value) {
        extra = value;
        return this;
    }

    @Override
    public String toString() {
        return "%s channel %d tag %d sequence %d offset %d fragment %d extra %d, %d bytes"
                .formatted(kind, channel, tag, sequence, offset, fragment, extra, payloadBytes);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FrameHeader that
                && kind == that.kind
                && payloadBytes == that.payloadBytes
                && flags == that.flags
                && fragment == that.fragment
                && channel == that.channel
                && tag == that.tag
                && sequence == that.sequence
                && offset == that.offset
                && extra == that.extra;
    }

    @Override
    public int hashCode() {
        return java.util.Objects.hash(kind, channel, tag, sequence, offset, fragment, extra);
    }
}
