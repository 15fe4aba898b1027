package io.nexar.runtime;

import io.nexar.ConfigurationException;
import io.nexar.NexarConfig;
import io.nexar.transport.Transport;

import java.util.List;

/** The transports between processes, and which of them the settings allow. */
final class Transports {
    private Transports() {}

    /**
     * The fast ones that a link of QUIC may have before it, the best first.
     *
     * @throws ConfigurationException if the setting names one that does not link processes
     */
    static List<Transport> fast(NexarConfig config) {
        String wanted = config.get("nexar.transport");
        return switch (wanted) {
            case "auto", "quic" -> List.of();
            case "local" ->
                    throw ConfigurationException.conflict(
                            "nexar.transport", wanted, "links ranks of one JVM, not processes");
            default ->
                    throw new UnsupportedOperationException(
                            "transport " + wanted + " is not part of this version yet");
        };
    }

    /** Whether it reaches processes of its own host alone. */
    static boolean isForOneHost(String transport) {
        return transport.equals("shm");
    }
}
