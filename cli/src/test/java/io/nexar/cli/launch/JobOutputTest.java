package io.nexar.cli.launch;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.nexar.cli.launch.JobOutput.Style;
import io.nexar.cli.launch.JobOutput.Target;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

class JobOutputTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void eachLineCarriesItsRankAndStreamsStayApart() {
        JobOutput output = output(false, new Style(true, true, ""));
        feed(output.stdoutOf(0), "a\nb");
        feed(output.stderrOf(11), "c\n");
        output.finish(true, "");

        assertThat(out.toString(UTF_8)).isEqualTo("[0] a\n[0] b\n");
        assertThat(err.toString(UTF_8)).isEqualTo("[11] c\n");
    }

    @Test
    void withoutPrefixLinesAreAsTheyWere() {
        JobOutput output = output(false, new Style(false, true, ""));
        feed(output.stdoutOf(1), "a\n");
        assertThat(out.toString(UTF_8)).isEqualTo("a\n");
    }

    @Test
    void colourIsForTerminalsOnly() {
        JobOutput output = output(true, new Style(true, true, ""));
        feed(output.stdoutOf(1), "a\n");
        assertThat(out.toString(UTF_8)).isEqualTo("\033[33m[1] \033[0ma\n");
    }

    @Test
    void linesOfManyRanksAreNeverMixed() throws InterruptedException {
        JobOutput output = output(false, new Style(true, false, ""));
        List<Thread> writers = new ArrayList<>();
        for (int rank = 0; rank < 8; rank++) {
            String line = String.valueOf((char) ('a' + rank)).repeat(100) + "\n";
            LineSplitter splitter = output.stdoutOf(rank);
            writers.add(Thread.ofPlatform().start(() -> feed(splitter, line.repeat(200))));
        }
        for (Thread writer : writers) {
            writer.join();
        }
        assertThat(out.toString(UTF_8).lines())
                .hasSize(1600)
                .allMatch(line -> line.matches("\\[(\\d)] (.)\\2{99}"));
    }

    @Test
    void theResultLineOfRankZeroComesLastAndPlain() {
        JobOutput output = output(false, new Style(true, false, "mnist: "));
        feed(output.stdoutOf(0), "mnist: early\nepoch 1\nmnist: ranks=2\n");
        feed(output.stdoutOf(1), "mnist: not mine\n");
        output.finish(true, "");

        assertThat(out.toString(UTF_8).lines())
                .containsExactly(
                        "[0] mnist: early", "[0] epoch 1", "[1] mnist: not mine", "mnist: ranks=2");
    }

    @Test
    void aFailedJobHasNoResultLine() {
        JobOutput output = output(false, new Style(true, false, "mnist: "));
        feed(output.stdoutOf(0), "mnist: ranks=2\n");
        output.finish(false, "rank 1 exited");

        assertThat(out.toString(UTF_8)).isEqualTo("[0] mnist: ranks=2\n");
        assertThat(err.toString(UTF_8)).isEqualTo("nexar: rank 1 exited\n");
    }

    @Test
    void aProgressBarStandsBelowTheLinesOfATerminal() {
        JobOutput output = output(true, new Style(true, false, ""));
        feed(output.stderrOf(0), "10%\r");
        LineSplitter bar = output.stderrOf(0);
        byte[] twenty = "20%\r30%".getBytes(UTF_8);
        bar.handleBytes(twenty, twenty.length);
        feed(output.stdoutOf(1), "line\n");
        output.finish(true, "");

        assertThat(err.toString(UTF_8)).contains("[0] 20%");
        assertThat(out.toString(UTF_8))
                .startsWith("\r\033[K[1] line\n[0] 20%")
                .endsWith("\r\033[K");
    }

    @Test
    void aReaderThatWentAwayIsNoticed() {
        OutputStream closed =
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("Broken pipe");
                    }
                };
        JobOutput output =
                new JobOutput(
                        new Target(closed, false),
                        new Target(err, false),
                        new Style(true, false, ""));
        feed(output.stdoutOf(0), "a\n");
        assertThat(output.isBroken()).isTrue();
    }

    private JobOutput output(boolean terminal, Style style) {
        return new JobOutput(new Target(out, terminal), new Target(err, terminal), style);
    }

    private static void feed(LineSplitter splitter, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        splitter.handleBytes(bytes, bytes.length);
        splitter.handleEnd();
    }
}
