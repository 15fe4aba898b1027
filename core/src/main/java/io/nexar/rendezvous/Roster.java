package io.nexar.rendezvous;

import io.nexar.MemberId;
import io.nexar.transport.PeerAddress;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Who is who: the members of an epoch by rank.
 *
 * @param members index = rank
 */
public record Roster(long epoch, List<Entry> members) {

    /**
     * One member.
     *
     * @param host equal for members of one host, and only for those
     * @param process see {@link HostIdentity#process}; empty if it has not said
     * @param addresses where it can be dialled, by transport
     */
    public record Entry(MemberId member, String host, String process, List<PeerAddress> addresses) {
        public Entry {
            addresses = List.copyOf(addresses);
        }

        /** Where it can be dialled over that transport, or null. */
        public @Nullable PeerAddress address(String transport) {
            return addresses.stream()
                    .filter(address -> address.transport().equals(transport))
                    .findFirst()
                    .orElse(null);
        }

        Entry routed(AddressBook book) {
            return new Entry(
                    member,
                    host,
                    process,
                    addresses.stream().map(address -> book.route(member, address)).toList());
        }
    }

    public Roster {
        members = List.copyOf(members);
    }

    public int size() {
        return members.size();
    }

    public Entry entry(int rank) {
        return members.get(rank);
    }

    /** The rank of a member, or -1 for one that is not in it. */
    public int rankOf(MemberId member) {
        for (int rank = 0; rank < members.size(); rank++) {
            if (members.get(rank).member().equals(member)) {
                return rank;
            }
        }
        return -1;
    }
}
