package io.nexar.collective.plan.cost;

/**
 * What one class of links costs.
 *
 * @param latencyNanos from the moment when a sender is done with a piece to the moment when its
 *     receiver begins with it: what nobody works on
 * @param messageNanos what a piece costs each of the two, whatever its length
 * @param byteNanos what a byte costs each of the two besides: encrypting, copying to the kernel.
 *     Inside a JVM memory is lent: there it is what a core pays for bytes that another one has near
 *     it, and only for reading; what writing them costs then says {@link CacheCost}
 * @param wireByteNanos what a byte occupies the wire: of a host, for all its ranks together, where
 *     ranks are on different hosts; else of the pair
 */
public record LinkCost(
        double latencyNanos, double messageNanos, double byteNanos, double wireByteNanos) {
    public LinkCost {
        require("latency", latencyNanos);
        require("message", messageNanos);
        require("byte", byteNanos);
        require("wire", wireByteNanos);
    }

    static void require(String what, double nanos) {
        if (!(nanos >= 0) || Double.isInfinite(nanos)) {
            throw new IllegalArgumentException("%s of %s ns".formatted(what, nanos));
        }
    }
}
