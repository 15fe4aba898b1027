package io.nexar.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.observe.CallReport;
import io.nexar.observe.CommunicatorReport;
import io.nexar.observe.LinkReport;
import io.nexar.observe.ProcessReport;
import io.nexar.observe.QueueReport;
import io.nexar.observe.RankReport;
import io.nexar.observe.RankReport.Activity;
import io.nexar.rendezvous.JobStatus;
import io.nexar.rendezvous.MemberRow;
import io.nexar.rendezvous.MemberRow.Standing;
import io.nexar.rendezvous.SeedPhase;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What a status looks like, for people and for programs. */
class StatusViewsTest {

    private static final long SECOND = 1_000_000_000L;

    private static MemberRow row(int rank, Standing standing, long gone, String reason) {
        return new MemberRow(
                10 + rank, rank, standing, "host", "10.0.0.7:40", 100 + rank, gone, reason);
    }

    private static JobStatus.Member member(int rank, @Nullable RankReport report, String silence) {
        return new JobStatus.Member(row(rank, Standing.RUNNING, 0, ""), report, silence);
    }

    private static RankReport report(Activity activity, CommunicatorReport... communicators) {
        return new RankReport(
                activity,
                new ProcessReport(34L << 20, 512L << 20, 19, 75 * SECOND),
                List.of(communicators),
                0,
                List.of(
                        new LinkReport(2, "quic", 0, 400_000_000L, ""),
                        new LinkReport(1, "quic", 70_000, 900_000_000L, ""),
                        new LinkReport(3, "", 0, -1, "killed")),
                0);
    }

    private static CommunicatorReport communicator(String name, int sequence, CallReport... calls) {
        return new CommunicatorReport(
                name,
                1,
                4,
                sequence,
                calls.length,
                List.of(calls),
                new QueueReport(1, 2, 30_000, 0, 0),
                "");
    }

    private static JobStatus running() {
        CallReport sum =
                new CallReport(
                        "allReduce", 41, "1000 F32, SUM", 12_300_000_000L, List.of(2), 1, "A:7");
        CallReport receive =
                new CallReport("receive", -1, "tag 7", 99 * SECOND, List.of(0, 3), 5, "");
        return new JobStatus(
                "job-1",
                SeedPhase.RUNNING,
                5,
                80 * SECOND,
                0,
                "",
                List.of(
                        member(0, report(Activity.IN_CALL, communicator("world", 42, sum)), ""),
                        member(
                                1,
                                report(
                                        Activity.IN_USER_CODE,
                                        communicator("world", 41),
                                        communicator("world.split(0)[1]", 3, receive)),
                                ""),
                        member(2, null, "no answer within 2 s"),
                        new JobStatus.Member(
                                row(3, Standing.LOST, 3 * SECOND, "killed\nby \u001b[31mSIGKILL"),
                                null,
                                ""),
                        member(4, RankReport.busy(new ProcessReport(1, 2, 3, 4)), "")));
    }

    private static String line(JobStatus status, String beginning) {
        List<String> lines = StatusText.lines(status);
        return lines.stream()
                .filter(line -> line.replaceAll(" +", " ").startsWith(beginning))
                .findFirst()
                .orElseThrow(() -> new AssertionError(beginning + " begins none of " + lines))
                .replaceAll(" +", " ");
    }

    @Test
    void theTableSaysWhoIsInWhatForHowLongAndWhomItWaitsFor() {
        JobStatus status = running();
        assertThat(StatusText.lines(status).getFirst())
                .isEqualTo(
                        "job-1 runs for 1 min 20 s: 5 ranks, 1 in a call, 1 in user code,"
                                + " 1 silent, 1 lost, 1 busy");
        assertThat(line(status, "0 100"))
                .isEqualTo(
                        "0 100 10.0.0.7:40 in a call 12.3 s allReduce #41 (1000 F32, SUM)"
                                + " on world, waits for rank 2, at A:7");
        assertThat(line(status, "1 101"))
                .isEqualTo(
                        "1 101 10.0.0.7:40 in user code its next collective on world is #41;"
                                + " waits in the background: receive (tag 7) on"
                                + " world.split(0)[1], waits for ranks 0, 3 and 3 more");
        assertThat(line(status, "2 102")).endsWith("silent no answer within 2 s");
        assertThat(line(status, "4 104")).contains("busy").contains("half a second");
    }

    @Test
    void everyCommunicatorOfARankHasItsLineAndEveryRankItsLinksAndMemory() {
        JobStatus status = running();
        assertThat(line(status, "1 world.split(0)[1]"))
                .isEqualTo(
                        "1 world.split(0)[1] 1 of 4 #3 1 2 (29 KiB) 0 1 min 39 s"
                                + " receive (tag 7), waits for ranks 0, 3 and 3 more");
        assertThat(line(status, "1 world 1 of 4")).isEqualTo("1 world 1 of 4 #41 1 2 (29 KiB) 0");
        assertThat(line(status, "0 2 of 3"))
                .isEqualTo(
                        "0 2 of 3 (quic) 68 KiB 0.9 s ago, rank 1 34 MiB of 512 MiB 19"
                                + " 1 min 15 s");
    }

    @Test
    void whatOthersWroteCanNotMoveTheCursorNorEndALine() {
        assertThat(line(running(), "3 103"))
                .isEqualTo("3 103 10.0.0.7:40 lost 3.0 s killed by [31mSIGKILL");
        assertThat(Table.clean("a\u202eb\u2028c\ud800d")).isEqualTo("a b c d");
        assertThat(Table.clean("süß 漢字 😀")).isEqualTo("süß 漢字 😀");
    }

    @Test
    void aJobThatFormsSaysWhoHasComeAndWhoIsMissing() {
        JobStatus status =
                new JobStatus(
                        "job-1",
                        SeedPhase.GATHERING,
                        4,
                        20 * SECOND,
                        40 * SECOND,
                        "",
                        List.of(
                                new JobStatus.Member(row(1, Standing.OPENING, 0, ""), null, ""),
                                new JobStatus.Member(row(3, Standing.WAITING, 0, ""), null, "")));
        assertThat(StatusText.lines(status).getFirst())
                .isEqualTo(
                        "job-1 is forming for 20.0 s: 2 of 4 ranks have come; missing: 0, 2;"
                                + " 40.0 s left");
        assertThat(line(status, "1 101")).endsWith("opens its endpoints");
        assertThat(StatusFacts.of(status))
                .containsEntry("missing", 2)
                .containsEntry("missingRanks", List.of(0, 2))
                .containsEntry("formationMillisLeft", 40_000L);
    }

    @Test
    void aMemberThatAsksForNoRankLeavesOpenWhoIsMissing() {
        MemberRow any = new MemberRow(0, -1, Standing.WAITING, "host", "10.0.0.7:40", 100, 0, "");
        JobStatus status =
                new JobStatus(
                        "job-1",
                        SeedPhase.GATHERING,
                        2,
                        0,
                        SECOND,
                        "",
                        List.of(new JobStatus.Member(any, null, "")));
        assertThat(StatusText.lines(status).getFirst()).contains("1 of 2 ranks have come; 1.0 s");
        assertThat(line(status, "any 100")).contains("waits for the others");
        assertThat(StatusFacts.of(status)).containsEntry("missing", 1);
    }

    @Test
    void aJobThatDidNotFormSaysWhy() {
        JobStatus status =
                new JobStatus("job-1", SeedPhase.FAILED, 2, 0, 0, "1 of 2 ranks came", List.of());
        assertThat(StatusText.lines(status))
                .containsExactly("job-1 did not form: 1 of 2 ranks came");
        assertThat(StatusFacts.of(status)).containsEntry("failure", "1 of 2 ranks came");
    }

    @SuppressWarnings("unchecked") // as StatusFacts makes them
    private static List<Map<String, Object>> list(Map<String, Object> facts, String key) {
        return (List<Map<String, Object>>) Objects.requireNonNull(facts.get(key));
    }

    @Test
    @SuppressWarnings("unchecked") // as StatusFacts makes them
    void programsGetTheSameFactsByName() {
        Map<String, Object> facts = StatusFacts.of(running());
        List<Map<String, Object>> ranks = list(facts, "ranks");
        assertThat(facts).containsEntry("phase", "running").containsEntry("worldSize", 5);
        assertThat(ranks)
                .extracting(rank -> rank.get("state"))
                .containsExactly("inCall", "inUserCode", "silent", "lost", "busy");
        assertThat((Map<String, Object>) ranks.get(0).get("call"))
                .containsEntry("communicator", "world")
                .containsEntry("operation", "allReduce")
                .containsEntry("sequence", 41L)
                .containsEntry("millis", 12_300L)
                .containsEntry("waitingFor", List.of(2))
                .containsEntry("callSite", "A:7");
        assertThat(ranks.get(2)).containsEntry("reason", "no answer within 2 s");
        assertThat(ranks.get(3))
                .containsEntry("goneMillis", 3_000L)
                .doesNotContainKeys("communicators", "heapUsedBytes");
        List<Map<String, Object>> links = list(ranks.get(0), "links");
        assertThat(links).extracting(link -> link.get("peer")).containsExactly(1, 2, 3);
        assertThat(links.get(2))
                .containsEntry("up", false)
                .containsEntry("reason", "killed")
                .doesNotContainKey("heardMillisAgo");
    }
}
