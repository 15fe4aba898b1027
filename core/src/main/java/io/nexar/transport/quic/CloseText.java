package io.nexar.transport.quic;

import io.netty.handler.codec.quic.QuicChannel;
import io.netty.handler.codec.quic.QuicConnectionCloseEvent;
import io.netty.handler.codec.quic.QuicTransportError;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;

/** Says in words why a connection ended. What a peer wrote is cut and cleaned before use. */
final class CloseText {
    private CloseText() {}

    static String of(QuicConnectionCloseEvent event) {
        String text = reasonOf(event);
        if (event.isApplicationClose()) {
            return "closed by the peer: " + (text.isEmpty() ? "no reason given" : text);
        }
        if (event.isTlsError()) {
            return "the peer refused the handshake: "
                    + ofAlert(QuicConnectionCloseEvent.extractTlsError(event.error()));
        }
        return "closed by the peer's QUIC: "
                + QuicTransportError.valueOf(event.error())
                + (text.isEmpty() ? "" : " (" + text + ")");
    }

    /** The peer's own words. */
    static String reasonOf(QuicConnectionCloseEvent event) {
        return clean(reason(event));
    }

    /** For a connection that ended without a word from the peer. */
    static String ofSilence(QuicChannel channel, @Nullable Throwable failure) {
        if (channel.isTimedOut()) {
            return "nothing arrived for " + QuicCodecs.IDLE_SECONDS_MAX + " s";
        }
        return failure == null ? "the connection was closed" : ofFailure(failure);
    }

    /** The innermost message says most: outer ones are the TLS engine's wrapping. */
    static String ofFailure(Throwable failure) {
        Throwable inner = failure;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        String message = inner.getMessage();
        if (message != null && message.contains("QUICHE_ERR_TLS_FAIL")) {
            return "the TLS handshake failed: the peer shows no certificate, or speaks another"
                    + " protocol version than "
                    + QuicCodecs.PROTOCOL;
        }
        return message == null ? inner.getClass().getSimpleName() : message;
    }

    /** TLS alerts, RFC 8446 section 6.2: those that a peer of ours can give. */
    private static String ofAlert(int alert) {
        String meaning =
                switch (alert) {
                    case 42, 43, 44, 45, 46, 48 -> "it does not accept this member's certificate";
                    case 116 -> "it wants a certificate and got none";
                    case 120 -> "it speaks another protocol version than " + QuicCodecs.PROTOCOL;
                    default -> "TLS failed";
                };
        return meaning + " (TLS alert " + alert + ")";
    }

    private static byte[] reason(QuicConnectionCloseEvent event) {
        try {
            return event.reason();
        } catch (NullPointerException e) {
            return new byte[0]; // Netty 4.2.18 clones a reason that it did not get
        }
    }

    private static String clean(byte[] reason) {
        return new String(reason, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ").strip();
    }
}
