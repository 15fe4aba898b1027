package io.nexar.transport.quic;

import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicSslContext;
import io.netty.handler.codec.quic.QuicSslEngine;
import io.netty.util.AttributeKey;

import org.jspecify.annotations.Nullable;

import javax.net.ssl.SSLEngine;

/** The TLS engine of each connection, kept for who asks later why its peer was refused. */
final class QuicEngines {
    private static final AttributeKey<SSLEngine> ENGINE =
            AttributeKey.valueOf(QuicEngines.class, "engine");

    private QuicEngines() {}

    static QuicSslEngine make(QuicSslContext context, QuicChannel channel) {
        // Without an address no session is resumed: each handshake checks certificates anew.
        QuicSslEngine engine = context.newEngine(channel.alloc());
        channel.attr(ENGINE).set(engine);
        return engine;
    }

    static @Nullable SSLEngine of(QuicChannel channel) {
        return channel.attr(ENGINE).get();
    }
}
