package io.nexar.rendezvous;

import io.nexar.MemberId;
import io.nexar.transport.EndpointSettings;

import java.net.InetAddress;

/**
 * What a worker has once the seed has welcomed it; enough to open its endpoints.
 *
 * @param self the member this process now is
 * @param identity how it shows that to its peers
 * @param address the local address to listen on and to advertise: the one on the route to the seed,
 *     or the one that {@code nexar.interface} names
 */
public record Admission(
        MemberId self, int worldSize, EndpointSettings.Identity identity, InetAddress address) {}
