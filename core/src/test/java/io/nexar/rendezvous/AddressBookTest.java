package io.nexar.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.transport.PeerAddress;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.concurrent.Future;

/** What members are told of each other's addresses. */
class AddressBookTest {

    @Test
    void membersLearnTheAddressesThatTheBookGives() throws Exception {
        AddressBook book =
                (member, address) ->
                        new PeerAddress(address.transport(), List.of("relay-of-" + member.id()));
        try (Job job = Job.start(3, book)) {
            for (Formation formation : job.joinAll(3)) {
                for (Roster.Entry entry : formation.roster().members()) {
                    assertThat(entry.addresses())
                            .containsExactly(
                                    new PeerAddress(
                                            "test", List.of("relay-of-" + entry.member().id())));
                }
            }
        }
    }

    @Test
    void aBookThatFailsEndsTheFormationWithItsReason() throws Exception {
        AddressBook book =
                (member, address) -> {
                    throw new IllegalStateException("no port is free for " + member);
                };
        try (Job job = Job.start(2, book)) {
            List<Future<Formation>> joins = List.of(job.join(0), job.join(1));
            for (Future<Formation> join : joins) {
                assertThat(Job.failure(join)).hasMessageContaining("no port is free for ");
            }
        }
    }
}
