package io.nexar.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nexar.ProtocolException;
import io.nexar.observe.CallReport;
import io.nexar.observe.CommunicatorReport;
import io.nexar.observe.LinkReport;
import io.nexar.observe.ProcessReport;
import io.nexar.observe.QueueReport;
import io.nexar.observe.RankReport;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

class ReportCodecTest {

    private static final long RANDOM_SEED = 20_251_128;

    private static CommunicatorReport communicator(int number, String text) {
        CallReport call =
                new CallReport(
                        "allReduce", 41 + number, text, 7 + number, List.of(1, 2), 5, "A.java:3");
        CallReport receive =
                new CallReport(
                        "receive", CallReport.NO_SEQUENCE, "tag 7", -1, List.of(number), 1, "");
        return new CommunicatorReport(
                "world.split(" + number + ")[2]",
                number % 7,
                8,
                42 + number,
                2,
                List.of(call, receive),
                new QueueReport(1, 2, 3_000_000_000L, 4, 5),
                text);
    }

    private static RankReport report(int communicators, int links, String text) {
        return new RankReport(
                RankReport.Activity.IN_CALL,
                new ProcessReport(1L << 33, 1L << 34, 23, 99),
                IntStream.range(0, communicators).mapToObj(i -> communicator(i, text)).toList(),
                3,
                IntStream.range(0, links)
                        .mapToObj(i -> new LinkReport(i, "quic", 100 + i, 200 + i, text))
                        .toList(),
                4);
    }

    private static RankReport decode(byte[] bytes) {
        return ReportCodec.decode(bytes, "rank 3");
    }

    @Test
    void aReportComesBackAsItWas() {
        for (RankReport.Activity activity : RankReport.Activity.values()) {
            RankReport like = report(3, 5, "1000 F32, SUM ä");
            RankReport report =
                    new RankReport(
                            activity, like.process(), like.communicators(), 1, like.links(), 2);
            byte[] bytes = ReportCodec.encode(report, ReportCodec.REPORT_BYTES_MAX);
            assertThat(decode(bytes)).isEqualTo(report);
        }
    }

    @Test
    void whatDoesNotFitIsCountedAndTheFirstOfEachListIsAlwaysThere() {
        RankReport report = report(4_000, 4_000, "é".repeat(3_000));
        for (int bytesMax : new int[] {0, ReportCodec.REPORT_BYTES_MIN, 20_000, 1 << 30}) {
            byte[] bytes = ReportCodec.encode(report, bytesMax);
            int limit =
                    Math.clamp(
                            bytesMax, ReportCodec.REPORT_BYTES_MIN, ReportCodec.REPORT_BYTES_MAX);
            RankReport back = decode(bytes);
            assertThat(bytes).hasSizeBetween(limit / 2, limit);
            assertThat(back.communicators()).isNotEmpty();
            assertThat(back.communicators().size() + back.communicatorsOmitted()).isEqualTo(4_003);
            assertThat(back.links()).isNotEmpty();
            assertThat(back.links().size() + back.linksOmitted()).isEqualTo(4_004);
            assertThat(back.communicators().getFirst().calls().getFirst().details())
                    .isEqualTo("é".repeat(256));
        }
    }

    @Test
    void aReportOfManyQuietCommunicatorsShowsHundredsOfThem() {
        byte[] bytes = ReportCodec.encode(report(300, 3, ""), ReportCodec.REPORT_BYTES_MAX);
        assertThat(decode(bytes).communicators()).hasSizeGreaterThan(200);
    }

    @Test
    void manyNamesOfThoseWhoHaveNotComeAreCutAndTheirNumberStays() {
        List<Integer> all = IntStream.range(0, 500).boxed().toList();
        CallReport call = new CallReport("barrier", 1, "", 5, all, 500, "");
        CommunicatorReport world =
                new CommunicatorReport("world", 0, 501, 2, 1, List.of(call), QueueReport.EMPTY, "");
        RankReport report =
                new RankReport(
                        RankReport.Activity.IN_CALL,
                        new ProcessReport(1, 2, 3, 4),
                        List.of(world),
                        0,
                        List.of(),
                        0);
        CallReport back =
                decode(ReportCodec.encode(report, ReportCodec.REPORT_BYTES_MAX))
                        .communicators()
                        .getFirst()
                        .calls()
                        .getFirst();
        assertThat(back.waitingFor()).isEqualTo(all.subList(0, 16));
        assertThat(back.waitingForCount()).isEqualTo(500);
    }

    @Test
    void everyCutOrLengthenedReportIsRefused() {
        byte[] bytes = ReportCodec.encode(report(2, 2, "x"), ReportCodec.REPORT_BYTES_MAX);
        for (int length = 0; length < bytes.length; length++) {
            byte[] cut = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> decode(cut)).isInstanceOf(ProtocolException.class);
        }
        byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);
        assertThatThrownBy(() -> decode(longer)).hasMessageContaining("behind the end");
    }

    @Test
    void alteredBytesNeverEndInAnythingButAProtocolException() {
        Random random = new Random(RANDOM_SEED);
        List<byte[]> reports = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            reports.add(ReportCodec.encode(report(i, 2 * i, "text"), 10_000));
        }
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = reports.get(random.nextInt(reports.size())).clone();
            for (int change = random.nextInt(4); change >= 0; change--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            try {
                decode(bytes);
            } catch (ProtocolException e) {
                assertThat(e.problem()).as("random seed " + RANDOM_SEED).isNotEmpty();
            }
        }
    }
}
