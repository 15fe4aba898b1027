package io.nexar.runtime;

import io.nexar.Communicator;
import io.nexar.MemberId;
import io.nexar.NexarConfig;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.transport.Endpoint;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Link;
import io.nexar.transport.local.LocalHub;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** A cluster whose ranks are linked by method calls. */
final class LocalRanks implements RankGroup {
    private final LocalHub hub = new LocalHub();
    private final List<Rank> ranks = new ArrayList<>();
    private final List<Endpoint> endpoints = new ArrayList<>();

    LocalRanks(int size, NexarConfig config) {
        RankSettings settings = RankSettings.of(config, LinkClass.JVM, size);
        List<MemberId> members = LongStream.range(0, size).mapToObj(MemberId::new).toList();
        List<List<Link>> links = IntStream.range(0, size).mapToObj(i -> newList()).toList();
        for (int i = 0; i < size; i++) {
            ranks.add(
                    new Rank(
                            settings,
                            members.get(i),
                            membership(members),
                            new Rank.Surroundings(member -> "this host", null)));
        }
        for (int i = 0; i < size; i++) {
            endpoints.add(open(config, i, links.get(i)));
            for (int j = 0; j < i; j++) {
                links.get(i)
                        .add(
                                endpoints
                                        .get(i)
                                        .connect(members.get(j), endpoints.get(j).address(), 1)
                                        .join());
            }
        }
        for (int i = 0; i < size; i++) {
            ranks.get(i).start(links.get(i));
        }
    }

    @Override
    public List<Communicator> communicators() {
        return ranks.stream().map(Rank::world).toList();
    }

    @Override
    public void taskFailed(int failedRank, Throwable failure) {
        Rank failed = ranks.get(failedRank);
        List<Rank> others = ranks.stream().filter(rank -> rank != failed).toList();
        Rank.taskFailed(others, failed, failure);
    }

    @Override
    public void close() {
        long deadline = System.nanoTime() + ranks.getFirst().settings().closeTimeout().toNanos();
        List<CloseReport> reports = ranks.stream().map(rank -> rank.part(deadline)).toList();
        ranks.forEach(rank -> rank.close("its cluster was closed"));
        endpoints.forEach(Endpoint::close);
        CloseFailures failures = new CloseFailures();
        reports.forEach(report -> failures.collect(report::throwIfBad));
        failures.throwFirst();
    }

    private static RosterMembership membership(List<MemberId> members) {
        return new RosterMembership(members, 0, RankThreads.callbacks());
    }

    private Endpoint open(NexarConfig config, int rank, List<Link> accepted) {
        Rank self = ranks.get(rank);
        return hub.open(
                new EndpointSettings(
                        self.self(),
                        null,
                        InetAddress.getLoopbackAddress(),
                        config,
                        member -> true,
                        accepted::add,
                        self::wakeUp,
                        RankThreads.named("local")));
    }

    private static List<Link> newList() {
        return new ArrayList<>();
    }
}
