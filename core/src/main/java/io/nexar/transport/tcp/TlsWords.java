package io.nexar.transport.tcp;

import java.util.Locale;

/** Says in words why a connection did not become a link. */
final class TlsWords {
    private TlsWords() {}

    static String of(Throwable failure) {
        Throwable inner = failure;
        while (inner.getCause() != null) {
            inner = inner.getCause();
        }
        String message = inner.getMessage();
        if (message == null) {
            return inner.getClass().getSimpleName();
        }
        return meaning(message.toLowerCase(Locale.ROOT).replace(' ', '_'), message);
    }

    /**
     * TLS alerts, RFC 8446 section 6.2: those that a peer of ours can give, as both engines say.
     */
    private static String meaning(String told, String message) {
        if (told.contains("alert_certificate_required")
                || told.contains("peer_did_not_return_a_certificate")
                || told.contains("empty_client_certificate")) {
            return "a certificate is wanted and none was shown (" + message + ")";
        }
        if (told.contains("alert") && told.contains("certificate")) {
            return "it does not accept this member's certificate (" + message + ")";
        }
        if (told.contains("protocol_version") || told.contains("unsupported_protocol")) {
            return "it speaks another TLS version than 1.3 (" + message + ")";
        }
        return message;
    }
}
