package io.nexar.security;

import org.jspecify.annotations.Nullable;

/**
 * The one place that decides which exception a refusal is: what the user gave (join string, pin,
 * file) is a configuration error, what a peer sent (request, certificate) is a protocol error.
 */
final class Refusals {

    private Refusals() {}

    static RuntimeException badSetting(String message) {
        return badSetting(message, null);
    }

    static RuntimeException badSetting(String message, @Nullable Throwable cause) {
        return new IllegalArgumentException(message, cause);
    }

    static RuntimeException badPeer(String message) {
        return badPeer(message, null);
    }

    static RuntimeException badPeer(String message, @Nullable Throwable cause) {
        return new IllegalArgumentException(message, cause);
    }
}
