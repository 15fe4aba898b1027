package io.nexar.transport.shm;

import io.nexar.transport.Endpoint;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.Transport;

import java.lang.foreign.Linker;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Rings in memory that two processes of one host map: links without system calls. */
public final class ShmTransport implements Transport {
    /** In settings and addresses. */
    public static final String NAME = "shm";

    private final LongSupplier nanoClock;
    private final Consumer<String> refusals;

    /**
     * @param nanoClock bounds dials
     * @param refusals hears of each visitor that did not become a link, and why; in the endpoint's
     *     thread
     */
    public ShmTransport(LongSupplier nanoClock, Consumer<String> refusals) {
        this.nanoClock = nanoClock;
        this.refusals = refusals;
    }

    @Override
    public String name() {
        return NAME;
    }

    /**
     * @throws UnsupportedOperationException if this system has no such memory, or none to spare
     */
    @Override
    public ShmEndpoint open(EndpointSettings settings) {
        if (!isHere()) {
            throw new UnsupportedOperationException(
                    "shared memory without a name (memfd) is a thing of Linux; use another"
                            + " transport here");
        }
        try {
            return ShmEndpoint.open(settings, nanoClock, refusals);
        } catch (ShmException e) {
            throw new UnsupportedOperationException("no shared memory here: " + e.getMessage(), e);
        }
    }

    /** Whether the system has such memory. */
    static boolean isHere() {
        return Linker.nativeLinker().defaultLookup().find("memfd_create").isPresent();
    }

    /**
     * Whether two endpoints of this transport can share memory at all, from their addresses: one
     * kernel, one pid namespace, one user. If not, {@link Endpoint#connect} fails, and says so.
     */
    public static boolean canShare(PeerAddress one, PeerAddress other) {
        try {
            return hostOf(one).equals(hostOf(other));
        } catch (ShmException malformed) {
            return false;
        }
    }

    private static List<ShmAddress.Host> hostOf(PeerAddress address) {
        return address.candidates().stream().map(ShmAddress::parse).map(ShmAddress::host).toList();
    }
}
