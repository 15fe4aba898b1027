package io.nexar.bench;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What {@code bench/compare} makes of runs, from recorded ones. */
@Timeout(30)
class CompareTest {
    private static final String PEER =
            "%s peer {\"peer\":\"mpi\",\"op\":\"pingpong\",\"transport\":\"mpi-shm\",\"ranks\":2,"
                    + "\"bytes\":%d,\"iterations\":2000,\"mean_us\":9.000,\"min_us\":1.000,"
                    + "\"p50_us\":%s,\"p99_us\":9.000,\"max_us\":9.000}";
    private static final String OURS =
            "%s ours {\"op\":\"pingpong\",\"transport\":\"shm\",\"algorithm\":\"none\","
                    + "\"datatype\":\"f32\",\"ranks\":2,\"bytes\":%d,\"iterations\":20,"
                    + "\"mean_us\":8,\"min_us\":1,\"p50_us\":%s,\"p99_us\":8,\"max_us\":8,"
                    + "\"algbw_GBps\":1,\"busbw_GBps\":1,\"correct\":%s}";

    @TempDir private Path folder;

    private final List<String> runs = new ArrayList<>();

    @Test
    void theRatioIsThatOfTheMedians() throws Exception {
        for (String micros : List.of("0.9", "0.1", "0.45", "7", "0.4")) {
            runs.add(OURS.formatted("shm-pingpong", 8, micros, "true"));
        }
        for (String micros : List.of("0.5", "0.490", "2.000", "0.480", "0.510")) {
            runs.add(PEER.formatted("shm-pingpong", 8, micros));
        }
        assertThat(compare("--json"))
                .containsExactly(
                        "{\"row\":\"shm-pingpong\",\"bytes\":8,\"line_ns\":null,\"nexar_us\":0.450,"
                                + "\"peer\":\"Open MPI, shared memory\",\"peer_us\":0.500,"
                                + "\"ratio\":0.900,\"at_most\":1,\"met\":true,"
                                + "\"nexar_us_runs\":[0.100,7.000],"
                                + "\"peer_us_runs\":[0.480,2.000]}");
    }

    @Test
    void sizesAndRowsAreKeptApartAndAnEvenNumberOfRunsHasAMedianToo() throws Exception {
        runs.add(OURS.formatted("shm-pingpong", 1024, "3", "true"));
        runs.add(OURS.formatted("shm-pingpong", 1024, "4", "true"));
        runs.add(PEER.formatted("shm-pingpong", 1024, "2"));
        runs.add(OURS.formatted("shm-allreduce", 1048576, "30", "true"));
        runs.add(PEER.formatted("shm-allreduce", 1048576, "100"));
        assertThat(compare("--json"))
                .satisfiesExactly(
                        line ->
                                assertThat(line)
                                        .contains("\"bytes\":1024,", "\"ratio\":1.750", "false,")
                                        .contains("\"nexar_us_runs\":[3.000,4.000]")
                                        .contains("\"peer_us_runs\":[]}"),
                        line ->
                                assertThat(line)
                                        .contains("\"bytes\":1048576,", "\"ratio\":0.300")
                                        .contains("\"at_most\":0.8,\"met\":true,"));
    }

    @Test
    void onlyRunsWhoseCoresWereEquallyFarApartAreLaidSideBySide() throws Exception {
        runs.add(at("26 27", OURS.formatted("shm-pingpong", 1024, "3", "true")));
        runs.add(at("160 165", OURS.formatted("shm-pingpong", 1024, "8", "true")));
        runs.add(at("30 165", OURS.formatted("shm-pingpong", 1024, "100", "true"))); // moved
        runs.add(at("28 29", PEER.formatted("shm-pingpong", 1024, "2")));
        runs.add(at("170 171", PEER.formatted("shm-pingpong", 1024, "10")));
        assertThat(compare("--json"))
                .satisfiesExactly(
                        line ->
                                assertThat(line)
                                        .contains("\"line_ns\":28,", "\"nexar_us\":3.000,")
                                        .contains("\"peer_us\":2.000,\"ratio\":1.500"),
                        line ->
                                assertThat(line)
                                        .contains("\"line_ns\":168,", "\"nexar_us\":8.000,")
                                        .contains("\"peer_us\":10.000,\"ratio\":0.800"));
    }

    @Test
    void whereTheSidesHaveNoDistanceInCommonAllRunsCount() throws Exception {
        runs.add(at("26 27", OURS.formatted("shm-pingpong", 1024, "3", "true")));
        runs.add(at("0 0", OURS.formatted("shm-pingpong", 1024, "5", "true"))); // not measured
        runs.add(at("160 165", PEER.formatted("shm-pingpong", 1024, "2")));
        runs.add(PEER.formatted("shm-pingpong", 1024, "6"));
        assertThat(compare("--json"))
                .singleElement()
                .asString()
                .contains("\"line_ns\":null,\"nexar_us\":4.000,")
                .contains("\"peer_us\":4.000,\"ratio\":1.000")
                .contains("\"at_most\":1,\"met\":null,"); // which tells nothing of the bound
    }

    @Test
    void aSideThatIsMissingHasNoRatioAndAWrongResultIsTold() throws Exception {
        runs.add(OURS.formatted("shm-pingpong", 8, "3", "true"));
        runs.add(OURS.formatted("shm-pingpong", 8, "3", "false"));
        assertThat(compare("--json"))
                .singleElement()
                .asString()
                .contains("\"peer_us\":null,\"ratio\":null,\"at_most\":1,\"met\":null,")
                .contains("Open MPI, shared memory, WRONG RESULT");
    }

    @Test
    void aTableForPeopleIsMarkdownTooAndARowWithoutBoundIsNeverOver() throws Exception {
        runs.add(OURS.formatted("quic-bandwidth", 1048576, "30", "true"));
        runs.add(OURS.formatted("quic-bandwidth", 1048576, "20", "true"));
        runs.add(OURS.formatted("quic-bandwidth", 1048576, "40", "true"));
        runs.add(PEER.formatted("quic-bandwidth", 1048576, "20"));
        assertThat(compare("--json"))
                .singleElement()
                .asString()
                .contains(
                        "\"peer\":\"Nexar tcp\",",
                        "\"ratio\":1.500,\"at_most\":null,\"met\":null,");
        assertThat(compare("--markdown"))
                .contains(
                        "| quic-bandwidth | 1048576 | - | 30.00 (20.00 to 40.00) | 20.00 | 1.50"
                                + " | - | Nexar tcp |");
    }

    @Test
    void everyWrongFlagIsNamedWithItsRule() throws Exception {
        assertThat(run("--rows", "nothing")).contains("--rows nothing: no row has that");
        assertThat(run("--repeat", "0")).contains("--repeat 0: must be a whole number");
        assertThat(run("--best")).contains("--best: must be --rows, --repeat");
        assertThat(run("--keep")).contains("--keep: a value is missing");
        assertThat(run("--from", "no-such-file")).contains("--from no-such-file: can't be read");
    }

    /** A run before and after which a cache line took so many nanoseconds. */
    private static String at(String lines, String run) {
        return run.replaceFirst(" \\{", " " + lines + " {");
    }

    private List<String> compare(String flag) throws IOException, InterruptedException {
        return run(flag, "--from", file().toString()).lines().toList();
    }

    private Path file() throws IOException {
        return Files.write(folder.resolve("runs"), runs);
    }

    private String run(String... flags) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", "compare"));
        command.addAll(List.of(flags));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // In the place of the command line, which prints the card of the machine.
        builder.environment().put("BENCH_NEXAR", "true");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        process.waitFor();
        return output;
    }
}
