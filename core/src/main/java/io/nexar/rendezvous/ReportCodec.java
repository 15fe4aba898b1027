package io.nexar.rendezvous;

import io.nexar.ProtocolException;
import io.nexar.observe.CallReport;
import io.nexar.observe.CommunicatorReport;
import io.nexar.observe.LinkReport;
import io.nexar.observe.ProcessReport;
import io.nexar.observe.QueueReport;
import io.nexar.observe.RankReport;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A rank's report as bytes and back. Pure.
 *
 * <p>A report has to fit into what the asker has room for. Its communicators get three quarters of
 * that, in their order, its links what is left; what does not fit is counted. Long texts are cut.
 */
public final class ReportCodec {

    /** Fits the fields of the process and one or two communicators whatever their texts. */
    public static final int REPORT_BYTES_MIN = 8 * 1024;

    /** A join message with its head. */
    public static final int REPORT_BYTES_MAX = 56 * 1024;

    /** The calls of one communicator: a collective, a receive, a send. */
    private static final int CALLS_MAX = 3;

    /** Nobody reads more names of those who have not come. */
    private static final int WAITING_FOR_MAX = 16;

    private static final int NAME_BYTES_MAX = 256;
    private static final int DETAILS_BYTES_MAX = 512;

    /** No list of a report can have more entries: each has at least 16 bytes. */
    private static final int ENTRIES_MAX = REPORT_BYTES_MAX / 16;

    /** Before and behind a list: how many entries, how many were left out. */
    private static final int COUNTS_BYTES = 6;

    private static final RankReport.Activity[] ACTIVITIES = RankReport.Activity.values();

    private ReportCodec() {}

    /**
     * The bytes of a report, at most {@code bytesMax}, which is at least {@link #REPORT_BYTES_MIN}.
     */
    public static byte[] encode(RankReport report, int bytesMax) {
        JoinWriter out = new JoinWriter();
        ProcessReport process = report.process();
        out.u8(report.activity().ordinal());
        out.i64(process.heapUsedBytes()).i64(process.heapMaxBytes());
        out.i32(process.threads()).i64(process.uptimeNanos());
        int limit = Math.clamp(bytesMax, REPORT_BYTES_MIN, REPORT_BYTES_MAX);
        int share = (limit - out.position()) / 4 * 3;
        writeFitting(
                out,
                new Fitting<>(report.communicators(), report.communicatorsOmitted(), share),
                ReportCodec::writeCommunicator);
        writeFitting(
                out,
                new Fitting<>(report.links(), report.linksOmitted(), limit - out.position()),
                ReportCodec::writeLink);
        return out.toBytes();
    }

    /**
     * The report in {@code bytes}.
     *
     * @param peer who sent it, for the error
     * @throws ProtocolException if it is none, or breaks a bound
     */
    public static RankReport decode(byte[] bytes, String peer) {
        JoinReader in = new JoinReader(bytes, peer);
        RankReport.Activity activity = ACTIVITIES[in.u8Below(ACTIVITIES.length, "activity")];
        ProcessReport process =
                new ProcessReport(
                        in.notNegative("heap used"),
                        in.notNegative("heap"),
                        notNegative(in, "threads"),
                        in.notNegative("uptime"));
        List<CommunicatorReport> communicators = readAll(in, ReportCodec::readCommunicator);
        int communicatorsOmitted = notNegative(in, "omitted communicators");
        List<LinkReport> links = readAll(in, ReportCodec::readLink);
        int linksOmitted = notNegative(in, "omitted links");
        in.requireEnd("a report");
        return new RankReport(
                activity, process, communicators, communicatorsOmitted, links, linksOmitted);
    }

    /** Entries of which some may not fit. */
    private record Fitting<T>(List<T> entries, int omitted, int bytesMax) {}

    /** Count, the first entries as long as they fit, and how many were left out. */
    private static <T> void writeFitting(
            JoinWriter out, Fitting<T> list, BiConsumer<JoinWriter, T> writer) {
        JoinWriter fitting = new JoinWriter();
        int count = 0;
        int end = 0;
        for (T entry : list.entries()) {
            writer.accept(fitting, entry);
            if (COUNTS_BYTES + fitting.position() > list.bytesMax()) {
                break;
            }
            end = fitting.position();
            count++;
        }
        out.u16(count).put(fitting, end);
        out.i32(list.omitted() + list.entries().size() - count);
    }

    private static <T> List<T> readAll(JoinReader in, Function<JoinReader, T> reader) {
        List<T> entries = new ArrayList<>();
        int count = in.count(ENTRIES_MAX, "entries");
        for (int i = 0; i < count; i++) {
            entries.add(reader.apply(in));
        }
        return entries;
    }

    private static void writeCommunicator(JoinWriter out, CommunicatorReport report) {
        out.cut(report.name(), NAME_BYTES_MAX, "name").i32(report.rank()).i32(report.size());
        out.i64(report.nextSequence()).i32(report.callsUnderWay());
        List<CallReport> calls =
                report.calls().subList(0, Math.min(CALLS_MAX, report.calls().size()));
        out.u16(calls.size());
        calls.forEach(call -> writeCall(out, call));
        QueueReport queues = report.queues();
        out.i32(queues.postedReceives());
        out.i32(queues.unexpectedMessages()).i64(queues.unexpectedBytes());
        out.i32(queues.unsentMessages()).i64(queues.unsentBytes());
        out.cut(report.brokenBecause(), DETAILS_BYTES_MAX, "reason");
    }

    private static CommunicatorReport readCommunicator(JoinReader in) {
        String name = in.text(NAME_BYTES_MAX, "name");
        int rank = notNegative(in, "rank");
        int size = notNegative(in, "size");
        long nextSequence = in.i64("sequence");
        int underWay = notNegative(in, "calls under way");
        List<CallReport> calls = new ArrayList<>();
        int count = in.count(CALLS_MAX, "calls");
        for (int i = 0; i < count; i++) {
            calls.add(readCall(in));
        }
        QueueReport queues =
                new QueueReport(
                        notNegative(in, "posted receives"),
                        notNegative(in, "unexpected messages"),
                        in.notNegative("unexpected bytes"),
                        notNegative(in, "unsent messages"),
                        in.notNegative("unsent bytes"));
        String broken = in.text(DETAILS_BYTES_MAX, "reason");
        return new CommunicatorReport(
                name, rank, size, nextSequence, underWay, calls, queues, broken);
    }

    private static void writeCall(JoinWriter out, CallReport call) {
        out.cut(call.operation(), NAME_BYTES_MAX, "operation").i64(call.sequence());
        out.cut(call.details(), DETAILS_BYTES_MAX, "details").i64(call.ageNanos());
        int named = Math.min(WAITING_FOR_MAX, call.waitingFor().size());
        out.i32(call.waitingForCount()).u16(named);
        call.waitingFor().subList(0, named).forEach(out::i32);
        out.cut(call.callSite(), DETAILS_BYTES_MAX, "call site");
    }

    private static CallReport readCall(JoinReader in) {
        String operation = in.text(NAME_BYTES_MAX, "operation");
        long sequence = in.i64("sequence");
        String details = in.text(DETAILS_BYTES_MAX, "details");
        long age = in.i64("age");
        int waitingForCount = notNegative(in, "waited for");
        List<Integer> waitingFor = new ArrayList<>();
        int named = in.count(WAITING_FOR_MAX, "ranks waited for");
        for (int i = 0; i < named; i++) {
            waitingFor.add(notNegative(in, "rank waited for"));
        }
        String callSite = in.text(DETAILS_BYTES_MAX, "call site");
        return new CallReport(
                operation, sequence, details, age, waitingFor, waitingForCount, callSite);
    }

    private static void writeLink(JoinWriter out, LinkReport link) {
        out.i32(link.peer()).cut(link.transport(), JoinBounds.NAME_BYTES_MAX, "transport");
        out.i64(link.queuedBytes()).i64(link.heardNanosAgo());
        out.cut(link.goneBecause(), DETAILS_BYTES_MAX, "reason");
    }

    private static LinkReport readLink(JoinReader in) {
        return new LinkReport(
                notNegative(in, "peer"),
                in.text(JoinBounds.NAME_BYTES_MAX, "transport"),
                in.notNegative("queued bytes"),
                in.i64("last heartbeat"),
                in.text(DETAILS_BYTES_MAX, "reason"));
    }

    private static int notNegative(JoinReader in, String what) {
        return in.i32Within(0, Integer.MAX_VALUE, what);
    }
}
