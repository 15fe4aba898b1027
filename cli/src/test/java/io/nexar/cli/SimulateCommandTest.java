package io.nexar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

import picocli.CommandLine;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

import javax.xml.parsers.DocumentBuilderFactory;

class SimulateCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @TempDir private Path directory;

    private int execute(String... arguments) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }

    @Test
    void theTableHasAllAlgorithmsAndSaysFromWhereEachIsTheFastest() {
        assertThat(execute("simulate", "allReduce", "-n", "8", "--per-host", "4")).isZero();
        assertThat(out.toString())
                .startsWith("allReduce on 8 ranks, 2 hosts\n")
                .contains("BYTES", "RECURSIVE_DOUBLING", "RING", "HIERARCHICAL", "OFF HOST")
                .containsPattern("(?m)^from 8 B: \\w+$")
                .containsPattern("(?m)^RING +14 +14 +1\\.750 +1\\.750 +simulated$");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void programsGetOneObject() {
        assertThat(execute("simulate", "barrier", "-n", "4", "--json")).isZero();
        assertThat(out.toString())
                .startsWith("{\"operation\":\"barrier\",\"ranks\":4,\"hosts\":1,")
                .contains("\"algorithm\":\"DISSEMINATION\",\"how\":\"simulated\",\"rounds\":2,")
                .containsPattern("\"calls\":\\[\\{\"bytes\":0,\"nanos\":\\d+,\"bytesSent\":0,")
                .contains("\"thresholds\":[{");
        assertThat(out.toString().strip().lines()).hasSize(1);
    }

    @Test
    void thePlotIsAPicture() throws Exception {
        Path plot = directory.resolve("plot.svg");
        assertThat(execute("simulate", "-n", "4", "--bytes", "8,64KiB", "--plot", plot.toString()))
                .isZero();
        Document picture =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(plot.toFile());
        assertThat(picture.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(picture.getElementsByTagName("polyline").getLength()).isEqualTo(5);
    }

    @Test
    void aWorldOfThousandsIsEstimatedFromSomeOfItsRanks() {
        assertThat(execute("simulate", "-n", "5000", "--per-host", "50", "--bytes", "8,1GiB"))
                .isZero();
        assertThat(out.toString())
                .contains("5000 ranks, 100 hosts", "estimated")
                .contains("from 8 B: RECURSIVE_DOUBLING");
    }

    @Test
    void aSlowerLinkMakesADifference() throws IOException {
        Path model = Files.writeString(directory.resolve("model"), "host.latency = 1s\n");
        execute("simulate", "barrier", "-n", "2", "--json", "--cost-model", model.toString());
        assertThat(out.toString()).containsPattern("\"nanos\":10000\\d{5},");
    }

    @Test
    void whatIsWrongIsNamedWithItsRule() throws IOException {
        Path model = Files.writeString(directory.resolve("model"), "call = never\n");
        refused("'-n': must be", "Missing required option: '--ranks=N'", "simulate");
        refused("-n", "-n 0: must be 1 to 100000", "simulate", "-n", "0");
        refused("-n", "-n 100001: must be 1 to 100000", "simulate", "-n", "100001");
        refused(
                "op",
                "OPERATION allreduce: must be one of [barrier,",
                "simulate",
                "allreduce",
                "-n2");
        refused("size", "--bytes 8kB: not a size", "simulate", "-n2", "--bytes", "8kB");
        refused("host", "--per-host 0: must be 1", "simulate", "-n2", "--per-host", "0");
        refused(
                "link",
                "--in-host moon: must be jvm or host",
                "simulate",
                "-n2",
                "--in-host",
                "moon");
        refused("pairs", "-n 50000: allToAll goes up to 46340", "simulate", "allToAll", "-n50000");
        refused("few", "-n 1: must be 2 to 16", "simulate", "-n1", "--measure", "file");
        refused(
                "transport",
                "--transport pigeon: must be local or quic",
                "simulate",
                "-n2",
                "--measure",
                "file",
                "--transport",
                "pigeon");
        refused(
                "model",
                "line 1: 'never': call is a time",
                "simulate",
                "-n2",
                "--cost-model",
                model.toString());
        refused("no file", "can't be read", "simulate", "-n2", "--cost-model", "nowhere");
    }

    @Test
    void aFileThatCanNotBeWrittenIsAFailureNotAMisuse() {
        Path nowhere = directory.resolve("missing").resolve("plot.svg");
        assertThat(execute("simulate", "-n2", "--bytes", "8", "--plot", nowhere.toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("can't write").contains("missing");
    }

    private void refused(String what, String message, String... arguments) {
        err.getBuffer().setLength(0);
        assertThat(execute(arguments)).as(what).isEqualTo(2);
        assertThat(err.toString()).as(what).contains(message);
    }
}
