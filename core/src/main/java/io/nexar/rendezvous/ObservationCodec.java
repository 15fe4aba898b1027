package io.nexar.rendezvous;

import io.nexar.rendezvous.JoinMessage.Observation;
import io.nexar.rendezvous.JoinMessage.Observation.Answer;
import io.nexar.rendezvous.JoinMessage.Observation.Ask;
import io.nexar.rendezvous.JoinMessage.Observation.Look;
import io.nexar.rendezvous.JoinMessage.Observation.Looked;
import io.nexar.rendezvous.JoinMessage.Observation.Observe;
import io.nexar.rendezvous.JoinMessage.Observation.Observed;
import io.nexar.rendezvous.JoinMessage.Observation.Report;
import io.nexar.rendezvous.JoinMessage.Observation.Rows;

import java.util.ArrayList;
import java.util.List;

/** The bodies of the messages about a job's state, kinds 20 to 27. Pure. */
final class ObservationCodec {

    /** Rows of one message: 64 with the longest texts stay below a message's limit. */
    static final int ROWS_MAX = 64;

    private static final int GONE_BYTES_MAX = 512;

    private static final int OBSERVE = 20;
    private static final int OBSERVED = 21;
    private static final int LOOK = 22;
    private static final int ROWS = 23;
    private static final int ASK = 24;
    private static final int REPORT = 25;
    private static final int ANSWER = 26;
    private static final int LOOKED = 27;

    private static final SeedPhase[] PHASES = SeedPhase.values();
    private static final MemberRow.Standing[] STANDINGS = MemberRow.Standing.values();

    private ObservationCodec() {}

    static int kind(Observation message) {
        return switch (message) {
            case Observe _ -> OBSERVE;
            case Observed _ -> OBSERVED;
            case Look _ -> LOOK;
            case Rows _ -> ROWS;
            case Ask _ -> ASK;
            case Report _ -> REPORT;
            case Answer _ -> ANSWER;
            case Looked _ -> LOOKED;
        };
    }

    static void write(JoinWriter out, Observation message) {
        switch (message) {
            case Observe m ->
                    out.text(m.job(), JoinBounds.NAME_BYTES_MAX, "job")
                            .text(m.token(), JoinBounds.NAME_BYTES_MAX, "token");
            case Observed m ->
                    out.u8(m.phase().ordinal())
                            .i32(m.worldSize())
                            .i64(m.phaseNanos())
                            .i64(m.formationNanosLeft())
                            .reason(m.failure());
            case Look m -> out.i32(m.first());
            case Rows m -> writeRows(out, m.rows());
            case Ask m -> out.i64(m.query()).i32(m.bytesMax());
            case Report m -> report(out.i64(m.query()), m.report());
            case Answer m -> report(out.i64(m.memberId()), m.report());
            case Looked m -> out.i32(m.next());
        }
    }

    static Observation read(JoinReader in, int kind) {
        return switch (kind) {
            case OBSERVE ->
                    new Observe(
                            in.text(JoinBounds.NAME_BYTES_MAX, "job"),
                            in.text(JoinBounds.NAME_BYTES_MAX, "token"));
            case OBSERVED ->
                    new Observed(
                            PHASES[in.u8Below(PHASES.length, "phase")],
                            in.i32Within(1, JoinBounds.WORLD_SIZE_MAX, "world size"),
                            in.notNegative("time in the phase"),
                            in.notNegative("time left"),
                            in.reason());
            case LOOK -> new Look(in.i32Within(0, JoinBounds.WORLD_SIZE_MAX, "first row"));
            case ROWS -> new Rows(readRows(in));
            case ASK ->
                    new Ask(
                            in.i64("query"),
                            in.i32Within(
                                    ReportCodec.REPORT_BYTES_MIN,
                                    ReportCodec.REPORT_BYTES_MAX,
                                    "report's limit"));
            case REPORT -> new Report(in.i64("query"), report(in));
            case ANSWER -> new Answer(in.notNegative("member id"), report(in));
            case LOOKED ->
                    new Looked(
                            in.i32Within(JoinMessage.ANY, JoinBounds.WORLD_SIZE_MAX, "next row"));
            default -> throw in.bad("unknown kind " + kind + " of version " + JoinCodec.VERSION);
        };
    }

    private static void report(JoinWriter out, byte[] report) {
        out.bytes(report, ReportCodec.REPORT_BYTES_MAX, "report");
    }

    private static byte[] report(JoinReader in) {
        return in.bytes(ReportCodec.REPORT_BYTES_MAX, "report");
    }

    private static void writeRows(JoinWriter out, List<MemberRow> rows) {
        if (rows.size() > ROWS_MAX) {
            throw new IllegalArgumentException(rows.size() + " rows are above " + ROWS_MAX);
        }
        out.u16(rows.size());
        for (MemberRow row : rows) {
            out.i64(row.memberId()).i32(row.rank()).u8(row.standing().ordinal());
            out.text(row.host(), JoinBounds.NAME_BYTES_MAX, "host");
            out.cut(row.remote(), JoinBounds.ADDRESS_BYTES_MAX, "remote").i64(row.pid());
            out.i64(row.goneNanos()).cut(row.goneBecause(), GONE_BYTES_MAX, "reason");
        }
    }

    private static List<MemberRow> readRows(JoinReader in) {
        List<MemberRow> rows = new ArrayList<>();
        int count = in.count(ROWS_MAX, "rows");
        for (int i = 0; i < count; i++) {
            rows.add(
                    new MemberRow(
                            in.notNegative("member id"),
                            in.i32Within(JoinMessage.ANY, JoinBounds.WORLD_SIZE_MAX - 1, "rank"),
                            STANDINGS[in.u8Below(STANDINGS.length, "standing")],
                            in.text(JoinBounds.NAME_BYTES_MAX, "host"),
                            in.text(JoinBounds.ADDRESS_BYTES_MAX, "remote"),
                            in.notNegative("pid"),
                            in.notNegative("time since"),
                            in.text(GONE_BYTES_MAX, "reason")));
        }
        return rows;
    }
}
