package io.nexar.cli.status;

import io.nexar.observe.CallReport;
import io.nexar.observe.CommunicatorReport;
import io.nexar.observe.LinkReport;
import io.nexar.observe.ProcessReport;
import io.nexar.observe.QueueReport;
import io.nexar.observe.RankReport;
import io.nexar.rendezvous.JobStatus;
import io.nexar.rendezvous.MemberRow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A job's state for people: one line that sums it up, then who is in what, then what waits in each
 * communicator, then links and memory.
 */
public final class StatusText {

    /** As the lists of the missing in errors: nobody reads more. */
    private static final int MISSING_SHOWN = 20;

    private StatusText() {}

    /** The lines, without ends of line. */
    public static List<String> lines(JobStatus status) {
        List<String> lines = new ArrayList<>();
        lines.add(Table.clean(summary(status)));
        append(lines, ranks(status));
        append(lines, communicators(status));
        append(lines, processes(status));
        return lines;
    }

    private static void append(List<String> lines, Table table) {
        if (!table.isEmpty()) {
            lines.add("");
            lines.addAll(table.lines());
        }
    }

    private static String summary(JobStatus status) {
        String since = " for " + Units.time(status.phaseNanos());
        String text =
                switch (status.phase()) {
                    case GATHERING -> "is forming" + since + ": " + missing(status);
                    case LINKING ->
                            "is forming"
                                    + since
                                    + ": all %d ranks have come and dial each other"
                                            .formatted(status.worldSize());
                    case RUNNING -> "runs" + since + ": " + counts(status);
                    case ENDED -> "is over" + since + ": " + counts(status);
                    case FAILED -> "did not form: " + status.failure();
                };
        String left =
                status.formationNanosLeft() > 0
                        ? "; " + Units.time(status.formationNanosLeft()) + " left"
                        : "";
        return status.job() + " " + text + left;
    }

    private static String missing(JobStatus status) {
        List<Integer> ranks = status.missingRanks();
        String names =
                ranks.stream()
                        .limit(MISSING_SHOWN)
                        .map(String::valueOf)
                        .collect(Collectors.joining(", "));
        return "%d of %d ranks have come"
                        .formatted(status.worldSize() - status.missing(), status.worldSize())
                + (ranks.isEmpty() ? "" : "; missing: " + names)
                + (ranks.size() > MISSING_SHOWN ? ", ..." : "");
    }

    /** For example {@code 4 ranks: 3 in a call, 1 in user code}. */
    private static String counts(JobStatus status) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        status.members().forEach(member -> counts.merge(State.of(member).text(), 1, Integer::sum));
        return status.worldSize()
                + (status.worldSize() == 1 ? " rank, " : " ranks, ")
                + counts.entrySet().stream()
                        .map(entry -> entry.getValue() + " " + entry.getKey())
                        .collect(Collectors.joining(", "));
    }

    private static Table ranks(JobStatus status) {
        Table table = new Table("RANK", "PID", "FROM", "STATE", "FOR", "WHAT");
        for (JobStatus.Member member : status.members()) {
            MemberRow row = member.row();
            table.add(
                    rank(member),
                    String.valueOf(row.pid()),
                    row.remote(),
                    State.of(member).text(),
                    duration(member),
                    what(member));
        }
        return table;
    }

    private static String rank(JobStatus.Member member) {
        return member.row().rank() < 0 ? "any" : String.valueOf(member.row().rank());
    }

    private static String duration(JobStatus.Member member) {
        if (member.row().isGone()) {
            return Units.time(member.row().goneNanos());
        }
        RankReport report = member.report();
        return report != null && report.activity() == RankReport.Activity.IN_CALL
                ? CurrentCall.of(report).map(current -> age(current.call())).orElse("")
                : "";
    }

    private static String age(CallReport call) {
        return call.ageNanos() < 0 ? "" : Units.time(call.ageNanos());
    }

    private static String what(JobStatus.Member member) {
        RankReport report = member.report();
        if (report == null) {
            return member.row().isGone() ? member.row().goneBecause() : member.silence();
        }
        Optional<CurrentCall> current = CurrentCall.of(report);
        return switch (report.activity()) {
            case IN_CALL, CLOSING -> current.map(StatusText::describe).orElse("");
            case IN_USER_CODE ->
                    next(report)
                            + current.map(call -> "; waits in the background: " + call.describe())
                                    .orElse("");
            case BUSY -> "its state was not free to be looked at for half a second";
        };
    }

    private static String describe(CurrentCall current) {
        String site = current.call().callSite();
        return current.describe() + (site.isEmpty() ? "" : ", at " + site);
    }

    /** What the others wait for, as a rule. */
    private static String next(RankReport report) {
        return report.communicators().stream()
                .findFirst()
                .map(world ->
                        "its next collective on %s is #%s"
                                .formatted(
                                        world.name(), Long.toUnsignedString(world.nextSequence())))
                .orElse("");
    }

    private static Table communicators(JobStatus status) {
        Table table =
                new Table(
                        "RANK",
                        "COMMUNICATOR",
                        "AS",
                        "NEXT",
                        "RECEIVES",
                        "UNEXPECTED",
                        "UNSENT",
                        "FOR",
                        "IN");
        for (JobStatus.Member member : status.members()) {
            RankReport report = member.report();
            if (report != null) {
                report.communicators().forEach(each -> add(table, rank(member), each));
                if (report.communicatorsOmitted() > 0) {
                    String more = "and %d more".formatted(report.communicatorsOmitted());
                    table.add(rank(member), more, "", "", "", "", "", "", "");
                }
            }
        }
        return table;
    }

    private static void add(Table table, String rank, CommunicatorReport report) {
        QueueReport queues = report.queues();
        table.add(
                rank,
                report.name(),
                report.rank() + " of " + report.size(),
                "#" + Long.toUnsignedString(report.nextSequence()),
                String.valueOf(queues.postedReceives()),
                messages(queues.unexpectedMessages(), queues.unexpectedBytes()),
                messages(queues.unsentMessages(), queues.unsentBytes()),
                report.calls().stream().findFirst().map(StatusText::age).orElse(""),
                in(report));
    }

    private static String messages(int count, long bytes) {
        return count == 0 ? "0" : count + " (" + Units.bytes(bytes) + ")";
    }

    private static String in(CommunicatorReport report) {
        List<String> parts = new ArrayList<>();
        report.calls().forEach(call -> parts.add(call.describe() + CurrentCall.waits(call)));
        if (report.callsUnderWay() > 1) {
            parts.add(report.callsUnderWay() + " collectives under way");
        }
        if (!report.brokenBecause().isEmpty()) {
            parts.add("broken: " + report.brokenBecause());
        }
        return String.join("; ", parts);
    }

    private static Table processes(JobStatus status) {
        Table table = new Table("RANK", "LINKS", "QUEUED", "LAST HEARD", "HEAP", "THREADS", "UP");
        for (JobStatus.Member member : status.members()) {
            RankReport report = member.report();
            if (report != null) {
                ProcessReport process = report.process();
                table.add(
                        rank(member),
                        links(report),
                        Units.bytes(
                                report.links().stream().mapToLong(LinkReport::queuedBytes).sum()),
                        heard(report),
                        Units.bytes(process.heapUsedBytes())
                                + " of "
                                + Units.bytes(process.heapMaxBytes()),
                        String.valueOf(process.threads()),
                        Units.time(process.uptimeNanos()));
            }
        }
        return table;
    }

    private static String links(RankReport report) {
        long up = report.links().stream().filter(LinkReport::isUp).count();
        String transports =
                report.links().stream()
                        .filter(LinkReport::isUp)
                        .map(LinkReport::transport)
                        .distinct()
                        .sorted()
                        .collect(Collectors.joining(", "));
        return up
                + " of "
                + (report.links().size() + report.linksOmitted())
                + (transports.isEmpty() ? "" : " (" + transports + ")");
    }

    /** The one that has been silent for the longest. */
    private static String heard(RankReport report) {
        return report.links().stream()
                .filter(link -> link.isUp() && link.heardNanosAgo() >= 0)
                .max(Comparator.comparingLong(LinkReport::heardNanosAgo))
                .map(link -> Units.time(link.heardNanosAgo()) + " ago, rank " + link.peer())
                .orElse("-");
    }
}
