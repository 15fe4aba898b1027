package io.nexar.transport.quic;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.unix.Errors;
import io.netty.channel.unix.SegmentedDatagramPacket;
import io.netty.handler.codec.quic.EpollQuicUtils;
import io.netty.handler.codec.quic.SegmentedDatagramPacketAllocator;
import io.nexar.transport.net.SocketLoop;

import org.jspecify.annotations.Nullable;

import java.net.InetSocketAddress;
import java.util.Set;

/**
 * Hands the kernel several datagrams of one size as one, which it cuts itself (GSO): the way
 * through its layers is walked once for all of them. Where a device can't do that (one without
 * checksums, or IPsec) the kernel refuses; from then on datagrams go one by one, and QUIC sends
 * what was refused again as it does what was lost. Between the codec and the socket; the event
 * loop's.
 */
@Sharable
final class Segments extends ChannelOutboundHandlerAdapter
        implements SegmentedDatagramPacketAllocator {
    /** The kernel takes no more than one UDP packet holds, less its headers. */
    private static final int BYTES_MAX = 65_000;

    /** What every kernel that can do it takes. */
    private static final int COUNT_MAX = 64;

    /** What the kernel says then: EIO and EINVAL. Other errors are about the way or the peer. */
    private static final Set<Integer> REFUSALS = Set.of(-5, -22);

    private final SegmentedDatagramPacketAllocator kernel;
    private boolean isRefused;

    Segments(int datagramBytes) {
        int count = Math.min(BYTES_MAX / datagramBytes, COUNT_MAX);
        kernel =
                SocketLoop.isEpoll() && count > 1
                        ? EpollQuicUtils.newSegmentedAllocator(count)
                        : NONE;
    }

    @Override
    public int maxNumSegments() {
        return isRefused ? 0 : kernel.maxNumSegments();
    }

    @Override
    public DatagramPacket newPacket(ByteBuf bytes, int segmentBytes, InetSocketAddress remote) {
        return kernel.newPacket(bytes, segmentBytes, remote);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        if (message instanceof SegmentedDatagramPacket) {
            promise.addListener(sent -> isRefused |= isRefusal(sent.cause()));
        }
        context.write(message, promise);
    }

    private static boolean isRefusal(@Nullable Throwable cause) {
        return cause instanceof Errors.NativeIoException error
                && REFUSALS.contains(error.expectedErr());
    }
}
