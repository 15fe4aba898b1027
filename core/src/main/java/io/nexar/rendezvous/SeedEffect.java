package io.nexar.rendezvous;

import java.util.List;

/** What the seed's machine wants done; in this order. */
public sealed interface SeedEffect {

    record Send(long connection, JoinMessage message) implements SeedEffect {}

    /** The same to each. */
    record SendAll(List<Long> connections, JoinMessage message) implements SeedEffect {
        public SendAll {
            connections = List.copyOf(connections);
        }
    }

    /** Closes once what was sent is out. The machine hears no more of this connection. */
    record Close(long connection, String reason) implements SeedEffect {}

    record Tell(SeedEvent event) implements SeedEffect {}
}
