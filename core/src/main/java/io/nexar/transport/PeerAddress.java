package io.nexar.transport;

import java.util.List;

/**
 * Where a peer's endpoint of one transport can be dialled.
 *
 * @param candidates in the transport's own spelling ({@code 10.0.0.7:4711}, {@code [::1]:4711}),
 *     best first; each is proven by an authenticated dial before it is used
 */
public record PeerAddress(String transport, List<String> candidates) {
    public PeerAddress {
        candidates = List.copyOf(candidates);
    }
}
