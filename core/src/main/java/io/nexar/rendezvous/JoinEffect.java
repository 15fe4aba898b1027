package io.nexar.rendezvous;

import java.util.List;

/** What a worker's machine wants done; in this order. */
public sealed interface JoinEffect {

    /** Dial the seed now. */
    record Connect() implements JoinEffect {}

    record Send(JoinMessage message) implements JoinEffect {}

    /** Close the connection once what was sent is out. */
    record Disconnect(String reason) implements JoinEffect {}

    /** Open the endpoints that others will dial. */
    record OpenEndpoints(JoinMessage.Welcome welcome) implements JoinEffect {}

    /** Link to every peer. */
    record LinkPeers(Roster roster, int rank) implements JoinEffect {}

    /** The job runs. */
    record Formed(Roster roster, int rank) implements JoinEffect {}

    /** This worker is not part of the job; nothing follows. */
    record Failed(String reason, List<Integer> missingRanks) implements JoinEffect {
        public Failed {
            missingRanks = List.copyOf(missingRanks);
        }
    }

    record Tell(TetherEvent event) implements JoinEffect {}
}
