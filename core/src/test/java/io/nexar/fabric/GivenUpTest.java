package io.nexar.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.MemberId;
import io.nexar.PeerLeftException;
import io.nexar.PeerLostException;
import io.nexar.ProtocolException;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.LinkPair;
import io.nexar.transport.local.LocalMembers;
import io.nexar.wire.CallNote;
import io.nexar.wire.CommunicatorPath;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Three fabrics, each with a link to each other, driven by hand: verdicts and who hears them. */
class GivenUpTest {
    private static final List<MemberId> MEMBERS =
            List.of(new MemberId(10), new MemberId(11), new MemberId(12));

    private final List<LinkPair> pairs = new ArrayList<>();
    private final List<Fabric> fabrics = new ArrayList<>();
    private final List<Channel> channels = new ArrayList<>();
    private final List<String> witnessed = new ArrayList<>();

    @BeforeEach
    void link() throws Exception {
        FabricSettings settings = new FabricSettings(1 << 12, 256, 4 * 576, 512);
        for (int rank = 0; rank < 3; rank++) {
            fabrics.add(new Fabric(MEMBERS.get(rank), settings, () -> 0, new Witness(rank)));
        }
        link(0, 1);
        link(0, 2);
        link(1, 2);
        for (int rank = 0; rank < 3; rank++) {
            Channel channel = fabrics.get(rank).open(CommunicatorPath.world(0), MEMBERS, 4);
            channel.attach(new Deaf(), () -> 0, reason -> {});
            channels.add(channel);
        }
    }

    @AfterEach
    void close() throws Exception {
        fabrics.forEach(fabric -> fabric.close("the test is over"));
        for (LinkPair pair : pairs) {
            pair.close();
        }
    }

    @Test
    void everyoneTakesAMemberForLostThatOneHasGivenUp() {
        ReceiveOperation waiting =
                channels.get(2).messages().receive(1, 5, MemorySegment.ofArray(new byte[8]));
        settle();
        fabrics.get(0).giveUp(MEMBERS.get(1), "silent for 8.1 s", true);
        settle();
        assertThat(waiting.failure())
                .isInstanceOf(PeerLostException.class)
                .hasMessageContaining("rank 1")
                .hasMessageContaining("silent for 8.1 s");
        assertThat(witnessed)
                .contains("0: member 11 silent for 8.1 s", "2: member 11 silent for 8.1 s");
        assertThat(
                        channels.get(0)
                                .messages()
                                .receive(2, 5, MemorySegment.ofArray(new byte[8]))
                                .isDone())
                .as("the others go on")
                .isFalse();
        channels.get(2).messages().send(0, 5, MemorySegment.ofArray(new byte[8]));
        settle();
        assertThat(witnessed).noneMatch(said -> said.startsWith("0: member 12"));
    }

    @Test
    void aSecondVerdictAboutTheSameMemberIsNone() {
        fabrics.get(0).giveUp(MEMBERS.get(1), "silent for 8.1 s", true);
        fabrics.get(2).giveUp(MEMBERS.get(1), "silent for 8.3 s", true);
        settle();
        assertThat(witnessed.stream().filter(said -> said.contains(": member 11"))).hasSize(2);
    }

    @Test
    void whoLeavesNamesTheLostFirst() {
        ReceiveOperation waiting =
                channels.get(2).messages().receive(1, 5, MemorySegment.ofArray(new byte[8]));
        settle();
        fabrics.get(0).memberLost(MEMBERS.get(1), "its process is gone", null);
        Completion parted = fabrics.get(0).sayGoodbye();
        fabrics.get(0).doWork();
        fabrics.get(2).doWork();
        fabrics.get(0).doWork();
        assertThat(parted.isDone()).isTrue();
        assertThat(waiting.failure())
                .isInstanceOf(PeerLostException.class)
                .hasMessageContaining("rank 1")
                .hasMessageContaining("its process is gone");
        assertThat(witnessed.stream().filter(said -> said.startsWith("2: ")))
                .containsExactly(
                        "2: member 11 its process is gone", "2: member 10 it closed in good order");
    }

    @Test
    void whoClosesACommunicatorNamesTheLostFirst() {
        MemorySegment target = MemorySegment.ofArray(new byte[8]);
        List<@Nullable RuntimeException> heard = new ArrayList<>();
        fabrics.get(0).memberLost(MEMBERS.get(1), "its process is gone", null);
        ReceiveOperation ofTheLost = channels.get(2).messages().receive(1, 5, target);
        ReceiveOperation ofWhoCloses = channels.get(2).messages().receive(0, 5, target);
        ofTheLost.onDone(() -> heard.add(ofTheLost.failure()));
        ofWhoCloses.onDone(() -> heard.add(ofWhoCloses.failure()));
        channels.get(0).close();
        settle();
        assertThat(heard.get(0))
                .isInstanceOf(PeerLostException.class)
                .hasMessageContaining("its process is gone");
        assertThat(heard.get(1))
                .isInstanceOf(PeerLeftException.class)
                .hasMessageContaining("closed the communicator");
    }

    @Test
    void aVerdictAboutOneselfIsHeard() {
        // Pitfall 44: a process that returns learns that it is out.
        sendLost(1, 2, MEMBERS.get(2).id(), "silent for 9.0 s");
        settle();
        assertThat(witnessed).contains("2 is out: silent for 9.0 s");
    }

    @Test
    void aVerdictAboutSomebodyUnknownEndsTheLinkOfWhoeverSaysIt() {
        Link link = sendLost(1, 2, 4711, "who?");
        settle();
        assertThat(link.isClosed()).isTrue();
        assertThat(witnessed).anyMatch(said -> said.startsWith("2: member 11"));
        byte[] tooMuch = new byte[2049];
        assertThatThrownBy(() -> Notices.text(MEMBERS.get(0), MemorySegment.ofArray(tooMuch)))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("2049 bytes");
    }

    private void link(int left, int right) throws Exception {
        LinkPair pair =
                LocalMembers.pair(MEMBERS.get(left), () -> {}, MEMBERS.get(right), () -> {});
        pairs.add(pair);
        fabrics.get(left).addLink(pair.left());
        fabrics.get(right).addLink(pair.right());
    }

    /** A frame as a peer would send it; the pairs are (0,1), (0,2), (1,2). */
    private Link sendLost(int from, int to, long member, String reason) {
        assertThat(from + to).isEqualTo(3);
        Link link = pairs.get(2).left();
        MemorySegment text =
                MemorySegment.ofArray(reason.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        link.trySend(
                Lane.CONTROL,
                new FrameHeader()
                        .reset(FrameKind.LOST)
                        .sequence(member)
                        .payloadBytes(text.byteSize()),
                text,
                PeerPort.NOBODY,
                0);
        link.flush();
        return link;
    }

    private void settle() {
        int work = 1;
        while (work > 0) {
            work = fabrics.stream().mapToInt(Fabric::doWork).sum();
        }
    }

    /** No collectives here. */
    private static final class Deaf implements PieceHandler {
        @Override
        public boolean onPiece(int peer, FrameHeader header, MemorySegment payload) {
            throw new AssertionError("a piece from " + peer);
        }

        @Override
        public void onSent(long token) {}

        @Override
        public void onCall(int peer, CallNote note) {
            throw new AssertionError("a call from " + peer);
        }

        @Override
        public void onPeerLost(int peer, RuntimeException failure) {}
    }

    private final class Witness implements PeerWitness {
        private final int rank;

        Witness(int rank) {
            this.rank = rank;
        }

        @Override
        public void onGone(MemberId member, boolean hasLeft, String reason) {
            witnessed.add(rank + ": " + member + " " + reason);
        }

        @Override
        public void onGivenUp(String reason) {
            witnessed.add(rank + " is out: " + reason);
        }
    }
}
