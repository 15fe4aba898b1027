package io.nexar.transport.tcp;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.net.TrustWitness;

import java.util.List;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * Engines for mutual TLS 1.3, both sides showing the member's certificate. Made without the peer's
 * address, so no session is resumed: each handshake checks certificates anew. Thread-safe.
 */
final class TlsEngines {
    private static final String VERSION = "TLSv1.3";

    /** The fastest first, where the processor has AES; the JDK's own order begins with 256 bits. */
    private static final List<String> CIPHERS =
            List.of(
                    "TLS_AES_128_GCM_SHA256",
                    "TLS_AES_256_GCM_SHA384",
                    "TLS_CHACHA20_POLY1305_SHA256");

    private final SslContext accepting;
    private final SslContext dialling;
    private final boolean isNative;

    TlsEngines(EndpointSettings.Identity identity, TrustWitness trust, Protection protection) {
        isNative = protection != Protection.JDK_TLS && OpenSsl.isAvailable();
        SslProvider provider = isNative ? SslProvider.OPENSSL : SslProvider.JDK;
        try {
            accepting =
                    SslContextBuilder.forServer(identity.key(), identity.certificate())
                            .sslProvider(provider)
                            .protocols(VERSION)
                            .ciphers(CIPHERS)
                            .trustManager(trust)
                            .clientAuth(ClientAuth.REQUIRE)
                            .build();
            dialling =
                    SslContextBuilder.forClient()
                            .keyManager(identity.key(), identity.certificate())
                            .sslProvider(provider)
                            .protocols(VERSION)
                            .ciphers(CIPHERS)
                            .trustManager(trust)
                            // Members are known by their certificates, not by names of hosts.
                            .endpointIdentificationAlgorithm(null)
                            .build();
        } catch (SSLException e) {
            throw new IllegalStateException("no TLS 1.3 by " + provider, e);
        }
    }

    /** Whether they are OpenSSL's. */
    boolean isNative() {
        return isNative;
    }

    SSLEngine accept() {
        return accepting.newEngine(ByteBufAllocator.DEFAULT);
    }

    SSLEngine dial() {
        return dialling.newEngine(ByteBufAllocator.DEFAULT);
    }
}
