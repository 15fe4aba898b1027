package io.nexar.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.nexar.rendezvous.JoinMessage.Observation.Answer;
import io.nexar.rendezvous.JoinMessage.Observation.Ask;
import io.nexar.rendezvous.JoinMessage.Observation.Look;
import io.nexar.rendezvous.JoinMessage.Observation.Looked;
import io.nexar.rendezvous.JoinMessage.Observation.Observe;
import io.nexar.rendezvous.JoinMessage.Observation.Observed;
import io.nexar.rendezvous.JoinMessage.Observation.Report;
import io.nexar.rendezvous.JoinMessage.Observation.Rows;
import io.nexar.rendezvous.MemberRow.Standing;
import io.nexar.security.Token;
import io.nexar.transport.PeerAddress;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The seed's machine and those who look at its job: events and time in, effects out. */
class ObserversTest {

    private static final long SECOND = 1_000_000_000L;
    private static final Token TOKEN = Token.parse("c2VjcmV0LXNlY3JldC1zZWNyZXQ");
    private static final long OBSERVER = 1_000_000;

    private final Map<Long, List<JoinMessage>> sent = new HashMap<>();
    private final Map<Long, String> closed = new HashMap<>();
    private final List<SeedEvent> told = new ArrayList<>();
    private SeedMachine seed = machine(1);
    private long now;

    private static SeedMachine machine(int worldSize) {
        CertificateSigner signer =
                new CertificateSigner() {
                    @Override
                    public byte[] sign(byte[] signingRequest, long memberId) {
                        return new byte[] {7};
                    }

                    @Override
                    public byte[] authority() {
                        return new byte[] {8};
                    }
                };
        SeedRules rules = new SeedRules("job", TOKEN, worldSize, null, 60 * SECOND, 30 * SECOND);
        return new SeedMachine(rules, signer, 0);
    }

    /** Workers are connections 0, 1, ... and ask for these ranks. */
    private void gather(int worldSize, int workers) {
        seed = machine(worldSize);
        for (int rank = 0; rank < workers; rank++) {
            seed.handleConnected(rank, "10.0.0." + rank + ":1", now);
            say(
                    rank,
                    new JoinMessage.Hello(
                            "job",
                            TOKEN.reveal(),
                            Map.of(),
                            rank,
                            worldSize,
                            "host",
                            100 + rank,
                            new byte[] {1}));
        }
    }

    private void form(int worldSize) {
        gather(worldSize, worldSize);
        PeerAddress address = new PeerAddress("quic", List.of("10.0.0.1:2"));
        for (int rank = 0; rank < worldSize; rank++) {
            say(rank, new JoinMessage.Ready("", List.of(address)));
        }
        for (int rank = 0; rank < worldSize; rank++) {
            say(rank, new JoinMessage.Linked());
        }
        assertThat(seed.phase()).isEqualTo(SeedPhase.RUNNING);
        sent.clear();
    }

    private void say(long connection, JoinMessage message) {
        seed.handleMessage(connection, message, now);
        drain();
    }

    private void tick(long nanos) {
        now += nanos;
        seed.handleTick(now);
        drain();
    }

    private void drain() {
        for (SeedEffect effect = seed.pollEffect(); effect != null; effect = seed.pollEffect()) {
            switch (effect) {
                case SeedEffect.Send it -> note(it.connection(), it.message());
                case SeedEffect.SendAll it ->
                        it.connections().forEach(to -> note(to, it.message()));
                case SeedEffect.Close it -> closed.put(it.connection(), it.reason());
                case SeedEffect.Tell it -> told.add(it.event());
            }
        }
    }

    private void note(long connection, JoinMessage message) {
        sent.computeIfAbsent(connection, to -> new ArrayList<>()).add(message);
    }

    private <T> List<T> sentTo(long connection, Class<T> type) {
        return sent.getOrDefault(connection, List.of()).stream()
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    private void observe(long connection) {
        seed.handleConnected(connection, "10.0.0.99:1", now);
        say(connection, new Observe("job", TOKEN.reveal()));
    }

    private List<MemberRow> rows(long connection) {
        return sentTo(connection, Rows.class).stream()
                .flatMap(part -> part.rows().stream())
                .toList();
    }

    @Test
    void whoDoesNotKnowTheTokenLearnsNothing() {
        form(2);
        seed.handleConnected(OBSERVER, "10.0.0.99:1", now);
        say(OBSERVER, new Observe("job", "bm90LXRoZS10b2tlbg"));
        assertThat(sentTo(OBSERVER, JoinMessage.class))
                .containsExactly(new JoinMessage.Refused("the token is wrong"));
        assertThat(closed).containsKey(OBSERVER);
        say(OBSERVER, new Look(0));
        assertThat(sentTo(OBSERVER, Rows.class)).isEmpty();
        seed.handleConnected(OBSERVER + 1, "10.0.0.99:2", now);
        say(OBSERVER + 1, new Look(0)); // without a word about itself
        assertThat(closed).containsKey(OBSERVER + 1);
        assertThat(sentTo(OBSERVER + 1, Rows.class)).isEmpty();
        assertThat(seed.memberCount()).isEqualTo(2);
    }

    @Test
    void aJobThatFormsSaysWhoHasComeAndHowLongItWaits() {
        gather(4, 2);
        say(1, new JoinMessage.Ready("", List.of(new PeerAddress("quic", List.of("10.0.0.1:2")))));
        now += 20 * SECOND;
        observe(OBSERVER);
        say(OBSERVER, new Look(0));
        assertThat(sentTo(OBSERVER, JoinMessage.class).getFirst())
                .isEqualTo(new Observed(SeedPhase.GATHERING, 4, 20 * SECOND, 40 * SECOND, ""));
        assertThat(rows(OBSERVER))
                .containsExactly(
                        new MemberRow(0, 0, Standing.OPENING, "host", "10.0.0.0:1", 100, 0, ""),
                        new MemberRow(1, 1, Standing.WAITING, "host", "10.0.0.1:1", 101, 0, ""));
        assertThat(sentTo(OBSERVER, JoinMessage.class).getLast()).isEqualTo(new Looked(-1));
        assertThat(sentTo(0, Ask.class)).isEmpty();
    }

    @Test
    void aJobThatDidNotFormSaysWhy() {
        gather(2, 1);
        tick(61 * SECOND);
        observe(OBSERVER);
        assertThat(sentTo(OBSERVER, Observed.class).getFirst().phase()).isEqualTo(SeedPhase.FAILED);
        assertThat(sentTo(OBSERVER, Observed.class).getFirst().failure()).contains("1 of 2 ranks");
    }

    @Test
    void membersAreAskedAndTheSilentAreGivenUpAfterTwoSeconds() {
        form(3);
        observe(OBSERVER);
        say(OBSERVER, new Look(0));
        assertThat(rows(OBSERVER)).extracting(MemberRow::rank).containsExactly(0, 1, 2);
        for (int rank : new int[] {2, 0}) {
            long query = sentTo(rank, Ask.class).getFirst().query();
            say(rank, new Report(query, new byte[] {(byte) rank}));
        }
        assertThat(sentTo(OBSERVER, Answer.class))
                .extracting(Answer::memberId)
                .containsExactly(2L, 0L);
        assertThat(sentTo(OBSERVER, Answer.class).getFirst().report()).containsExactly(2);
        tick(2 * SECOND - 1);
        assertThat(sentTo(OBSERVER, Looked.class)).isEmpty();
        assertThat(seed.nanosToNextDeadline(now)).isEqualTo(1);
        tick(1);
        assertThat(sentTo(OBSERVER, Looked.class)).containsExactly(new Looked(-1));
        long late = sentTo(1, Ask.class).getFirst().query();
        say(1, new Report(late, new byte[] {1}));
        assertThat(sentTo(OBSERVER, Answer.class)).hasSize(2);
        assertThat(seed.memberCount()).isEqualTo(3);
    }

    @Test
    void whoLeftOrWasLostIsShownWithItsReasonAndNobodyWaitsForIt() {
        form(4);
        tick(SECOND);
        say(1, new JoinMessage.Goodbye("it closed in good order"));
        seed.handleExit(3, "its process exited with code 137");
        drain();
        tick(3 * SECOND);
        observe(OBSERVER);
        say(OBSERVER, new Look(0));
        assertThat(rows(OBSERVER))
                .extracting(MemberRow::rank, MemberRow::standing, MemberRow::goneBecause)
                .containsExactly(
                        tuple(0, Standing.RUNNING, ""),
                        tuple(1, Standing.LEFT, "it closed in good order"),
                        tuple(2, Standing.RUNNING, ""),
                        tuple(3, Standing.LOST, "its process exited with code 137"));
        assertThat(rows(OBSERVER).get(1).goneNanos()).isEqualTo(3 * SECOND);
        long query = sentTo(0, Ask.class).getFirst().query();
        say(0, new Report(query, new byte[] {1}));
        assertThat(sentTo(OBSERVER, Looked.class)).isEmpty();
        seed.handleClosed(2, "the connection closed"); // dies while it is asked
        drain();
        assertThat(sentTo(OBSERVER, Looked.class)).hasSize(1);
    }

    @Test
    void nobodyWaitsForAMemberThatIsGivenUpWhileItIsAsked() {
        form(3);
        observe(OBSERVER);
        say(OBSERVER, new Look(0));
        long query = sentTo(0, Ask.class).getFirst().query();
        say(0, new Report(query, new byte[] {1}));
        say(0, new JoinMessage.Lost(1, "silent for 8.1 s"));
        assertThat(sentTo(OBSERVER, Looked.class)).isEmpty();
        seed.handleExit(2, "its process exited with code 137");
        drain();
        assertThat(sentTo(OBSERVER, Looked.class)).hasSize(1);
    }

    @Test
    void reportsThatNobodyAskedForOrThatAreTooLongAreDropped() {
        form(2);
        observe(OBSERVER);
        say(0, new Report(0, new byte[] {1}));
        say(OBSERVER, new Look(0));
        Ask ask = sentTo(0, Ask.class).getFirst();
        say(0, new Report(ask.query() + 1, new byte[] {1}));
        say(0, new Report(ask.query(), new byte[ask.bytesMax() + 1]));
        assertThat(sentTo(OBSERVER, Answer.class)).isEmpty();
        say(0, new Report(ask.query(), new byte[ask.bytesMax()]));
        say(0, new Report(ask.query(), new byte[] {2})); // a second time
        assertThat(sentTo(OBSERVER, Answer.class)).hasSize(1);
        assertThat(closed).isEmpty();
    }

    @Test
    void observersAreFewAndTheirPlacesAreFreeAgainOnceTheyClose() {
        form(2);
        for (int i = 0; i < Observers.OBSERVERS_MAX; i++) {
            observe(OBSERVER + i);
            assertThat(sentTo(OBSERVER + i, Observed.class)).hasSize(1);
        }
        observe(OBSERVER + 100);
        assertThat(sentTo(OBSERVER + 100, JoinMessage.Refused.class).getFirst().reason())
                .contains("8 observers");
        assertThat(closed).containsOnlyKeys(OBSERVER + 100);
        seed.handleClosed(OBSERVER + 3, "the connection closed");
        observe(OBSERVER + 101);
        assertThat(sentTo(OBSERVER + 101, Observed.class)).hasSize(1);
    }

    @Test
    void anObserverThatLooksAtNothingOrSaysWhatItMayNotIsClosedAloneWhileTheJobGoesOn() {
        form(2);
        observe(OBSERVER);
        tick(Observers.IDLE_NANOS);
        assertThat(closed.get(OBSERVER)).contains("looked at nothing");
        observe(OBSERVER + 1);
        say(OBSERVER + 1, new JoinMessage.Abort(0, "I am no member"));
        observe(OBSERVER + 2);
        seed.handleUndecodable(OBSERVER + 2, "no message");
        drain();
        observe(OBSERVER + 3);
        say(OBSERVER + 3, new Look(0));
        say(OBSERVER + 3, new Look(0)); // before the first is over
        assertThat(closed).containsOnlyKeys(OBSERVER, OBSERVER + 1, OBSERVER + 2, OBSERVER + 3);
        assertThat(seed.memberCount()).isEqualTo(2);
        assertThat(told).noneMatch(SeedEvent.Aborted.class::isInstance);
        assertThat(sentTo(0, JoinMessage.Abort.class)).isEmpty();
    }

    @Test
    void aWorkerCanNotLookAndAnObserverCanNotJoin() {
        form(2);
        say(0, new Look(0));
        assertThat(closed.get(0L)).contains("not expected");
        observe(OBSERVER);
        say(OBSERVER, new JoinMessage.Ready("", List.of()));
        assertThat(closed).containsKey(OBSERVER);
    }

    @Test
    void aLargeWorldIsLookedAtPageByPageWithRoomForEveryReport() {
        int worldSize = 2 * Observers.PAGE_MEMBERS + 10;
        form(worldSize);
        observe(OBSERVER);
        int first = 0;
        int pages = 0;
        while (first != JoinMessage.ANY) {
            say(OBSERVER, new Look(first));
            pages++;
            int asked = 0;
            long bytes = 0;
            for (long rank = 0; rank < worldSize; rank++) {
                for (Ask ask : sentTo(rank, Ask.class)) {
                    asked++;
                    bytes += ask.bytesMax();
                    say(rank, new Report(ask.query(), new byte[] {1}));
                }
                sent.remove(rank);
            }
            assertThat(asked).isLessThanOrEqualTo(Observers.PAGE_MEMBERS);
            assertThat(bytes).isLessThanOrEqualTo(4L * 1024 * 1024);
            first = sentTo(OBSERVER, Looked.class).getLast().next();
        }
        assertThat(pages).isEqualTo(3);
        assertThat(rows(OBSERVER)).hasSize(worldSize);
        assertThat(sentTo(OBSERVER, Answer.class)).hasSize(worldSize);
    }
}
