package io.nexar.rendezvous;

import io.nexar.MemberId;
import io.nexar.transport.PeerAddress;

/**
 * What a seed tells the members of each other's addresses: as a rule what each said of itself. A
 * relay between them puts its own addresses there. Called in the seed's thread, with the same
 * answer for the same question.
 */
@FunctionalInterface
public interface AddressBook {

    /** Each is dialled where it said. */
    AddressBook DIRECT = (member, address) -> address;

    /** Where the others are to dial this member instead. */
    PeerAddress route(MemberId member, PeerAddress address);
}
