package io.nexar.runtime;

import io.nexar.ConfigurationException;
import io.nexar.NexarConfig;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.Transport;
import io.nexar.transport.shm.ShmTransport;
import io.nexar.transport.tcp.TcpTransport;

import java.time.InstantSource;
import java.util.List;

/** The transports between processes, and which of them the settings allow. */
final class Transports {
    private Transports() {}

    private static final System.Logger LOG = System.getLogger("io.nexar");

    /**
     * The fast ones that a link of QUIC may have before it, the best first.
     *
     * @throws ConfigurationException if the setting names one that does not link processes
     */
    static List<Transport> fast(NexarConfig config) {
        String wanted = config.get("nexar.transport");
        return switch (wanted) {
            case "auto" -> List.of(shm(), tcp());
            case "shm" -> List.of(shm());
            case "tcp" -> List.of(tcp());
            case "insecurePlaintext" -> List.of(insecurePlaintext());
            case "quic" -> List.of();
            case "local" ->
                    throw ConfigurationException.conflict(
                            "nexar.transport", wanted, "links ranks of one JVM, not processes");
            default -> throw new IllegalStateException("no transport " + wanted);
        };
    }

    /** Whether these two can reach each other at all, as far as addresses tell. */
    static boolean mayReach(PeerAddress one, PeerAddress other) {
        return !one.transport().equals(ShmTransport.NAME) || ShmTransport.canShare(one, other);
    }

    /** What links processes of one host: all ranks must say the same. */
    static LinkClass inHost(NexarConfig config) {
        return switch (config.get("nexar.transport")) {
            case "auto", ShmTransport.NAME -> LinkClass.HOST;
            default -> LinkClass.RACK;
        };
    }

    private static Transport shm() {
        return new ShmTransport(System::nanoTime, Transports::tellRefused);
    }

    private static Transport tcp() {
        return new TcpTransport(InstantSource.system(), System::nanoTime, Transports::tellRefused);
    }

    private static Transport insecurePlaintext() {
        return TcpTransport.insecurePlaintext(
                InstantSource.system(), System::nanoTime, Transports::tellRefused);
    }

    private static void tellRefused(String refusal) {
        LOG.log(System.Logger.Level.WARNING, refusal);
    }
}
