package io.nexar.security;

import io.nexar.ConfigurationException;
import io.nexar.ProtocolException;

import org.jspecify.annotations.Nullable;

/**
 * The one place that decides which exception a refusal is: what the user gave (join string, pin,
 * file) is a configuration error, what a peer sent (request, certificate) is a protocol error.
 */
final class Refusals {

    /** This room doesn't know who the peer is; whoever does says it with {@code problem()}. */
    private static final String PEER = "the peer";

    private Refusals() {}

    /** For what may hold a secret: the value is not shown. */
    static ConfigurationException badSecret(String what, String problem) {
        return ConfigurationException.conflict(what, "***", problem);
    }

    static ConfigurationException badSetting(String what, Object value, String problem) {
        return ConfigurationException.conflict(what, value.toString(), problem);
    }

    static ProtocolException badPeer(String problem) {
        return new ProtocolException(PEER, problem);
    }

    static ProtocolException badPeer(String problem, @Nullable Throwable cause) {
        return new ProtocolException(null, PEER, problem, cause);
    }
}
