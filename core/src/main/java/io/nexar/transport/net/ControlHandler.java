package io.nexar.transport.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.DecoderException;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Cuts the decrypted bytes of one connection into messages and tells the listener. */
final class ControlHandler extends ByteToMessageDecoder {

    private static final int PREFIX_BYTES = 4;

    private final ControlConnection connection;
    private final ControlListener listener;
    private @Nullable String cause;
    private boolean isTold;

    ControlHandler(ControlConnection connection, ControlListener listener) {
        this.connection = connection;
        this.listener = listener;
    }

    /** Whether the peer is still to read its last message. */
    boolean isClosingGently() {
        return connection.isClosing();
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        while (in.readableBytes() >= PREFIX_BYTES) {
            if (connection.isClosing()) {
                in.skipBytes(in.readableBytes());
                return;
            }
            long length = in.getUnsignedIntLE(in.readerIndex());
            if (length > ControlConnection.MESSAGE_BYTES_MAX) {
                in.skipBytes(in.readableBytes());
                fail(
                        "a message of "
                                + length
                                + " bytes is above "
                                + ControlConnection.MESSAGE_BYTES_MAX);
                return;
            }
            if (in.readableBytes() < PREFIX_BYTES + length) {
                return;
            }
            in.skipBytes(PREFIX_BYTES);
            byte[] message = new byte[(int) length];
            in.readBytes(message);
            listener.onMessage(connection, message);
        }
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        tellClosed();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        super.channelInactive(context);
        tellClosed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable thrown) {
        fail(describe(thrown));
    }

    private void fail(String reason) {
        if (cause == null) {
            cause = reason;
        }
        connection.close();
    }

    private void tellClosed() {
        if (!isTold) {
            isTold = true;
            listener.onClosed(connection, cause == null ? "the connection closed" : cause);
        }
    }

    /** The innermost message that says something. */
    static String describe(Throwable thrown) {
        Throwable at = thrown;
        while (at.getCause() != null && (at instanceof DecoderException || hasBetterCause(at))) {
            at = at.getCause();
        }
        String message = at.getMessage();
        return message == null ? at.getClass().getSimpleName() : message;
    }

    private static boolean hasBetterCause(Throwable at) {
        Throwable inner = at.getCause();
        return inner != null && inner.getMessage() != null;
    }
}
