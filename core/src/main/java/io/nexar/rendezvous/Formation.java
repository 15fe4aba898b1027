package io.nexar.rendezvous;

import io.nexar.MemberId;
import io.nexar.transport.EndpointSettings;

/**
 * A job that runs.
 *
 * @param rank this process's
 * @param tether the connection to the seed, which stays open as long as this process is a member
 */
public record Formation(
        int rank, MemberId self, EndpointSettings.Identity identity, Roster roster, Tether tether) {

    public int worldSize() {
        return roster.size();
    }
}
