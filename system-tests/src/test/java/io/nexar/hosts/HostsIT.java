package io.nexar.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.cli.Launcher;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Jobs over several hosts, as far as network namespaces are hosts. */
@Timeout(300)
class HostsIT {

    private static final boolean IS_FULL = Boolean.getBoolean("nexar.test.full");

    private static final int TRANSFER_MIB = IS_FULL ? 100 : 8;

    /** Promised are 10 s; the rest is for a machine that runs much else. */
    private static final long NOTICED_WITHIN_MILLIS = 13_000;

    private static final Duration DEADLINE = Duration.ofMinutes(2);

    private static final Pattern REPORT = Pattern.compile("(\\d+) ms: (.*)");

    @TempDir private Path folder;

    private Hosts hosts;

    @BeforeEach
    void open() {
        hosts = Hosts.open(folder);
        hosts.add("a");
        hosts.add("b");
    }

    @AfterEach
    void close() {
        if (hosts != null) {
            hosts.close();
        }
    }

    private void cable() {
        hosts.connect("a", "b");
        hosts.address("a", "b", "10.91.0.1/24");
        hosts.address("b", "a", "10.91.0.2/24");
    }

    @Test
    void bridgesOfContainersWithTheSameRangeOnBothHostsAreNotTaken() throws Exception {
        // Pitfall 49: both hosts' docker0 had one private range, and was picked: a silent hang.
        for (String host : List.of("a", "b")) {
            hosts.ip(host, "link", "add", "docker0", "type", "bridge");
            hosts.ip(host, "addr", "add", "172.17.0.1/16", "dev", "docker0");
            hosts.ip(host, "link", "set", "docker0", "up");
        }
        cable();
        HostJob job = HostJob.seed(hosts, folder, "a", "0.0.0.0");
        assertThat(job.joinString()).contains("10.91.0.1");
        requireTransfer(job, 1);
    }

    /** What addresses a host has. */
    private enum Family {
        V4(true, false),
        V6(false, true),
        DUAL(true, true);

        private final boolean hasV4;
        private final boolean hasV6;

        Family(boolean hasV4, boolean hasV6) {
            this.hasV4 = hasV4;
            this.hasV6 = hasV6;
        }
    }

    private record Pair(Family seeds, Family others) {}

    @Test
    void hostsWithACommonFamilyMeetAndOthersSayWhatIsMissing() throws Exception {
        // Pitfall 50: one side on IPv4, the other on IPv6, and an assertion instead of a reason.
        List<Pair> pairs =
                new ArrayList<>(
                        List.of(new Pair(Family.V6, Family.DUAL), new Pair(Family.V4, Family.V6)));
        if (IS_FULL) {
            pairs.clear();
            for (Family seeds : Family.values()) {
                for (Family others : Family.values()) {
                    pairs.add(new Pair(seeds, others));
                }
            }
        }
        hosts.connect("a", "b");
        for (Pair pair : pairs) {
            address("a", "b", pair.seeds(), 1);
            address("b", "a", pair.others(), 2);
            requireMeets(pair);
            hosts.ip("a", "addr", "flush", "dev", "to-b");
            hosts.ip("b", "addr", "flush", "dev", "to-a");
        }
    }

    private void address(String host, String other, Family family, int number) {
        if (family.hasV4) {
            hosts.address(host, other, "10.91.0." + number + "/24");
        }
        if (family.hasV6) {
            hosts.address(host, other, "fd91::" + number + "/64");
        }
    }

    private void requireMeets(Pair pair) throws Exception {
        boolean isV6 = pair.seeds().hasV6 && (pair.others().hasV6 || !pair.seeds().hasV4);
        boolean isCommon = isV6 ? pair.others().hasV6 : pair.others().hasV4;
        HostJob job = HostJob.seed(hosts, folder, "a", isV6 ? "[fd91::1]" : "10.91.0.1");
        if (isCommon) {
            requireTransfer(job, 1);
            return;
        }
        List<String> shortly = List.of("nexar.timeout.formation=5s");
        Launcher stranger = job.rank(1, "b", shortly, "transfer", "1");
        String reason = stranger.awaitLine("failed: ");
        assertThat(reason)
                .as("%s", pair)
                .contains(isV6 ? "fd91" : "10.91.0.1")
                .containsIgnoringCase("unreachable");
        assertThat(stranger.exitCode(DEADLINE)).isEqualTo(1);
    }

    @Test
    void aNarrowHopThatTellsNobodyLetsEverythingThroughOverQuic() throws Exception {
        // Pitfall 56: small first packets passed, larger ones vanished, and nobody was told.
        narrowHop();
        requireTransfer(HostJob.seed(hosts, folder, "a", "10.91.1.1").over("quic"), TRANSFER_MIB);
    }

    @Test
    void aNarrowHopThatTellsNobodyIsNoWayForTcpAndFoundOutBeforeTheJobBegins() throws Exception {
        narrowHop();
        HostJob job = HostJob.seed(hosts, folder, "a", "10.91.1.1").over("tcp");
        List<String> options = List.of("nexar.timeout.dial=5s");
        job.rank(0, "a", options, "transfer", "1");
        Launcher dialler = job.rank(1, "b", options, "transfer", "1");
        assertThat(dialler.awaitLine("failed: ")).contains("no tcp link", "no answer");
        assertThat(dialler.exitCode(DEADLINE)).isEqualTo(1);
    }

    private void narrowHop() {
        hosts.add("r");
        hosts.connect("a", "r");
        hosts.connect("b", "r");
        hosts.address("a", "r", "10.91.1.1/24");
        hosts.address("r", "a", "10.91.1.254/24");
        hosts.address("b", "r", "10.91.2.1/24");
        hosts.address("r", "b", "10.91.2.254/24");
        hosts.ip("a", "route", "add", "default", "via", "10.91.1.254");
        hosts.ip("b", "route", "add", "default", "via", "10.91.2.254");
        hosts.in("r", "sysctl", "-w", "net.ipv4.ip_forward=1");
        hosts.ip("r", "link", "set", "to-b", "mtu", "1280");
        // What the router itself would send, such as "too large", goes nowhere.
        hosts.ip("r", "rule", "add", "iif", "lo", "to", "10.91.0.0/16", "blackhole");
    }

    @Test
    void aCardWithoutOffloadsCarriesEverything() throws Exception {
        // Pitfall 55: the kernel said that segmentation is offloaded, the card did not: no send.
        Hosts.requireProgram("ethtool");
        cable();
        hosts.in("a", "ethtool", "-K", "to-b", "tx", "off", "gso", "off");
        hosts.in("b", "ethtool", "-K", "to-a", "tx", "off", "gso", "off");
        requireTransfer(HostJob.seed(hosts, folder, "a", "10.91.0.1"), TRANSFER_MIB);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp", "quic"})
    void refusedSendsHarmNothingForAWhileAndASilentHostIsLostOnBothSides(String transport)
            throws Exception {
        cable();
        HostJob job = HostJob.seed(hosts, folder, "a", "10.91.0.1").over(transport);
        List<String> options = List.of("nexar.timeout.close=2s");
        List<Launcher> ranks =
                List.of(job.rank(0, "a", options, "forever"), job.rank(1, "b", options, "forever"));
        ranks.forEach(rank -> rank.awaitLine("call: 100"));
        hosts.ip("b", "route", "add", "blackhole", "10.91.0.1/32");
        long calls = calls(ranks.getFirst());
        Launcher.await("a moment of silence", DEADLINE, new Elapsed(Duration.ofSeconds(2)));
        assertThat(calls(ranks.getFirst())).isLessThanOrEqualTo(calls + 1);
        hosts.ip("b", "route", "del", "blackhole", "10.91.0.1/32");
        ranks.forEach(
                rank -> Launcher.await("more calls", DEADLINE, () -> calls(rank) > calls + 3));
        hosts.ip("b", "link", "set", "to-a", "down");
        List<String> reasons = new ArrayList<>();
        for (int rank = 0; rank < 2; rank++) {
            Matcher report = REPORT.matcher(ranks.get(rank).awaitLine("forever: "));
            assertThat(report.matches()).isTrue();
            assertThat(Long.parseLong(report.group(1))).isLessThan(NOTICED_WITHIN_MILLIS);
            assertThat(report.group(2)).contains("rank " + (1 - rank) + " lost");
            reasons.add(report.group(2));
        }
        // Who is first ends, and the hosts of this test see each other's processes.
        assertThat(reasons).anyMatch(reason -> reason.contains("silent for"));
        assertThat(reasons).allMatch(reason -> reason.matches(".*(silent for|is gone from).*"));
    }

    @Test
    void aLinkThatIsBrokenFromOutsideIsFollowedByQuicWhileTheJobGoesOn() throws Exception {
        Hosts.requireProgram("ss");
        cable();
        HostJob job = HostJob.seed(hosts, folder, "a", "10.91.0.1").over("tcp");
        List<Launcher> ranks =
                List.of(
                        job.rank(0, "a", List.of(), "forever"),
                        job.rank(1, "b", List.of(), "forever"));
        ranks.forEach(rank -> rank.awaitLine("call: 1000"));
        hosts.cutBusiestConnection("b");
        for (Launcher rank : ranks) {
            rank.await("the warning", () -> rank.lines().contains("carries everything there"));
            long calls = calls(rank);
            Launcher.await("more calls", DEADLINE, () -> calls(rank) > calls + 3);
            assertThat(rank.lines()).doesNotContain("forever: ");
        }
    }

    private static long calls(Launcher rank) {
        return rank.wholeLines().stream().filter(line -> line.startsWith("call: ")).count();
    }

    private void requireTransfer(HostJob job, int mib) {
        List<Launcher> ranks =
                List.of(
                        job.rank(0, "a", List.of(), "transfer", "" + mib),
                        job.rank(1, "b", List.of(), "transfer", "" + mib));
        for (Launcher rank : ranks) {
            assertThat(rank.exitCode(DEADLINE)).as(rank.lines()).isZero();
            assertThat(rank.stdout()).contains("transfer: " + mib + " MiB");
        }
    }
}
