package io.nexar.cli.status;

import io.nexar.observe.CallReport;
import io.nexar.observe.CommunicatorReport;
import io.nexar.observe.LinkReport;
import io.nexar.observe.RankReport;
import io.nexar.rendezvous.JobStatus;
import io.nexar.rendezvous.MemberRow;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A job's state for programs: names and values, as {@code docs/command-line.md} lists them. What is
 * not known has no key.
 */
public final class StatusFacts {

    private StatusFacts() {}

    /** All of it. */
    public static Map<String, Object> of(JobStatus status) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("job", status.job());
        facts.put("phase", status.phase().name().toLowerCase(Locale.ROOT));
        facts.put("worldSize", status.worldSize());
        facts.put("phaseMillis", millis(status.phaseNanos()));
        if (status.formationNanosLeft() > 0) {
            facts.put("formationMillisLeft", millis(status.formationNanosLeft()));
        }
        if (!status.failure().isEmpty()) {
            facts.put("failure", status.failure());
        }
        facts.put("missing", status.missing());
        facts.put("missingRanks", status.missingRanks());
        facts.put("ranks", status.members().stream().map(StatusFacts::member).toList());
        return facts;
    }

    private static Map<String, Object> member(JobStatus.Member member) {
        MemberRow row = member.row();
        Map<String, Object> facts = new LinkedHashMap<>();
        if (row.rank() >= 0) {
            facts.put("rank", row.rank());
        }
        facts.put("member", row.memberId());
        facts.put("state", State.of(member).key());
        facts.put("host", row.host());
        facts.put("remote", row.remote());
        facts.put("pid", row.pid());
        if (row.isGone()) {
            facts.put("goneMillis", millis(row.goneNanos()));
            facts.put("reason", row.goneBecause());
        }
        if (!member.silence().isEmpty()) {
            facts.put("reason", member.silence());
        }
        if (member.report() != null) {
            putReport(facts, member.report());
        }
        return facts;
    }

    private static void putReport(Map<String, Object> facts, RankReport report) {
        facts.put("heapUsedBytes", report.process().heapUsedBytes());
        facts.put("heapMaxBytes", report.process().heapMaxBytes());
        facts.put("threads", report.process().threads());
        facts.put("uptimeMillis", millis(report.process().uptimeNanos()));
        CurrentCall.of(report)
                .ifPresent(current -> {
                    Map<String, Object> call = new LinkedHashMap<>();
                    call.put("communicator", current.communicator().name());
                    call.putAll(call(current.call()));
                    facts.put("call", call);
                });
        facts.put(
                "communicators",
                report.communicators().stream().map(StatusFacts::communicator).toList());
        facts.put("communicatorsOmitted", report.communicatorsOmitted());
        facts.put(
                "links",
                report.links().stream()
                        .sorted(Comparator.comparingInt(LinkReport::peer))
                        .map(StatusFacts::link)
                        .toList());
        facts.put("linksOmitted", report.linksOmitted());
    }

    private static Map<String, Object> communicator(CommunicatorReport report) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("name", report.name());
        facts.put("rank", report.rank());
        facts.put("size", report.size());
        facts.put("nextSequence", report.nextSequence());
        facts.put("callsUnderWay", report.callsUnderWay());
        facts.put("calls", report.calls().stream().map(StatusFacts::call).toList());
        facts.put("postedReceives", report.queues().postedReceives());
        facts.put("unexpectedMessages", report.queues().unexpectedMessages());
        facts.put("unexpectedBytes", report.queues().unexpectedBytes());
        facts.put("unsentMessages", report.queues().unsentMessages());
        facts.put("unsentBytes", report.queues().unsentBytes());
        if (!report.brokenBecause().isEmpty()) {
            facts.put("broken", report.brokenBecause());
        }
        return facts;
    }

    private static Map<String, Object> call(CallReport call) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("operation", call.operation());
        if (call.sequence() != CallReport.NO_SEQUENCE) {
            facts.put("sequence", call.sequence());
        }
        facts.put("details", call.details());
        if (call.ageNanos() >= 0) {
            facts.put("millis", millis(call.ageNanos()));
        }
        facts.put("waitingFor", List.copyOf(call.waitingFor()));
        facts.put("waitingForCount", call.waitingForCount());
        if (!call.callSite().isEmpty()) {
            facts.put("callSite", call.callSite());
        }
        return facts;
    }

    private static Map<String, Object> link(LinkReport link) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("peer", link.peer());
        facts.put("up", link.isUp());
        if (!link.transport().isEmpty()) {
            facts.put("transport", link.transport());
        }
        facts.put("queuedBytes", link.queuedBytes());
        if (link.heardNanosAgo() >= 0) {
            facts.put("heardMillisAgo", millis(link.heardNanosAgo()));
        }
        if (!link.goneBecause().isEmpty()) {
            facts.put("reason", link.goneBecause());
        }
        return facts;
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}
