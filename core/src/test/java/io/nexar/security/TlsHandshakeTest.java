package io.nexar.security;

import static io.nexar.security.Forge.NOW;
import static io.nexar.security.Forge.RANDOM;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/** Real TLS 1.3 by the JDK, over memory. */
class TlsHandshakeTest {

    private final JobAuthority authority = JobAuthority.create("digits", NOW, RANDOM);
    private final Credentials seed = authority.issueSeed(NOW);

    private static InstantSource at(Instant now) {
        return InstantSource.fixed(now);
    }

    private static Credentials member(JobAuthority by, long id) {
        NodeKey key = NodeKey.generate(RANDOM);
        X509Certificate signed =
                by.sign(key.signingRequest(), new NodeIdentity(by.jobId(), id), NOW);
        return key.credentials(signed, by.certificate());
    }

    private static SSLEngine server(Credentials own, Instant now) {
        return TlsContexts.mutualServerEngine(TlsContexts.mutual(own, NodeTrust.of(own, at(now))));
    }

    private static SSLEngine client(Credentials own, Instant now) {
        return TlsContexts.clientEngine(TlsContexts.mutual(own, NodeTrust.of(own, at(now))));
    }

    private static SSLEngine joiner(Pin pin, Instant now) {
        return TlsContexts.clientEngine(TlsContexts.joinClient(new PinTrust(pin, at(now))));
    }

    private SSLEngine seedServer() {
        return TlsContexts.joinServerEngine(TlsContexts.joinServer(seed));
    }

    private static X509Certificate peer(SSLEngine engine) throws SSLException {
        return (X509Certificate) engine.getSession().getPeerCertificates()[0];
    }

    @Test
    void aJoinerReachesTheSeedOfItsPin() throws Exception {
        SSLEngine client = joiner(Pin.of(seed.certificate()), NOW);
        SSLEngine server = seedServer();
        EnginePair pair = new EnginePair(client, server);
        pair.handshake();
        assertThat(pair.exchange("token and request")).isEqualTo("token and request");
        assertThat(client.getSession().getProtocol()).isEqualTo("TLSv1.3");
        assertThat(peer(client)).isEqualTo(seed.certificate());
    }

    @Test
    void aSeedWithAnotherKeyIsRefusedAndBothPinsAreNamed() {
        Pin expected = Pin.of(authority.issueSeed(NOW).certificate()); // the same job, another key
        EnginePair pair = new EnginePair(joiner(expected, NOW), seedServer());
        assertThatThrownBy(pair::handshake)
                .isInstanceOf(SSLHandshakeException.class)
                .hasMessageContaining("pin expected " + expected)
                .hasMessageContaining("presented " + Pin.of(seed.certificate()));
    }

    @ParameterizedTest
    @CsvSource({"366, certificate expired at 2027-03-01T12:00:00Z", "-1, not valid before"})
    void aPinnedSeedOutsideItsTimeIsRefused(long days, String reason) {
        Instant then = NOW.plus(Duration.ofDays(days));
        EnginePair pair = new EnginePair(joiner(Pin.of(seed.certificate()), then), seedServer());
        assertThatThrownBy(pair::handshake).hasMessageContaining(reason);
    }

    @Test
    void twoMembersReachEachOtherAndEachKnowsTheOther() throws Exception {
        Credentials three = member(authority, 3);
        Credentials five = member(authority, 5);
        SSLEngine client = client(three, NOW);
        SSLEngine server = server(five, NOW);
        EnginePair pair = new EnginePair(client, server);
        pair.handshake();
        assertThat(pair.exchange("hello")).isEqualTo("hello");
        assertThat(client.getSession().getProtocol()).isEqualTo("TLSv1.3");
        assertThat(NodeIdentity.of(peer(client))).isEqualTo(new NodeIdentity("digits", 5));
        assertThat(NodeIdentity.of(peer(server))).isEqualTo(new NodeIdentity("digits", 3));
        NodeTrust trust = NodeTrust.of(three, at(NOW));
        assertThat(trust.requireMember(peer(client), 5)).isEqualTo(five.identity());
        assertThatThrownBy(() -> trust.requireMember(peer(client), 4))
                .hasMessageContaining("expected member 4 of job digits")
                .hasMessageContaining("the peer is member 5 of job digits");
    }

    @Test
    void aClientOfAnotherJobsAuthorityIsRefusedByTheServer() {
        // The very same job name and member: only the key of the authority differs.
        Credentials stranger = member(JobAuthority.create("digits", NOW, RANDOM), 3);
        SSLEngine client =
                TlsContexts.clientEngine(
                        TlsContexts.mutual(
                                stranger,
                                new NodeTrust("digits", authority.certificate(), at(NOW))));
        EnginePair pair = new EnginePair(client, server(member(authority, 5), NOW));
        assertThatThrownBy(pair::handshake)
                .hasMessageContaining("not signed by the authority of job digits")
                .hasMessageContaining("of another authority");
    }

    @Test
    void aServerOfAnotherJobIsRefusedByTheClientWhichNamesTheJob() {
        Credentials stranger = member(JobAuthority.create("letters", NOW, RANDOM), 5);
        EnginePair pair = new EnginePair(client(member(authority, 3), NOW), server(stranger, NOW));
        assertThatThrownBy(pair::handshake)
                .hasMessageContaining("not signed by the authority of job digits")
                .hasMessageContaining("claims to be member 5 of job letters");
    }

    @Test
    void aClientWithoutCertificateIsRefused() {
        SSLEngine anonymous = joiner(Pin.of(member(authority, 9).certificate()), NOW);
        Credentials five = member(authority, 5);
        SSLEngine pinned = joiner(Pin.of(five.certificate()), NOW);
        assertThatThrownBy(new EnginePair(anonymous, server(five, NOW))::handshake)
                .hasMessageContaining("pin expected");
        assertThatThrownBy(new EnginePair(pinned, server(five, NOW))::handshake)
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("certificate");
    }

    @Test
    void theSeedsCertificateIsNoPassToTheMembers() {
        SSLEngine client =
                TlsContexts.clientEngine(
                        TlsContexts.mutual(
                                seed, new NodeTrust("digits", authority.certificate(), at(NOW))));
        EnginePair pair = new EnginePair(client, server(member(authority, 5), NOW));
        assertThatThrownBy(pair::handshake).hasMessageContaining("not for a TLS client");
    }

    @Test
    void anExpiredMemberIsRefusedWithItsDate() {
        Instant later = NOW.plus(Duration.ofDays(15));
        Credentials three = member(authority, 3);
        Credentials five = member(authority, 5);
        assertThatThrownBy(new EnginePair(client(three, later), server(five, later))::handshake)
                .hasMessageContaining("certificate expired at 2026-03-15T12:00:00Z");
    }

    @Test
    void olderProtocolsAreNotSpoken() {
        SSLEngine old = joiner(Pin.of(seed.certificate()), NOW);
        old.setEnabledProtocols(new String[] {"TLSv1.2"});
        assertThatThrownBy(new EnginePair(old, seedServer())::handshake)
                .isInstanceOf(SSLException.class);
        assertThat(seedServer().getEnabledProtocols()).containsExactly("TLSv1.3");
        assertThat(client(member(authority, 1), NOW).getEnabledProtocols())
                .containsExactly("TLSv1.3");
        assertThat(server(member(authority, 1), NOW).getEnabledProtocols())
                .containsExactly("TLSv1.3");
    }

    @Test
    void aSecondHandshakeOfOneContextChecksTheCertificateAgain() throws Exception {
        Credentials three = member(authority, 3);
        Credentials five = member(authority, 5);
        Instant[] now = {NOW};
        var clients = TlsContexts.mutual(three, NodeTrust.of(three, () -> now[0]));
        var servers = TlsContexts.mutual(five, NodeTrust.of(five, () -> now[0]));
        new EnginePair(TlsContexts.clientEngine(clients), TlsContexts.mutualServerEngine(servers))
                .handshake();
        now[0] = NOW.plus(Duration.ofDays(15));
        EnginePair second =
                new EnginePair(
                        TlsContexts.clientEngine(clients), TlsContexts.mutualServerEngine(servers));
        assertThatThrownBy(second::handshake).hasMessageContaining("certificate expired");
    }
}
