package io.nexar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.rendezvous.SeedEvent;

import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CompletableFuture;

class SeedReportTest {

    private final StringWriter out = new StringWriter();
    private final CompletableFuture<Integer> outcome = new CompletableFuture<>();

    @Test
    void aJobThatEveryRankLeavesInOrderEndsWithZero() {
        SeedReport report = report(false);
        report.handle(new SeedEvent.Departed(1, 0, true, "it closed"));
        assertThat(outcome).isNotDone();
        report.handle(new SeedEvent.Ended());
        assertThat(outcome).isCompletedWithValue(0);
        assertThat(out.toString().lines())
                .containsExactly("nexar: rank 0 left: it closed", "nexar: every rank is gone");
    }

    @Test
    void aLostRankAnAbortAndAFailedFormationEndWithOne() {
        SeedReport lost = report(false);
        lost.handle(new SeedEvent.Departed(1, 0, false, "its connection closed"));
        lost.handle(new SeedEvent.Departed(2, 1, true, "it closed"));
        lost.handle(new SeedEvent.Ended());
        assertThat(outcome).isCompletedWithValue(1);

        CompletableFuture<Integer> failed = new CompletableFuture<>();
        SeedReport report = new SeedReport(new PrintWriter(out), false, failed);
        report.handle(new SeedEvent.FormationFailed("too few", List.of(1)));
        assertThat(failed).isCompletedWithValue(1);
    }

    @Test
    void aRefusalIsToldWithItsReasonAndEndsNothing() {
        SeedReport report = report(true);
        report.handle(new SeedEvent.Refused("10.0.0.3:4711", "wrong \"token\""));
        assertThat(outcome).isNotDone();
        assertThat(out.toString().strip())
                .isEqualTo(
                        "{\"event\":\"refused\",\"remote\":\"10.0.0.3:4711\","
                                + "\"reason\":\"wrong \\\"token\\\"\"}");
    }

    @Test
    void theJoinStringIsPrintedOnlyWhereItWentToNoFile() {
        report(false).listening("127.0.0.1:4711", 2, "");
        assertThat(out.toString().strip())
                .isEqualTo("nexar: seed of 2 ranks listens on 127.0.0.1:4711");
        report(false).listening("127.0.0.1:4711", 2, "nexar://secret");
        assertThat(out.toString()).contains("NEXAR_SEED='nexar://secret'");
    }

    private SeedReport report(boolean json) {
        return new SeedReport(new PrintWriter(out), json, outcome);
    }
}
