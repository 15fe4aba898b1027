package io.nexar.transport.quic;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.quic.QuicTokenHandler;
import io.nexar.security.AddressTokens;

import java.net.InetSocketAddress;
import java.util.function.LongSupplier;

/**
 * Stateless Retry for Netty: nothing is kept for an address before it has shown that it receives
 * there. All the thought is in {@link AddressTokens}.
 */
final class RetryTokens implements QuicTokenHandler {
    private final AddressTokens tokens;
    private final LongSupplier nanoClock;

    RetryTokens(AddressTokens tokens, LongSupplier nanoClock) {
        this.tokens = tokens;
        this.nanoClock = nanoClock;
    }

    @Override
    public boolean writeToken(ByteBuf out, ByteBuf connectionId, InetSocketAddress address) {
        byte[] id = ByteBufUtil.getBytes(connectionId);
        out.writeBytes(tokens.mint(address, id, nanoClock.getAsLong()));
        return true;
    }

    @Override
    public int validateToken(ByteBuf token, InetSocketAddress address) {
        // Longer ones are refused as well, without copying what a stranger sent.
        int bytes = Math.min(token.readableBytes(), AddressTokens.BYTES_MAX + 1);
        byte[] presented = ByteBufUtil.getBytes(token, token.readerIndex(), bytes);
        return tokens.validate(presented, address, nanoClock.getAsLong());
    }

    @Override
    public int maxTokenLength() {
        return AddressTokens.BYTES_MAX;
    }
}
