package io.nexar.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.MemberId;
import io.nexar.NexarConfig;
import io.nexar.ReduceOp;
import io.nexar.Request;
import io.nexar.collective.EngineRules;
import io.nexar.collective.EngineSettings;
import io.nexar.collective.plan.Placement;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.transport.Endpoint;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Link;
import io.nexar.transport.local.LocalHub;
import io.nexar.wire.FrameHeader;
import io.nexar.wire.FrameKind;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** How long pieces are, by where the ranks of their communicator are. */
@Timeout(60)
class PieceSizesTest {
    private static final int RANKS = 4;
    private static final int RANKS_ON_HOST = 2;
    private static final int COUNT = 1000;

    /** Eight pieces of credit between hosts, two inside one. */
    private static final NexarConfig CONFIG =
            NexarConfig.defaults()
                    .with("nexar.collective.pieceBytes", "64")
                    .with("nexar.collective.hostPieceBytes", "256")
                    .with("nexar.collective.creditBytes", "512");

    /** The longest piece of each channel, by the channel's number at its sender. */
    private final Map<Integer, Integer> longest = new ConcurrentHashMap<>();

    private final LocalHub hub = new LocalHub();
    private final List<Rank> ranks = new ArrayList<>();
    private final List<Endpoint> endpoints = new ArrayList<>();

    @AfterEach
    void close() {
        ranks.forEach(rank -> rank.close("the test is over"));
        endpoints.forEach(Endpoint::close);
    }

    @Test
    void oneLinkCarriesPiecesOfBothSizesEachWithItsOwnCredit() throws Exception {
        start();
        try (ExecutorService threads = Executors.newFixedThreadPool(RANKS)) {
            List<Future<?>> done = new ArrayList<>();
            for (Rank rank : ranks) {
                done.add(threads.submit(() -> exchange(rank.world())));
            }
            for (Future<?> each : done) {
                each.get();
            }
        }
        assertThat(longest).isEqualTo(Map.of(0, 64, 1, 256));
    }

    @Test
    void whereSocketsLinkTheRanksOfAHostPiecesStayShort() {
        EngineRules sockets = RankSettings.of(CONFIG, LinkClass.RACK, 2).engines();
        EngineRules memory = RankSettings.of(CONFIG, LinkClass.HOST, 2).engines();
        assertThat(sockets.of(Placement.oneHost(2))).isEqualTo(new EngineSettings(64, 4, 8));
        assertThat(memory.of(Placement.oneHost(2))).isEqualTo(new EngineSettings(256, 4, 2));
        assertThat(memory.of(Placement.blocks(4, 2))).isEqualTo(new EngineSettings(64, 4, 8));
    }

    /** Calls on the world and on the host's communicator, under way at the same time. */
    private static void exchange(Communicator world) {
        Communicator host = world.splitByHost();
        assertThat(host.size()).isEqualTo(RANKS_ON_HOST);
        int[] all = values(world.rank());
        int[] near = values(world.rank());
        Request<?> ofAll = world.async().allReduce(DataBuffer.of(all), ReduceOp.SUM);
        Request<?> ofNear = host.async().allReduce(DataBuffer.of(near), ReduceOp.SUM);
        ofNear.await();
        ofAll.await();
        int first = world.rank() - host.rank();
        assertThat(all).isEqualTo(sum(0, RANKS));
        assertThat(near).isEqualTo(sum(first, first + RANKS_ON_HOST));
        world.barrier();
    }

    private static int[] values(int rank) {
        return IntStream.range(0, COUNT).map(i -> i * (rank + 1) + rank).toArray();
    }

    private static int[] sum(int from, int to) {
        int[] sum = new int[COUNT];
        for (int rank = from; rank < to; rank++) {
            int[] values = values(rank);
            for (int i = 0; i < COUNT; i++) {
                sum[i] += values[i];
            }
        }
        return sum;
    }

    private void start() {
        List<MemberId> members = LongStream.range(0, RANKS).mapToObj(MemberId::new).toList();
        RankSettings settings = RankSettings.of(CONFIG, LinkClass.JVM, RANKS);
        List<List<Link>> links = new ArrayList<>();
        for (MemberId member : members) {
            Rank rank =
                    new Rank(
                            settings,
                            member,
                            new RosterMembership(members, 0, RankThreads.callbacks()),
                            new Rank.Surroundings(
                                    other -> "host " + other.id() / RANKS_ON_HOST, null));
            ranks.add(rank);
            links.add(new ArrayList<>());
            endpoints.add(open(rank, links.getLast()));
            for (int i = 0; i < ranks.size() - 1; i++) {
                Endpoint other = endpoints.get(i);
                links.getLast()
                        .add(
                                endpoints
                                        .getLast()
                                        .connect(members.get(i), other.address(), 1)
                                        .join());
            }
        }
        for (int i = 0; i < RANKS; i++) {
            ranks.get(i).start(links.get(i).stream().map(this::watched).toList());
        }
    }

    private Endpoint open(Rank rank, List<Link> accepted) {
        return hub.open(
                new EndpointSettings(
                        rank.self(),
                        null,
                        InetAddress.getLoopbackAddress(),
                        CONFIG,
                        member -> true,
                        accepted::add,
                        rank::wakeUp,
                        RankThreads.named("local")));
    }

    /** The same link; what it is offered of collectives is noted. */
    private Link watched(Link link) {
        return (Link)
                Proxy.newProxyInstance(
                        Link.class.getClassLoader(),
                        new Class<?>[] {Link.class},
                        (_, method, arguments) -> {
                            if (method.getName().equals("trySend")
                                    && arguments[1] instanceof FrameHeader header
                                    && header.kind() == FrameKind.PIECE) {
                                longest.merge(header.channel(), header.payloadBytes(), Math::max);
                            }
                            try {
                                return method.invoke(link, arguments);
                            } catch (InvocationTargetException thrown) {
                                throw thrown.getCause();
                            }
                        });
    }
}
